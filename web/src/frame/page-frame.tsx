import type { ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import { MenuButton } from './menu-button.tsx'
import css from './page-frame.module.css'

/** A page with its heading, and what can be done next to it. */
export function PageFrame({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={classes(css.frame, css.page)}>
      <header className={classes(css.bar, css.header)}>
        <MenuButton />
        <h1>{title}</h1>
        {aside}
      </header>
      <div className={css.body}>{children}</div>
    </div>
  )
}
