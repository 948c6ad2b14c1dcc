import type { ReactNode } from 'react'

interface Props {
  isOn: boolean
  onChange: (isOn: boolean) => void
  isDisabled?: boolean
  className?: string | undefined
  /** Instead of what is beside it. */
  label?: string
  hint?: string
  children: ReactNode
}

/** A checkbox with its text. */
export function Check({ isOn, onChange, isDisabled, className, label, hint, children }: Props) {
  return (
    <label className={className} title={hint}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />{' '}
      {children}
    </label>
  )
}
