// One row of a file as what it says about a lead.
import type { ToldRelation } from '@rapport/contract/leads/relations'
import { columnType } from '../../leads/leads.columns.ts'
import type { AttributeRow } from '../../references/attributes.ts'
import { RowFault } from '../file/errors.ts'
import { splitNames } from '../file/names.ts'
import type { Source, SourceRow } from '../file/row-source.ts'
import type { Column, ColumnMatcher, Target } from './match-columns.ts'
import { parseJson, readAttribute, readField, shown, splitName } from './read-values.ts'

/** How a row names a record: by id or name; of NDJSON perhaps by both. */
export interface Name {
  id?: string | undefined
  name: string
  /** Of a status: the name of its list, null for none. */
  list?: string | null | undefined
}

export interface Draft {
  row: SourceRow
  /** Fields and values; null clears. */
  fields: Record<string, unknown>
  /** Attribute id → value; null clears. */
  attributes: Record<string, unknown>
  names: Record<ToldRelation, Name[]>
}

export type Attributes = ReadonlyMap<string, AttributeRow>

function emptyDraft(row: SourceRow): Draft {
  return { row, fields: {}, attributes: {}, names: { lists: [], status: [], tags: [], owners: [] } }
}

/** Undefined for a row without anything in it. */
export function readCsvRow(
  source: Source,
  row: SourceRow,
  columns: Column[],
  attributes: Attributes,
): Draft | undefined {
  if (row.fault) throw new RowFault(row.fault)
  const { cells } = row
  if (cells.every((cell) => cell === '')) return undefined
  requireWidth(cells, columns.length)
  if (row.raw.includes('\0')) throw new RowFault('Holds a NUL character, which cannot be stored')
  const draft = emptyDraft(row)
  let isEmpty = true
  columns.forEach(({ header, target }, index) => {
    const raw = cells[index] ?? ''
    if (raw === '' || target.kind === 'ignored') return
    const cell = source.decode(raw)
    if (cell === undefined) {
      throw new RowFault(`${header}: not valid UTF-8 (is the file in another encoding?)`)
    }
    if (cell.trim() === '' && !takesText(target, attributes)) return
    isEmpty = false
    put(draft, target, cell, true, attributes)
  })
  if (isEmpty) throw new RowFault('Nothing is in the columns that are imported')
  return draft
}

/** Blanks are a value of a text, and no value of anything else. */
function takesText(target: Target, attributes: Attributes): boolean {
  if (target.kind === 'field') return columnType(target.name) === 'text'
  const type = target.kind === 'attribute' ? attributes.get(target.id)?.type : undefined
  return type === 'TEXT' || type === 'TEXTAREA' || type === 'PHONENUMBER'
}

function requireWidth(cells: string[], width: number): void {
  if (cells.length < width || cells.slice(width).some((cell) => cell !== '')) {
    throw new RowFault(`Has ${cells.length} cells where the header has ${width}`)
  }
}

export function readJsonRow(
  source: Source,
  row: SourceRow,
  columnOf: (key: string) => Target,
  matcher: ColumnMatcher,
  attributes: Attributes,
): Draft {
  if (row.fault) throw new RowFault(row.fault)
  const object = parse(source.decode(row.raw))
  const draft = emptyDraft(row)
  let isEmpty = true
  for (const [key, value] of Object.entries(object)) {
    const target = columnOf(key)
    if (target.kind === 'ignored') continue
    isEmpty = false
    if (target.kind !== 'attributes') put(draft, target, value, false, attributes)
    else readAttributes(draft, value, matcher, attributes)
  }
  if (isEmpty) throw new RowFault('Has none of the fields that are imported')
  return draft
}

function parse(line: string | undefined): object {
  if (line === undefined) throw new RowFault('Not valid UTF-8')
  const value = parseJson(line)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new RowFault('Not a JSON object')
}

function readAttributes(
  draft: Draft,
  value: unknown,
  matcher: ColumnMatcher,
  attributes: Attributes,
): void {
  if (typeof value !== 'object' || value === null) throw new RowFault('attributes: not an object')
  for (const [key, item] of Object.entries(value)) {
    const target = matcher.match(`attribute:${key}`)
    if (target.kind !== 'attribute') throw new RowFault(`There is no attribute ${shown(key)}`)
    put(draft, target, item, false, attributes)
  }
}

function put(
  draft: Draft,
  target: Target,
  value: unknown,
  isText: boolean,
  attributes: Attributes,
): void {
  switch (target.kind) {
    case 'field':
      draft.fields[target.name] = value === null ? null : readField(target.name, value, isText)
      break
    case 'name':
      // Names of their own say more.
      draft.fields = { ...splitName(String(value ?? '')), ...draft.fields }
      break
    case 'relation':
      draft.names[target.name].push(...readNames(target.name, value))
      break
    case 'attribute': {
      const definition = attributes.get(target.id)
      // Deleted since the import began.
      if (!definition) throw new RowFault(`There is no attribute ${target.slug} any more`)
      draft.attributes[target.id] = value === null ? null : readAttribute(definition, value, isText)
    }
  }
}

function readNames(field: ToldRelation, value: unknown): Name[] {
  if (value === null) return []
  if (typeof value === 'string') return splitNames(value).map((name) => ({ name }))
  return [value].flat().map((item): Name => {
    if (typeof item === 'string' && item.trim() !== '') return { name: item }
    const { id, name, email, list } = (item ?? {}) as Record<string, unknown>
    const called = field === 'owners' ? email : name
    if (typeof called !== 'string' || called.trim() === '') {
      throw new RowFault(`${field}: ${shown(item)} names nothing`)
    }
    return {
      id: typeof id === 'string' ? id : undefined,
      name: called,
      list: typeof list === 'string' || list === null ? list : undefined,
    }
  })
}
