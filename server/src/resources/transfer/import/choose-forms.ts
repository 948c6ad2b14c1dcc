// In which form the dates and numbers of each column stand: one form for a whole column, from all its
// values. Where they can be read in two ways, other columns of the file decide, or the caller.
import { leadFields } from '@rapport/contract/leads/fields'
import type { AttributeRow } from '../../references/attributes.ts'
import { ImportError } from '../file/errors.ts'
import type { Column, ColumnOptions, Surveyed } from './columns.ts'
import type { DateOrder } from './dates.ts'
import type { Decimal } from './numbers.ts'
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
    if (target.kind === 'attribute') return attributeForm(types.get(target.id))
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

function attributeForm(type: string | undefined): Form {
  if (type === 'DATE' || type === 'TIMESTAMP') return 'date'
  return type === 'NUMBER' || type === 'CURRENCY' ? 'number' : undefined
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
  const faults: string[] = []
  if (dates.length > 0) {
    faults.push(
      `Days and months cannot be told apart in ${shown(dates)}. Say which comes first: --dates dmy (day, month, year), --dates mdy (month, day, year) or --dates ymd.`,
    )
  }
  if (numbers.length > 0) {
    faults.push(
      `Points and commas can be read in two ways in ${shown(numbers)}. Say what stands before decimals: --decimal point (1,234.56) or --decimal comma (1.234,56).`,
    )
  }
  if (faults.length > 0) throw new ImportError(`${faults.join(' ')} Nothing was written.`)
}
