// Which column of a file is which field of a lead.
import {
  type FieldSpec,
  leadFields,
  type TransferField,
  transferFields,
} from '@rapport/contract/leads/fields'
import {
  leadRelations,
  type RelationSpec,
  type ToldRelation,
  toldRelations,
} from '@rapport/contract/leads/relations'
import { fold } from '../../../filter/fold.ts'
import type { AttributeRow } from '../../references/attributes.ts'
import { ImportError } from '../file/errors.ts'

export type Target =
  | { kind: 'field'; name: TransferField }
  /** First and last name in one. */
  | { kind: 'name' }
  | { kind: 'relation'; name: ToldRelation }
  | { kind: 'attribute'; id: string; slug: string }
  /** Of NDJSON: an object with a value for each attribute. */
  | { kind: 'attributes' }
  | { kind: 'ignored'; why: string }

/** First and last name in one are no field of a lead, but a column of many files. */
const nameAliases = 'full name, contact name, lead name, person, contact, display name'

export interface Column {
  header: string
  target: Target
}

/** What other systems call our fields, as `plain` leaves it. */
const aliases = new Map(
  [
    ...transferFields.map((name): [string, FieldSpec] => [name, leadFields[name]]),
    ...toldRelations.map((name): [string, RelationSpec] => [name, leadRelations[name]]),
    ['name', { aliases: nameAliases }] as const,
  ].flatMap(([field, { aliases = '' }]) =>
    aliases.split(', ').map((alias): [string, string] => [plain(alias), field]),
  ),
)

const own = new Map<string, Target>([
  ...transferFields.map((name): [string, Target] => [plain(name), { kind: 'field', name }]),
  ...toldRelations.map((name): [string, Target] => [name, { kind: 'relation', name }]),
  ['name', { kind: 'name' }],
  ['attributes', { kind: 'attributes' }],
])

/** Without case, blanks, punctuation and accents. */
function plain(header: string): string {
  return fold(header).replace(/[^\p{L}\p{N}]/gu, '')
}

/** A header of nothing but punctuation is compared as it is. */
const key = (header: string) => plain(header) || header

const attributePrefix = /^attributes?\s*[:.]\s*/i

export interface ColumnOptions {
  attributes: AttributeRow[]
  /** Headers and what was said about them. */
  map: [header: string, field: string][]
}

export class ColumnMatcher {
  readonly #attributes: AttributeRow[]
  readonly #map: Map<string, Target>
  readonly #wanted: Map<string, string>

  constructor({ attributes, map }: ColumnOptions) {
    this.#attributes = attributes
    this.#map = new Map(map.map(([header, field]) => [key(header), this.#said(field)]))
    this.#wanted = new Map(map.map(([header]) => [key(header), header]))
  }

  get attributeIds(): string[] {
    return this.#attributes.map(({ id }) => id)
  }

  match(header: string): Target {
    const said = this.#map.get(key(header))
    if (said) {
      this.#wanted.delete(key(header))
      return said
    }
    if (header.trim() === '') return { kind: 'ignored', why: 'it has no name' }
    return this.#find(header) ?? { kind: 'ignored', why: 'no field has this name' }
  }

  /** Headers that were spoken of and are not there. */
  get unused(): string[] {
    return [...this.#wanted.values()]
  }

  #find(header: string): Target | undefined {
    if (attributePrefix.test(header)) return this.#attribute(header.replace(attributePrefix, ''))
    const name = plain(header)
    const alias = aliases.get(name)
    return own.get(name) ?? this.#attribute(header) ?? (alias ? own.get(plain(alias)) : undefined)
  }

  #attribute(name: string): Target | undefined {
    const by = (test: (row: AttributeRow) => boolean) => this.#attributes.find(test)
    const found =
      by(({ slug }) => slug === name) ??
      by(({ id }) => id === name.toLowerCase()) ??
      by((row) => row.name === name) ??
      by((row) => plain(row.name) !== '' && plain(row.name) === plain(name))
    return found && { kind: 'attribute', id: found.id, slug: found.slug }
  }

  #said(field: string): Target {
    if (field === '-') return { kind: 'ignored', why: 'as you said' }
    const target = this.#find(field)
    if (!target || target.kind === 'attributes') {
      throw new ImportError(
        `map: there is no field "${field}". Fields are ${fieldNames}, attribute:NAME, or - to ignore a column.`,
      )
    }
    return target
  }
}

const fieldNames = [...transferFields, ...toldRelations, 'name'].join(', ')

/** The columns of a CSV file. */
export function matchHeader(matcher: ColumnMatcher, header: string[]): Column[] {
  const taken = new Map<string, string>()
  const columns = header.map((name): Column => {
    const target = matcher.match(name)
    const single = label(target)
    if (target.kind === 'ignored' || target.kind === 'relation') return { header: name, target }
    const first = taken.get(single)
    if (first !== undefined) {
      const why = `"${first}" is ${single} already`
      return { header: name, target: { kind: 'ignored', why } }
    }
    taken.set(single, name)
    return { header: name, target }
  })
  if (matcher.unused.length > 0) {
    throw new ImportError(
      `map: the file has no column "${matcher.unused.join('", "')}". It has: ${header.join(', ')}.`,
    )
  }
  if (columns.every(({ target }) => target.kind === 'ignored')) {
    throw new ImportError(
      `No column is known: ${header.join(', ')}. Say what they are: map 'Header=field'.`,
    )
  }
  return columns
}

/** As people write it: first_name, attribute:budget, tags. */
export function label(target: Target): string {
  switch (target.kind) {
    case 'attribute':
      return `attribute:${target.slug}`
    case 'ignored':
      return '-'
    case 'field':
    case 'relation':
      return target.name
    default:
      return target.kind
  }
}
