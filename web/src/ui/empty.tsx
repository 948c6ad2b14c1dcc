import type { ReactNode } from 'react'
import css from './empty.module.css'

/** In place of missing content: what it would be, and what to do next. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  icon?: ReactNode
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div className={css.empty}>
      {icon && <div className={css.icon}>{icon}</div>}
      <h2 className={css.title}>{title}</h2>
      {text && <p className={css.text}>{text}</p>}
      {children && <div className={css.actions}>{children}</div>}
    </div>
  )
}
