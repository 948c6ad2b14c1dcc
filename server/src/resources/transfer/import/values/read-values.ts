// What a cell of CSV, or a value of NDJSON, means for a field of a lead.

import { ApiError } from '@rapport/contract/errors'
import {
  type Contact,
  type ContactsField,
  type FieldSpec,
  leadFields,
  maxContact,
  maxContactLabel,
  maxContacts,
  type TransferField,
} from '@rapport/contract/leads/fields'
import { currencies, maxDecimals, readDecimal } from '@rapport/contract/money.values'
import { type Decimal, readNumber } from '@rapport/contract/numbers.values'
import { type Cell, cellOf } from '../../../../attributes/types.ts'
import { readValues } from '../../../../attributes/values.ts'
import { examineJson, unstorable } from '../../../../http/examine-json.ts'
import type { AttributeRow } from '../../../../references/attributes.ts'
import { timeAt } from '../../../../time-zone.ts'
import { columnType } from '../../../leads/row/columns.ts'
import { readContacts } from '../../../leads/search/contacts.ts'
import { contactIn } from '../../file/contacts.ts'
import { RowFault } from '../../file/errors.ts'
import { splitNames } from '../../file/names.ts'
import { type DateOrder, readDate } from './dates.ts'
import { signsBetween, splitCell } from './split-cells.ts'
import { loose, type ValueRules } from './value-rules.ts'

const yes = new Set([
  'true',
  'yes',
  'y',
  '1',
  't',
  'on',
  'x',
  'ja',
  'oui',
  'si',
  'sí',
  'wahr',
  'vrai',
])
const no = new Set(['false', 'no', 'n', '0', 'f', 'off', 'nein', 'non', 'falsch', 'faux'])

export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const word = String(value).trim().toLowerCase()
  return yes.has(word) ? true : no.has(word) ? false : undefined
}

/** The form of the dates and numbers in a column. */
export interface Forms {
  dates?: DateOrder | undefined
  decimal?: Decimal | undefined
  /** The time zone of dates and times that say none. */
  zone?: string | undefined
  values?: ValueRules | undefined
}

const maxInteger = 2_147_483_647

function wholeNumber(value: unknown, { decimal }: Forms): number | undefined {
  const number = readNumber(String(value), decimal)?.value
  return number !== undefined && Number.isInteger(number) && Math.abs(number) <= maxInteger
    ? number
    : undefined
}

/** Spreadsheets have more decimals than any currency. */
function amount(value: unknown, { decimal }: Forms): number | undefined {
  const number = readNumber(String(value), decimal)?.value
  if (number === undefined) return undefined
  return Number.isInteger(number)
    ? readDecimal(String(number), 0)
    : readDecimal(number.toFixed(maxDecimals), maxDecimals)
}

function time(value: unknown, { dates, zone = 'UTC' }: Forms): string | undefined {
  const date = readDate(String(value), dates)
  if (!date) return undefined
  const { day, time = `${day}T00:00:00.000Z`, isLocal } = date
  return isLocal ? timeAt(time, zone) : time
}

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  const { fault, isSuspicious } = examineJson(Buffer.from(text))
  if (fault) throw new RowFault(`JSON: ${fault.message}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const [bad] = isSuspicious ? unstorable(value) : []
  if (bad) throw new RowFault(bad.message)
  return value
}

const takes: Record<string, string> = {
  integer: 'a whole number',
  numeric: 'an amount such as 1,250.50, with up to 15 digits',
  boolean: 'true or false',
  timestamptz: 'a date-time such as 2026-01-31T09:30:00Z',
  jsonb: 'JSON',
  uuid: 'a UUID',
  text: 'text',
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The value of a plain field. `isText` says that it comes from a cell. Never called for null. */
export function readField(
  name: TransferField,
  value: unknown,
  isText: boolean,
  forms: Forms = {},
): unknown {
  const type = columnType(name)
  const read = plainValue(name, type, value, isText, forms)
  if (read === undefined) {
    const wanted = leadFields[name].kind === 'contacts' ? 'a list of values' : takes[type]
    throw new RowFault(`${name}: ${shown(value)} is not ${wanted}`)
  }
  return read
}

function plainValue(
  name: TransferField,
  type: string,
  value: unknown,
  isText: boolean,
  forms: Forms,
): unknown {
  const { of }: FieldSpec = leadFields[name]
  if (of) return contacts(of, value, isText)
  if (type === 'jsonb') return isText ? parseJson(String(value)) : value
  if (typeof value === 'object') return undefined
  switch (type) {
    case 'integer':
      return wholeNumber(value, forms)
    case 'numeric':
      return amount(value, forms)
    case 'boolean':
      return readFlag(value)
    case 'timestamptz':
      return time(value, forms)
    case 'uuid':
      return uuid.test(String(value).trim()) ? String(value).trim().toLowerCase() : undefined
  }
  if (typeof value === 'boolean') return undefined
  return leadFields[name].kind === 'currency' ? currency(String(value)) : String(value)
}

function contacts(of: 'email' | 'phone', value: unknown, isText: boolean): unknown {
  const text = String(value)
  const isList = typeof value === 'string' && !text.startsWith('[')
  const given = isList ? contactsIn(of, text) : isText ? parseJson(text) : value
  const isOne = (one: unknown) =>
    typeof one === 'string' ||
    (isObject(one) && typeof one.value === 'string' && isLabel(one.label))
  return Array.isArray(given) && given.every(isOne) ? readContacts(of, given) : undefined
}

/** Several in one cell. Files of other systems may use other separators. */
function contactsIn(of: 'email' | 'phone', cell: string): Contact[] {
  const texts = splitNames(cell, ';')
  const parts = texts.length > 1 ? texts : splitCell(of, cell, signsBetween(of, undefined))
  return parts.map(contactIn)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const isLabel = (label: unknown) =>
  label === undefined || label === null || typeof label === 'string'

/** How many a lead can have, and how long they can be. */
export function requireContacts(name: ContactsField, contacts: readonly Contact[]): void {
  const long = contacts.find(
    ({ value, label }) => value.length > maxContact || label.length > maxContactLabel,
  )
  if (long) throw new RowFault(`${name}: ${shown(long.value)} is too long`)
  if (contacts.length > maxContacts) {
    throw new RowFault(`${name}: a lead has up to ${maxContacts}`)
  }
}

function currency(text: string): string {
  const code = text.trim().toUpperCase()
  if (currencies.some((known) => known === code)) return code
  throw new RowFault(`contract_currency: ${shown(text)} is not the code of a currency`)
}

/** The value to store for an attribute. Undefined: it is left empty. Reports unknown options. */
export function readAttribute(
  definition: AttributeRow,
  value: unknown,
  isText: boolean,
  forms: Forms = {},
  onUnknown: (option: string) => void = () => {},
): unknown {
  const { id } = definition
  const typed = isText ? fromText(definition, String(value), forms) : value
  const named =
    cellOf(definition.type) === 'options'
      ? toOptionIds(definition, typed, forms.values, onUnknown)
      : typed
  if (named === undefined) return undefined
  try {
    return readValues([definition], { [id]: named }, []).values[id]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [issue] = error.issues
    throw new RowFault(`${issue?.message ?? `${definition.name} is invalid`}, not ${shown(value)}`)
  }
}

const longestList = 256 * 1024

/** What cannot be read stays text, and is refused later. */
const fromText = (definition: AttributeRow, text: string, forms: Forms): unknown =>
  cells[cellOf(definition.type)](text, forms, definition) ?? text

const cells: Record<Cell, (text: string, forms: Forms, definition: AttributeRow) => unknown> = {
  text: (text) => text,
  email: (text) => text,
  phone: withoutMark,
  number: (text, { decimal }) => readNumber(text, decimal)?.value,
  flag: readFlag,
  options: (text, _, { is_multi }) =>
    is_multi && text.length <= longestList ? splitNames(text) : text,
  place: (text) => (text.startsWith('{') ? parseJson(text) : text),
  day: (text, { dates }) => readDate(text, dates)?.day,
  time: (text, forms) => time(text, forms),
  lead: (text) => text.trim(),
}

/** The forms that the values of a column can have. */
export const formOfCell: Partial<Record<Cell, 'date' | 'number'>> = {
  number: 'number',
  day: 'date',
  time: 'date',
}

/** Some systems write an apostrophe, so that spreadsheets leave the number alone. */
export function withoutMark(cell: string): string {
  return cell.replace(/^'(?=[+\d(])/, '')
}

/** The options of an attribute by id, by name, and by what people write for it. */
const optionsOf = new WeakMap<AttributeRow, Map<string, string>[]>()

function optionMaps(row: AttributeRow): Map<string, string>[] {
  const known = optionsOf.get(row)
  if (known) return known
  // The first of several wins.
  const options = row.options.toReversed()
  const maps = [
    new Map(options.map(({ id }) => [id, id])),
    new Map(options.map(({ id, name }) => [name, id])),
    new Map(options.map(({ id, name }) => [name.trim().toLowerCase(), id])),
  ]
  optionsOf.set(row, maps)
  return maps
}

function toOptionIds(
  row: AttributeRow,
  value: unknown,
  values: ValueRules | undefined,
  onUnknown: (option: string) => void,
): unknown {
  const [byId, byName, byLoose] = optionMaps(row)
  const find = (text: string) =>
    byId?.get(text.toLowerCase()) ?? byName?.get(text) ?? byLoose?.get(loose(text))
  const toId = (item: unknown): unknown => {
    if (typeof item !== 'string') return item
    const rule = values?.rules.get(loose(item))
    const text = rule?.way === 'use' ? rule.to : item
    const isLeft = rule?.way === 'empty' || rule?.way === 'reject'
    const found = isLeft ? undefined : find(text)
    if (found) return found
    if (!rule) onUnknown(item)
    if ((rule?.way ?? values?.unknown) === 'empty') return undefined
    throw new RowFault(`${row.name} has no option ${shown(text)}`)
  }
  if (!Array.isArray(value)) return toId(value)
  const ids = value.map(toId).filter((id) => id !== undefined)
  return ids.length < value.length && ids.length === 0 ? undefined : ids
}

/** "Ada Byron" or "Byron, Ada". */
export function splitName(name: string): { first_name: string | null; last_name: string | null } {
  const text = name.trim()
  // No pattern with spaces before a comma: it takes quadratic time on a long row of spaces.
  const [last, first] = text.split(',', 2).map((part) => part.trim())
  if (first) return { first_name: first, last_name: last || null }
  const blank = text.search(/\s/)
  if (blank < 0) return { first_name: text || null, last_name: null }
  const rest = text.slice(blank).trim().replace(/\s+/g, ' ')
  return { first_name: text.slice(0, blank), last_name: rest }
}

export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`
}
