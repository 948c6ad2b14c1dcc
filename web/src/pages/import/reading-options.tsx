// How the file is read, for the case that it was not recognized correctly.
import { dateOrders, decimals, encodings, formatOfName } from '@rapport/contract/transfer.values'
import { Select } from '../../ui/select.tsx'
import { imports } from '../../words/imports.ts'
import css from './import.module.css'
import { type Choices, decide, recognize, useWizard } from './wizard.ts'

export function ReadingOptions() {
  const { found, file, choices } = useWizard()
  const isWorkbook = formatOfName(file?.name ?? '') === 'xlsx'
  const change = (next: Partial<Choices>) => {
    decide(next)
    void recognize()
  }
  const asFound: [string, string] = ['', imports.found]
  return (
    <details className={css.reading}>
      <summary>{imports.reading}</summary>
      <div className={css.row}>
        {!isWorkbook && (
          <Select
            label={imports.encoding}
            value={choices.encoding}
            options={[asFound, ...encodings.map((name): [string, string] => [name, name])]}
            onValue={(encoding) => change({ encoding: encoding as Choices['encoding'] })}
          />
        )}
        {!isWorkbook && found?.separator && (
          <Select
            label={imports.separator}
            value={choices.separator}
            options={[asFound, ...Object.entries(imports.separators)]}
            // The columns are others then.
            onValue={(separator) => change({ separator, fields: {} })}
          />
        )}
        <Select
          label={imports.dates}
          value={choices.dates}
          options={[
            asFound,
            ...dateOrders.map((id): [string, string] => [id, imports.dateOrders[id]]),
          ]}
          onValue={(dates) => decide({ dates: dates as Choices['dates'] })}
        />
        <Select
          label={imports.decimal}
          value={choices.decimal}
          options={[asFound, ...decimals.map((id): [string, string] => [id, imports.decimals[id]])]}
          onValue={(decimal) => decide({ decimal: decimal as Choices['decimal'] })}
        />
      </div>
    </details>
  )
}
