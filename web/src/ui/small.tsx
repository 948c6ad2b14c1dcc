// The smallest signs: a dot with a status, a tag, a skeleton.
import type { CSSProperties, ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './small.module.css'

/** Only plain colors get into a style. */
export const safeColor = (color: string | undefined) =>
  color && /^#[0-9a-f]{3,8}$/i.test(color) ? color : 'var(--ink-3)'

export function Dot({ color }: { color: string | undefined }) {
  return <i className={css.dot} style={{ background: safeColor(color) }} aria-hidden="true" />
}

export function Stage({ name, color }: { name: string; color: string | undefined }) {
  return (
    <span className={css.stage}>
      <Dot color={color} />
      <span className={css.cut} dir="auto" title={name}>
        {name}
      </span>
    </span>
  )
}

export function TagSign({
  children,
  color,
  onRemove,
}: {
  children: ReactNode
  color?: string
  onRemove?: ReactNode
}) {
  return (
    <span className={css.tag}>
      {color && <Dot color={color} />}
      <span
        className={css.cut}
        dir="auto"
        title={typeof children === 'string' ? children : undefined}
      >
        {children}
      </span>
      {onRemove}
    </span>
  )
}

export function Skeleton({ width }: { width: number | string }) {
  return <span className={css.skeleton} style={{ width } as CSSProperties} />
}

export function Muted({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={classes(css.muted, className)}>{children}</span>
}
