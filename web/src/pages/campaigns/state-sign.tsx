import { classes } from '../../ui/classes.ts'
import css from './campaigns.module.css'
import { stateWord } from './queries.ts'

export function StateSign({ status }: { status: string }) {
  return (
    <span className={css.state}>
      <i
        aria-hidden="true"
        className={classes(
          css.dot,
          status === 'RUNNING' && css.running,
          status === 'PAUSED' && css.paused,
        )}
      />
      {stateWord(status)}
    </span>
  )
}
