// The smallest signs: a dot with a status, a tag, a skeleton.
import type { CSSProperties, ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './small.module.css'

/** Only plain colors get into a style. */
const isColor = (color: string | undefined): color is string =>
  color !== undefined && /^#[0-9a-f]{3,8}$/i.test(color)

export const safeColor = (color: string | undefined) => (isColor(color) ? color : 'var(--ink-3)')

export function Dot({ color }: { color: string | undefined }) {
  return <i className={css.dot} style={{ background: safeColor(color) }} aria-hidden="true" />
}

interface StageProps {
  name: string
  color: string | undefined
  /** Where it is not clear which list the stage is of. */
  list?: string | undefined
  /** What a pointer says of it. */
  title?: string
}

export function Stage({ name, color, list, title = name }: StageProps) {
  return (
    <span className={css.stage}>
      <Dot color={color} />
      <span className="cut" dir="auto" title={title}>
        {name}
        {list && <Muted> {list}</Muted>}
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
    <span
      className={classes(css.tag, isColor(color) && css.tinted)}
      style={isColor(color) ? ({ '--tint': color } as CSSProperties) : undefined}
    >
      <span className="cut" dir="auto" title={typeof children === 'string' ? children : undefined}>
        {children}
      </span>
      {onRemove}
    </span>
  )
}

export function Skeleton({ width }: { width: number | string }) {
  return <span className={css.skeleton} style={{ width } as CSSProperties} />
}

/** What is still being loaded: a line for each width. */
export function Skeletons({
  widths,
  className,
}: {
  widths: string[]
  className?: string | undefined
}) {
  return (
    <div className={className ?? css.skeletons} aria-busy="true">
      {widths.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  )
}

/** Why something was refused, if it was. */
export function Refusal({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <p className={css.refusal} role="alert">
      {text}
    </p>
  )
}

export function Muted({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={classes('soft', className)}>{children}</span>
}
