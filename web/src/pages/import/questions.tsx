// What the file leaves open: the order of days and months, the decimal separator.
import { imports } from '../../words/imports.ts'
import css from './import.module.css'
import { type Choices, decide, useWizard } from './wizard.ts'

export function Questions() {
  const { found, choices } = useWizard()
  const asking = (ask: 'dates' | 'decimal') =>
    found?.columns.filter((column) => column.ask === ask) ?? []
  const headers = (ask: 'dates' | 'decimal') =>
    asking(ask)
      .map(({ header, samples }) => `“${header}” (${samples.slice(0, 2).join(', ')})`)
      .join(', ')
  return (
    <>
      {asking('dates').length > 0 && (
        <Question
          legend={imports.askDates(headers('dates'))}
          name="dates"
          options={imports.dateOrders}
          chosen={choices.dates}
          onChoose={(dates) => decide({ dates: dates as Choices['dates'] })}
        />
      )}
      {asking('decimal').length > 0 && (
        <Question
          legend={imports.askDecimal(headers('decimal'))}
          name="decimal"
          options={imports.decimals}
          chosen={choices.decimal}
          onChoose={(decimal) => decide({ decimal: decimal as Choices['decimal'] })}
        />
      )}
    </>
  )
}

function Question({
  legend,
  name,
  options,
  chosen,
  onChoose,
}: {
  legend: string
  name: string
  options: Record<string, string>
  chosen: string
  onChoose: (id: string) => void
}) {
  return (
    <fieldset className={css.question}>
      <legend>{legend}</legend>
      {Object.entries(options).map(([id, label]) => (
        <label key={id}>
          <input type="radio" name={name} checked={chosen === id} onChange={() => onChoose(id)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
