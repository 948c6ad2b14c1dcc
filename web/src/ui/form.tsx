// A labeled input of a form, with its fault under it.
import { type ReactNode, useId } from 'react'
import css from './form.module.css'

interface Props {
  label: string
  value: string
  onValue: (value: string) => void
  fault?: string | undefined
  hint?: ReactNode
  /** Of the input. `long`: it has several lines. */
  type?: string
  autoComplete?: string
  inputMode?: 'text' | 'numeric' | 'decimal'
  /** A control that belongs to it, on its right. */
  beside?: ReactNode
  isFirst?: boolean
  isRequired?: boolean
}

export function Field({
  label,
  value,
  onValue,
  fault,
  hint,
  type = 'text',
  autoComplete = 'off',
  inputMode,
  beside,
  isFirst,
  isRequired,
}: Props) {
  const id = useId()
  const common = {
    ...{ id, value, autoComplete, inputMode, required: isRequired, autoFocus: isFirst },
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': fault || hint ? `${id}hint` : undefined,
    onChange: (event: { target: { value: string } }) => onValue(event.target.value),
  }
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {type === 'long' ? (
        <textarea {...common} rows={4} />
      ) : beside ? (
        <div className={css.two}>
          <input {...common} type={type} />
          {beside}
        </div>
      ) : (
        <input {...common} type={type} />
      )}
      {(fault || hint) && (
        <div
          id={`${id}hint`}
          className={fault ? css.fault : css.hint}
          role={fault ? 'alert' : undefined}
        >
          {fault || hint}
        </div>
      )}
    </div>
  )
}
