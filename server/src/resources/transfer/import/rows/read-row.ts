// One row of a file as what it says about a lead.
import {
  type Contact,
  type ContactsField,
  contactsFields,
  type FieldSpec,
  leadFields,
  type TransferField,
} from '@rapport/contract/leads/fields'
import {
  leadRelations,
  perRelation,
  type ToldRelation,
  toldRelations,
} from '@rapport/contract/leads/relations'
import { currencies } from '@rapport/contract/money.values'
import { readNumber } from '@rapport/contract/numbers.values'
import type { Definitions, NoteLine, ReminderLine } from '@rapport/contract/transfer.lines'
import { cellOf } from '../../../../attributes/types.ts'
import type { AttributeRow } from '../../../../references/attributes.ts'
import { limitInBytes } from '../../../../words.ts'
import { columnType } from '../../../leads/row/columns.ts'
import { RowFault } from '../../file/errors.ts'
import { splitNames, withoutSystemLabels } from '../../file/names.ts'
import type { SourceRow } from '../../file/row-source.ts'
import type { Column, Surveyed, Target } from '../columns/column.ts'
import type { System } from '../columns/systems.ts'
import { isNoDate } from '../values/dates.ts'
import { formOfCell, readAttribute, readField, shown, withoutMark } from '../values/read-values.ts'
import { signsBetween, splitCell } from '../values/split-cells.ts'
import { readNotes, readReminders } from './read-records.ts'
import type { UnknownValues } from './unknown-values.ts'

/** How a row names a record: by id or name, in NDJSON possibly by both. */
export interface Name {
  /** Of a status: where it was said. */
  column?: Column
  id?: string | undefined
  name: string
  /** For an owner: the separate names, in case the whole text is not one. */
  parts?: string[]
  /** Of a status: the name of its list, null for none. */
  list?: string | null | undefined
}

export interface Draft {
  row: SourceRow
  /** Fields and values; null clears. */
  fields: Record<string, unknown>
  /** Attribute id → value; null clears. */
  attributes: Record<string, unknown>
  /** Emails and phones in addition to those of the fields. They are added to those of the lead. */
  further: Further
  names: Record<ToldRelation, Name[]>
  notes: NoteLine[]
  reminders: ReminderLine[]
}

export type Further = Partial<Record<ContactsField, Contact[]>>

export type Attributes = ReadonlyMap<string, AttributeRow>

/** Undefined for a row without anything in it. */
export type ReadRow = (row: SourceRow, records: Records) => Draft | undefined

/** What the values of a row are compared with. */
export interface Records {
  attributes: Attributes
  unknown: UnknownValues
}

/** What the first reading of a file finds. */
export interface Found {
  columns: Surveyed[]
  /** The last row of data: lines of text may follow. */
  lastRow: number
  /** Lines of text before the header and after the rows. */
  otherLines: number
  rows: number
  /** Of our own export: what its leads need. */
  definitions?: Definitions | undefined
  /** Between cells. */
  separator: string | undefined
}

/** Where values are collected, with the faults found so far. */
export interface Reading extends Records {
  draft: Draft
  system: System | undefined
  faults: string[]
  /** The name of the person in one, for rows without first and last name. */
  fullName?: string
  /** The currency next to an amount. */
  currency?: string | undefined
}

export function startReading(
  row: SourceRow,
  { attributes, unknown }: Records,
  system: System | undefined,
): Reading {
  const names = perRelation(toldRelations, (): Name[] => [])
  return {
    draft: { row, fields: {}, attributes: {}, further: {}, names, notes: [], reminders: [] },
    ...{ attributes, unknown, system },
    faults: [],
  }
}

/** A row may have several problems: all of them are reported. */
export function collect(reading: Reading, put: () => void): void {
  try {
    put()
  } catch (error) {
    addFault(reading, error)
  }
}

export function addFault({ faults }: Reading, error: unknown): void {
  if (!(error instanceof RowFault)) throw error
  faults.push(...error.reasons)
}

/** Blanks are a value for text, but for nothing else. */
export function isBlank(cell: string, target: Target, attributes: Attributes): boolean {
  if (cell.trim() !== '') return false
  if (target.kind === 'field') return columnType(target.name) !== 'text'
  const type = target.kind === 'attribute' ? attributes.get(target.id)?.type : undefined
  const kind = type && cellOf(type)
  return kind !== 'text' && kind !== 'phone'
}

/** A value that already has its type. */
export function putTyped(
  reading: Reading,
  column: Column,
  value: unknown,
  target: Target = column.target,
): void {
  const { draft } = reading
  switch (target.kind) {
    case 'field':
      putRead(
        reading,
        target.name,
        value === null ? null : readField(target.name, value, false, { zone: column.zone }),
      )
      break
    case 'name':
      reading.fullName = String(value ?? '')
      break
    case 'relation':
      putNames(draft, target.name, column, readNames(target.name, value))
      break
    case 'notes':
      draft.notes.push(...readNotes(value))
      break
    case 'reminders':
      draft.reminders.push(...readReminders(value))
      break
    case 'attribute':
      if (value === null) draft.attributes[target.id] = null
      else putValue(reading, column, definitionOf(reading, target), value, false)
  }
}

/** Only our own files have all emails and phones of a lead. Those of other files are added to the existing ones. */
function putRead({ draft, system }: Reading, name: TransferField, value: unknown): void {
  const list = contactsFields.find((field) => field === name)
  if (list && value !== null && !system?.isOurs) putFurther(draft, list, value as Contact[])
  else draft.fields[name] = value
}

function putFurther({ further }: Draft, field: ContactsField, contacts: Contact[]): void {
  if (contacts.length > 0) further[field] = [...(further[field] ?? []), ...contacts]
}

/** What was said about its column decides whether a status is known. */
function putNames({ names }: Draft, relation: ToldRelation, column: Column, found: Name[]): void {
  for (const name of found) names[relation].push(relation === 'status' ? { ...name, column } : name)
}

function putValue(
  { draft, unknown }: Reading,
  column: Column,
  definition: AttributeRow,
  value: unknown,
  isText: boolean,
): void {
  const read = readAttribute(
    definition,
    value,
    isText,
    isText ? column : { values: column.values },
    (option) => unknown.add(column, option),
  )
  if (read !== undefined) draft.attributes[definition.id] = read
}

function definitionOf({ attributes }: Reading, { id, slug }: { id: string; slug: string }) {
  const definition = attributes.get(id)
  // Deleted since the import began.
  if (!definition) throw new RowFault(`The attribute ${slug} no longer exists`)
  return definition
}

/** The text of a cell. */
export function putText(reading: Reading, column: Column, cell: string): void {
  const { draft, system } = reading
  const { target } = column
  switch (target.kind) {
    case 'field':
      if (system?.isOurs)
        draft.fields[target.name] = readField(target.name, cell, true, { zone: column.zone })
      else putField(reading, column, target.name, cell)
      break
    case 'name':
      reading.fullName ??= splitCell('name', cell, signsBetween('name', system?.between))[0] ?? ''
      break
    case 'relation':
      putNames(draft, target.name, column, namesIn(target.name, cell, column.between))
      break
    case 'notes':
      draft.notes.push({ content: cell.replaceAll('\r\n', '\n') })
      break
    case 'attribute':
      if (system?.empty?.includes(cell)) break
      putAttribute(reading, column, target, cell)
  }
}

function putAttribute(
  reading: Reading,
  column: Column,
  target: { id: string; slug: string },
  cell: string,
): void {
  const definition = definitionOf(reading, target)
  if (formOfCell[cellOf(definition.type)] === 'date' && isNoDate(cell)) return
  putValue(reading, column, definition, cell, true)
}

function putField(reading: Reading, column: Column, name: TransferField, cell: string): void {
  const { fields } = reading.draft
  const { kind }: FieldSpec = leadFields[name]
  if (kind === 'text' || kind === 'phone') putTexts(reading, column, name, cell)
  else if (kind === 'contacts') putRead(reading, name, readField(name, cell, true))
  else if (kind === 'time' && isNoDate(cell)) return
  else if (fields[name] !== undefined) keep(reading, column, cell)
  else if (kind === 'amount') putAmount(reading, column, name, cell)
  // A currency that the service does not know is no reason to refuse the lead.
  else if (kind === 'currency' && /^[A-Z]{3}$/.test(cell) && column.more && !isCurrency(cell)) {
    keep(reading, column, cell)
  } else fields[name] = readField(name, cell, true, column)
}

/** The first value goes into the field, the others become additional ones or go into an attribute. */
function putTexts(reading: Reading, column: Column, name: TransferField, cell: string): void {
  const { fields } = reading.draft
  const text = name === 'phone' ? withoutMark(cell) : cell
  const { more } = column
  // If there is no place for more, every cell has one value.
  if (!more) {
    fields[name] ??= text
    return
  }
  const values = splitCell(name, text, signsBetween(name, reading.system?.between))
  if ('field' in more) {
    const { field, label } = more
    // One of a second column is the first one only if the lead has none.
    if (label === undefined) fields[name] ??= values.shift()
    const contacts = values.map((value) => ({ value, label: label ?? '' }))
    putFurther(reading.draft, field, contacts)
  } else {
    fields[name] ??= values.shift()
    keep(reading, column, values.filter((value) => value !== fields[name]).join(', '))
  }
}

function putAmount(reading: Reading, column: Column, name: TransferField, cell: string): void {
  const amount = readNumber(cell, column.decimal)
  reading.currency ??= amount?.currency || undefined
  reading.draft.fields[name] = readField(name, cell, true, column)
}

const isCurrency = (code: string) => currencies.some((known) => known === code)

/** What the field has no room for. */
function keep(reading: Reading, column: Column, text: string): void {
  const { more } = column
  if (text !== '' && more && 'id' in more) putAttribute(reading, column, more, text)
}

/** No lead has more tags or lists, and splitting a text that is not a list of names takes a long time. */
const maxNames = 1_000
const maxNamesLength = 256 * 1024

const isOfMembers = (field: ToldRelation) => leadRelations[field].record === 'member'

const tooManyNames = (field: ToldRelation) =>
  new RowFault(
    `${field}: a row may name up to ${maxNames.toLocaleString('en')}, with up to ${limitInBytes(maxNamesLength)}`,
  )

function namesIn(field: ToldRelation, cell: string, between: string | undefined): Name[] {
  if (cell.length > maxNamesLength) throw tooManyNames(field)
  if (isOfMembers(field)) return [{ name: cell, parts: splitNames(cell, between) }]
  // A cell has only one status, and some names contain a comma.
  const sign = field === 'status' && (between ?? ',') === ',' ? ';' : between
  const names = splitNames(cell, sign)
  if (names.length > maxNames) throw tooManyNames(field)
  return (field === 'tags' ? withoutSystemLabels(names) : names).map((name) => ({ name }))
}

function readNames(field: ToldRelation, value: unknown): Name[] {
  if (value === null) return []
  if (typeof value === 'string') return namesIn(field, value, undefined)
  const items = [value].flat()
  if (items.length > maxNames) throw tooManyNames(field)
  return items.map((item): Name => {
    if (typeof item === 'string' && item.trim() !== '') return { name: item }
    const { id, name, email, list } = (item ?? {}) as Record<string, unknown>
    const called = isOfMembers(field) ? email : name
    if (typeof called !== 'string' || called.trim() === '') {
      throw new RowFault(`${field}: ${shown(item)} is not a name or id`)
    }
    return {
      id: typeof id === 'string' ? id : undefined,
      name: called,
      list: typeof list === 'string' || list === null ? list : undefined,
    }
  })
}
