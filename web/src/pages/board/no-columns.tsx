// In place of the columns, when there are no statuses to make them of.
import { Columns3 } from 'lucide-react'
import { Link } from 'wouter'
import type { Records } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import button from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { words } from '../../words/index.ts'
import css from './board.module.css'

interface Props {
  list: string | undefined
  records: Records
  onList: (list: string | undefined) => void
}

/** How many lists are offered here. The title of the page offers all of them. */
const offered = 6

export function NoColumns({ list, records, onList }: Props) {
  const mayWrite = useMayWrite()
  const { board } = words
  const isGone = list !== undefined && !records.lists.some(({ id }) => id === list)
  const withColumns = records.lists.filter(({ id }) =>
    records.status.some(({ id_list }) => id_list === id),
  )
  const isNew = !list && withColumns.length === 0
  const [title, text] = isGone
    ? [words.pipeline.gone, board.goneText]
    : list
      ? [board.noStatuses, board.noStatusesText]
      : isNew
        ? [board.noPipeline, board.noPipelineText]
        : [board.noWorkspaceStatuses, board.chooseList]
  return (
    <Empty icon={<Columns3 size={28} strokeWidth={1.4} />} title={title} text={text}>
      {(isGone || list) && <Button onClick={() => onList(undefined)}>{board.showWhole}</Button>}
      {!list &&
        withColumns.slice(0, offered).map(({ id, name, emoji }) => (
          <Button key={id} onClick={() => onList(id)}>
            <span className={css.cut} dir="auto" title={name}>
              {`${emoji} ${name}`.trim()}
            </span>
          </Button>
        ))}
      {mayWrite && !isGone && (
        <Link
          href="/settings/statuses"
          className={classes(button.button, isNew || list ? button.go : button.plain)}
        >
          {board.makeStatuses}
        </Link>
      )}
    </Empty>
  )
}
