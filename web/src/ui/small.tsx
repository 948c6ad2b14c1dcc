// The smallest signs: a dot with a status, a tag, a skeleton.
import type { CSSProperties, ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './small.module.css'

/** Only plain colours get into a style. */
export const safeColour = (colour: string | undefined) =>
  colour && /^#[0-9a-f]{3,8}$/i.test(colour) ? colour : 'var(--ink-3)'

export function Dot({ colour }: { colour: string | undefined }) {
  return <i className={css.dot} style={{ background: safeColour(colour) }} aria-hidden="true" />
}

export function Stage({ name, colour }: { name: string; colour: string | undefined }) {
  return (
    <span className={css.stage}>
      <Dot colour={colour} />
      <span className={css.cut} dir="auto" title={name}>
        {name}
      </span>
    </span>
  )
}

export function TagSign({
  children,
  colour,
  onRemove,
}: {
  children: ReactNode
  colour?: string
  onRemove?: ReactNode
}) {
  return (
    <span className={css.tag}>
      {colour && <Dot colour={colour} />}
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
