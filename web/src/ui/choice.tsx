import { Link } from 'wouter'
import css from './choice.module.css'
import { classes } from './classes.ts'

interface Props {
  label: string
  chosen: string
  options: [id: string, label: string, href: string][]
}

/** One of a few: links, because the address is the state. */
export function Choice({ label, chosen, options }: Props) {
  return (
    <div className={css.choices} role="group" aria-label={label}>
      {options.map(([id, text, href]) => (
        <Link
          key={id}
          href={href}
          aria-current={id === chosen || undefined}
          className={classes(css.option, id === chosen && css.on)}
        >
          {text}
        </Link>
      ))}
    </div>
  )
}
