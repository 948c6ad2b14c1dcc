// The format of the dates and numbers of each column: one format for a whole column, from all its
// values. Where they can be read in two ways, other columns of the file decide, or the caller.
import { leadFields } from '@rapport/contract/leads/fields'
import type { Decimal } from '@rapport/contract/numbers.values'
import { cellOf } from '../../../../attributes/types.ts'
import type { AttributeRow } from '../../../../references/attributes.ts'
import { ImportError } from '../../file/errors.ts'
import type { DateOrder } from '../values/dates.ts'
import { formOfCell } from '../values/read-values.ts'
import type { Column, ColumnOptions, Surveyed } from './column.ts'
import type { ColumnProfile } from './profile.ts'

type Form = 'date' | 'number' | undefined

export function chooseForms(
  columns: Column[],
  surveyed: Surveyed[],
  options: ColumnOptions,
  attributes: AttributeRow[],
): void {
  const profileOf = ({ index }: Column) => (surveyed[index] as Surveyed).profile
  const types = new Map(attributes.map(({ id, type }) => [id, type]))
  const formOf = (column: Column): Form => {
    const { target } = column
    if (target.kind === 'attribute') {
      const type = types.get(target.id)
      return type && formOfCell[cellOf(type)]
    }
    if (target.kind !== 'field') return undefined
    return fieldForm(leadFields[target.name].kind)
  }
  const used = columns.filter((column) => formOf(column) !== undefined)
  const fileOrder = only(surveyed.map(({ profile }) => profile.dates))
  const fileDecimal = only(surveyed.map(({ profile }) => profile.decimal))
  const unknownDates: Column[] = []
  const unknownNumbers: Column[] = []
  for (const column of used) {
    const { dates, decimal } = profileOf(column)
    if (formOf(column) === 'date') {
      column.zone = options.zone
      const order = options.dates ?? (dates === 'unknown' ? fileOrder : dates)
      if (dates === 'unknown' && !order) {
        column.ask = 'dates'
        unknownDates.push(column)
      } else column.dates = order as DateOrder | undefined
    } else {
      const sign = options.decimal ?? (decimal === 'unknown' ? fileDecimal : decimal)
      if (decimal === 'unknown' && !sign) {
        column.ask = 'decimal'
        unknownNumbers.push(column)
      } else column.decimal = sign as Decimal | undefined
    }
  }
  if (!options.mayAsk) requireForms(unknownDates, unknownNumbers, profileOf)
}

function fieldForm(kind: string): Form {
  if (kind === 'time') return 'date'
  return kind === 'integer' || kind === 'amount' ? 'number' : undefined
}

/** What all columns that say anything agree on. */
function only<T extends string>(found: (T | undefined)[]): T | undefined {
  const said = new Set(found.filter((form) => form !== undefined && form !== 'unknown'))
  return said.size === 1 ? [...said][0] : undefined
}

/** An error names some of them. */
const shownColumns = 10

function requireForms(
  dates: Column[],
  numbers: Column[],
  profileOf: (column: Column) => ColumnProfile,
): void {
  const shown = (columns: Column[]) =>
    columns
      .slice(0, shownColumns)
      .map((column) => `"${column.header}" (such as ${profileOf(column).samples.join(', ')})`)
      .join(' and ') + (columns.length > shownColumns ? ' and others' : '')
  if (dates.length + numbers.length === 0) return
  throw new ImportError((name) =>
    [
      dates.length > 0
        ? `Dates are ambiguous in ${shown(dates)}. Choose what comes first: ${name('dates', 'dmy')} (day, month, year), ${name('dates', 'mdy')} (month, day, year) or ${name('dates', 'ymd')}.`
        : [],
      numbers.length > 0
        ? `Numbers are ambiguous in ${shown(numbers)}. Choose the decimal separator: ${name('decimal', 'point')} (1,234.56) or ${name('decimal', 'comma')} (1.234,56).`
        : [],
      'Nothing was written.',
    ]
      .flat()
      .join(' '),
  )
}
