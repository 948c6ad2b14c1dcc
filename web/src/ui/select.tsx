// One of a few or of many, as a field of a form.
import { classes } from './classes.ts'
import css from './form.module.css'
import { Pick } from './pick.tsx'

interface Props {
  label: string
  value: string
  options: readonly (readonly [id: string, label: string])[]
  onValue: (value: string) => void
  /** The label is for screen readers only. */
  isBare?: boolean
  isDisabled?: boolean
  goesOn?: boolean
  className?: string | undefined
}

export function Select({
  label,
  value,
  options,
  onValue,
  isBare,
  isDisabled,
  goesOn,
  className,
}: Props) {
  const pick = (
    <Pick
      label={label}
      options={options.map(([id, text]) => ({ id, label: text }))}
      chosen={value}
      onPick={onValue}
      isDisabled={isDisabled}
      goesOn={goesOn}
      className={isBare ? className : classes(css.control, className)}
    />
  )
  if (isBare) return pick
  return (
    <div className={css.field}>
      <span className={css.label} aria-hidden="true">
        {label}
      </span>
      {pick}
    </div>
  )
}
