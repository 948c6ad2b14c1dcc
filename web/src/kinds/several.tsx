import type { ReactNode } from 'react'
import { words } from '../words/index.ts'
import css from './value.module.css'

interface Props<T> {
  items: readonly T[]
  room: number | undefined
  show: (item: T) => ReactNode
}

/** A name with what is around it, and "+1". */
const signWidth = (name: string) => name.length * 6.6 + 22
const moreWidth = 24

/** As many as fit, and how many more there are. Widths are estimated: measuring would slow scrolling down. */
export function Several<T extends { name: string }>({ items, room, show }: Props<T>) {
  const widths = items.map(({ name }) => signWidth(name))
  let used = 0
  const fitting = widths.filter((width, at) => {
    used += width
    return room === undefined || at === 0 || used + (at < items.length - 1 ? moreWidth : 0) <= room
  }).length
  const rest = items.slice(fitting)
  return (
    <span className={css.several}>
      {items.slice(0, fitting).map(show)}
      {rest.length > 0 && (
        <span className="note" title={rest.map(({ name }) => name).join(', ')}>
          {words.filter.more(rest.length)}
        </span>
      )}
    </span>
  )
}
