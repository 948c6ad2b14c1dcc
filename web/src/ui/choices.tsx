import css from './choices.module.css'

export interface Choice<Id extends string> {
  id: Id
  label: string
  hint?: string
}

/** One of a few things, all of them visible. */
export function Choices<Id extends string>({
  label,
  choices,
  chosen,
  onChoose,
  isFirst,
}: {
  /** For screen readers only. */
  label: string
  choices: readonly Choice<Id>[]
  chosen: Id
  onChoose: (id: Id) => void
  isFirst?: boolean
}) {
  return (
    <fieldset className={css.choices}>
      <legend className="hidden">{label}</legend>
      {choices.map(({ id, label: text, hint }) => (
        <label key={id} className={css.choice}>
          <input
            type="radio"
            name={label}
            checked={chosen === id}
            autoFocus={isFirst && chosen === id}
            onChange={() => onChoose(id)}
          />
          <span>
            {text}
            {hint && <span className={css.hint}>{hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
