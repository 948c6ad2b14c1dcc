// Leads as CSV or NDJSON, batch by batch: in the form that an import reads.

import { badRequest, type Issue } from '@rapport/contract/errors'
import {
  type Contact,
  type FieldKind,
  leadFields,
  nameColumn,
  type TransferField,
  transferFields,
} from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import {
  leadRelations,
  perRelation,
  type ToldRelation,
  toldRelations,
} from '@rapport/contract/leads/relations'
import type { Currency } from '@rapport/contract/money.values'
import type { Format } from '@rapport/contract/transfer'
import type { Definitions } from '@rapport/contract/transfer.lines'
import { cellOf } from '../../../attributes/types.ts'
import type { Pool } from '../../../db/driver.ts'
import type { Scope } from '../../../filter/compile.ts'
import { type AttributeRow, selectAttributes } from '../../../references/attributes.ts'
import { leadCondition } from '../../leads/list/filter.ts'
import { oldestFirst, selectAllIds } from '../../leads/list/list.sql.ts'
import { readOrderBy } from '../../leads/list/order.ts'
import { selectLists } from '../../lists/lists.sql.ts'
import { selectStatuses } from '../../status/status.sql.ts'
import { selectTags } from '../../tags/tags.sql.ts'
import { contactsCell } from '../file/contacts.ts'
import { csvLine } from '../file/csv.ts'
import { guard } from '../file/guard.ts'
import { joinNames, statusMark } from '../file/names.ts'
import { HeaderLabels } from '../import/columns/header-labels.ts'
import { type ExportedLead, selectForExport, selectRecordsForExport } from './export.sql.ts'

const batch = 1000

export interface Export {
  /** How many leads the filter selects. */
  total: number
  chunks(onProgress?: (done: number) => void): AsyncGenerator<string>
}

export interface ExportOptions {
  filter: LeadFilter
  format: Format
  /** Fields of leads; oldest first when there are none. */
  orderBy?: { field: string; type?: 'asc' | 'desc' }[]
  /** Fields, relations and ids of attributes. Everything when absent. */
  columns?: string[]
  /** Cells that a spreadsheet would run stay as they are. */
  raw?: boolean
  /** CSV for people: headers that they know, and a byte order mark for spreadsheets. */
  labels?: boolean
}

const byteOrderMark = '\ufeff'

export async function exportLeads(
  pool: Pool,
  { space, now }: Scope,
  { filter, format, orderBy = [], columns, raw = false, labels = false }: ExportOptions,
): Promise<Export> {
  const wanted = await readOrderBy(pool, space, orderBy, filter, ['orderBy'])
  const writer = await createWriter(pool, space, labels, columns)
  const condition = await leadCondition(pool, { space, now }, filter, ['filter'])
  const order = orderBy.length > 0 ? wanted : oldestFirst
  const ids = await selectAllIds(pool, { space, condition, order })

  const toLine = (cells: string[]) => `${csvLine(raw ? cells : cells.map(guard))}\r\n`

  /** Everything that an import elsewhere needs. */
  const isWhole = format === 'ndjson' && !columns

  async function* chunks(onProgress?: (done: number) => void): AsyncGenerator<string> {
    if (format === 'csv')
      yield labels ? byteOrderMark + toLine(writer.labels) : toLine(writer.header)
    let done = 0
    for (const some of ids.batches(batch)) {
      const leads = await selectForExport(pool, space, some)
      const recordsOf = isWhole ? await selectRecordsForExport(pool, space, some) : undefined
      const lines = leads.map((lead, index) => {
        if (format === 'csv') return toLine(writer.cells(lead))
        const isFirst = isWhole && done + index === 0
        return `${JSON.stringify({
          ...writer.object(lead),
          ...recordsOf?.(lead.id as string),
          ...(isFirst && { definitions: writer.definitions }),
        })}\n`
      })
      if (lines.length > 0) yield lines.join('')
      done += some.length
      onProgress?.(done)
    }
  }
  return { total: ids.count, chunks }
}

/** One column of the CSV file, and the same value in a line of NDJSON. */
interface Column {
  header: string
  /** The name that people use, if an import recognizes it. */
  label: string | undefined
  cell(lead: ExportedLead): string
  write(lead: ExportedLead, into: Record<string, unknown>): void
}

async function createWriter(pool: Pool, space: string, isForPeople: boolean, wanted?: string[]) {
  const [attributes, lists, statuses, tags] = await Promise.all([
    selectAttributes(pool, space),
    selectLists(pool, space),
    selectStatuses(pool, space),
    selectTags(pool, space),
  ])
  const listName = new Map(lists.map(({ id, name }) => [id, name]))
  const relations = relationColumns(listName, repeated(statuses.map(({ name }) => name)))
  const labels = new HeaderLabels(attributes)
  const all = [
    ...transferFields.map((name) => [name, fieldColumn(name, labels)] as const),
    ...toldRelations.map((name) => [name, relations[name]] as const),
    ...attributes.map((row) => [row.id, attributeColumn(row, labels)] as const),
  ]
  const columns = wanted
    ? choose(wanted, new Map<string, Column>(all), isForPeople)
    : all.map(([, one]) => one)
  return {
    header: columns.map(({ header }) => header),
    labels: columns.map(({ header, label = header }) => label),
    cells: (lead: ExportedLead) => columns.map(({ cell }) => cell(lead)),
    object(lead: ExportedLead) {
      const line: Record<string, unknown> = {}
      for (const { write } of columns) write(lead, line)
      if (!wanted) line.attributes ??= {}
      return line
    },
    get definitions(): Definitions {
      return {
        attributes: attributes.map(toDefinition),
        lists: lists.map(({ name, emoji, description, color, auto_status }) => ({
          ...{ name, emoji, description, color, auto_status },
        })),
        status: statuses.map(({ name, color, success_rate, type, id_list }) => ({
          ...{ name, color, success_rate, type, list: listName.get(id_list ?? '') ?? null },
        })),
        tags: tags.map(({ name, color }) => ({ name, color })),
      }
    },
  }
}

function toDefinition(row: AttributeRow): Definitions['attributes'][number] {
  const { type, name, slug, description, is_multi, options } = row
  const currency = row.currency as Currency | ''
  const about = { type, name, slug, description, currency }
  return { ...about, isMultiSelect: is_multi, select_options: options }
}

/** The requested columns. A lead's name combines several, and so does a value for people. */
function choose(
  wanted: string[],
  known: ReadonlyMap<string, Column>,
  isForPeople: boolean,
): Column[] {
  const parts: Record<string, string[]> = {
    [nameColumn]: ['first_name', 'last_name', 'company'],
    ...(isForPeople && { contract_value: ['contract_value', 'contract_currency'] }),
  }
  const faults = wanted.flatMap((name, index): Issue[] =>
    Object.hasOwn(parts, name) || known.has(name)
      ? []
      : [{ path: ['columns', index], code: 'unknown_field', message: 'Unknown column' }],
  )
  if (faults.length > 0) throw badRequest(faults)
  const names = new Set(wanted.flatMap((name) => parts[name] ?? [name]))
  return [...names].map((name) => known.get(name) as Column)
}

/** How a value is written, if it is not plain text. */
const cellOfKind: Partial<Record<FieldKind, (value: unknown) => string>> = {
  json: JSON.stringify,
  contacts: (value) => contactsCell(value as Contact[]),
}

function fieldColumn(name: TransferField, labels: HeaderLabels): Column {
  const text = cellOfKind[leadFields[name].kind] ?? String
  return {
    header: name,
    label: labels.ofField(leadFields[name].label),
    cell: (lead) => (lead[name] === null ? '' : text(lead[name])),
    write: (lead, into) => {
      into[name] = lead[name]
    },
  }
}

function relationColumns(
  listName: ReadonlyMap<string, string>,
  shared: ReadonlySet<string>,
): Record<ToldRelation, Column> {
  /** With its list, because another list may have a status of the same name. */
  const statusName = ({ name, id_list }: ExportedLead['status'][number]) => {
    if (id_list) return `${listName.get(id_list) ?? ''}${statusMark}${name}`
    return shared.has(name) ? `${statusMark.trimStart()}${name}` : name
  }
  type Told = ExportedLead[ToldRelation][number]
  const nameOf = (record: Told) => {
    if ('id_list' in record) return statusName(record)
    return 'email' in record ? record.email : record.name
  }
  const toObject = (record: Told) => ({
    ...{ id: record.id, name: record.name },
    ...('email' in record && { email: record.email }),
    ...('id_list' in record && { list: listName.get(record.id_list) ?? null }),
  })
  return perRelation(toldRelations, (name) => ({
    header: name,
    label: leadRelations[name].label,
    cell: (lead) => joinNames(lead[name].map(nameOf)),
    write: (lead, into) => {
      into[name] = lead[name].map(toObject)
    },
  }))
}

function attributeColumn(row: AttributeRow, labels: HeaderLabels): Column {
  const toName = optionNamer(row)
  return {
    header: `attribute:${row.slug}`,
    label: labels.ofAttribute(row),
    cell: ({ attributes }) => attributeCell(row, toName(attributes[row.id])),
    write: ({ attributes }, into) => {
      const value = attributes[row.id]
      if (value === undefined) return
      into.attributes = { ...(into.attributes as object), [row.slug]: toName(value) }
    },
  }
}

/** Options are exported by name: their ids mean nothing elsewhere. One whose name is not unique keeps its id. */
function optionNamer({ type, options }: AttributeRow): (value: unknown) => unknown {
  if (cellOf(type) !== 'options') return (value) => value
  const shared = repeated(options.map(({ name }) => name.trim().toLowerCase()))
  const names = new Map(
    options.map(({ id, name }) => [id, shared.has(name.trim().toLowerCase()) ? id : name]),
  )
  const toName = (id: unknown) => names.get(id as string) ?? id
  return (value) => (Array.isArray(value) ? value.map(toName) : toName(value))
}

function attributeCell({ type, is_multi }: AttributeRow, value: unknown): string {
  if (value === undefined || value === null) return ''
  const kind = cellOf(type)
  if (kind === 'options' && is_multi) return joinNames([value].flat() as string[])
  if (kind !== 'place') return String(value)
  const { address, ...place } = value as { address?: string }
  const isPlain = Object.keys(place).length === 0 && address?.trim() && !address.startsWith('{')
  return isPlain ? (address as string) : JSON.stringify(value)
}

function repeated(names: string[]): Set<string> {
  const seen = new Set<string>()
  return new Set(names.filter((name) => seen.has(name) || !seen.add(name)))
}
