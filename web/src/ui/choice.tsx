import type { ReactNode } from 'react'
import { Link } from 'wouter'
import css from './choice.module.css'
import { classes } from './classes.ts'

interface Props {
  label: string
  chosen: string
  options: [id: string, label: ReactNode, href: string][]
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

/** One of a few, where the address is not the state. */
export function Toggle<Id extends string>({
  label,
  chosen,
  options,
  onChoose,
}: {
  label: string
  chosen: Id
  options: readonly (readonly [id: Id, label: ReactNode])[]
  onChoose: (id: Id) => void
}) {
  return (
    <div className={css.choices} role="group" aria-label={label}>
      {options.map(([id, content]) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === chosen}
          className={classes(css.option, id === chosen && css.on)}
          onClick={() => onChoose(id)}
        >
          {content}
        </button>
      ))}
    </div>
  )
}
