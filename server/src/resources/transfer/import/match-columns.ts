// Which column of a file is which field of a lead: by what was said, by the system that the file comes
// from, by its name, and by what stands in its cells.
import { leadFields } from '@rapport/contract/leads/fields'
import type { AttributeRow } from '../../references/attributes.ts'
import { ImportError } from '../file/errors.ts'
import { signOf } from '../file/names.ts'
import { chooseForms } from './choose-forms.ts'
import type { DateOrder } from './dates.ts'
import { fieldNames, fieldOf, type Known, ownField, plain, typedBy } from './headers.ts'
import { AttributeMaker, isKept } from './make-attributes.ts'
import type { Decimal } from './numbers.ts'
import type { ColumnProfile } from './profile.ts'
import { signsBetween } from './split-cells.ts'
import { foreignIdColumn, foreignSlugs, recognise, type System, saidBy } from './systems.ts'

export type Target =
  | Known
  | { kind: 'attribute'; id: string; slug: string }
  | { kind: 'ignored'; why: string }

export interface Column {
  header: string
  /** Where its cell stands in a row. */
  index: number
  target: Target
  /** What the target was chosen by, for people. */
  why: string
  samples: string[]
  /** Of several columns for one field, the one with the lowest rank counts first. */
  rank: number
  /** The attribute for values that the field has no room for. */
  more?: { id: string; slug: string }
  /** Of dates and numbers in it. */
  dates?: DateOrder | undefined
  decimal?: Decimal | undefined
  /** What stands between several values of one cell. */
  between?: string | undefined
}

export interface Mapping {
  system: System | undefined
  columns: Column[]
  /** Attributes that the workspace does not have yet. */
  toMake: AttributeRow[]
  /** Attributes of the workspace with the options that are missing. */
  toExtend: AttributeRow[]
  /** The attribute with the id in the other system, when the file has one. */
  foreignId?: { id: string; slug: string }
}

export interface Surveyed {
  header: string
  profile: ColumnProfile
}

export interface ColumnOptions {
  attributes: AttributeRow[]
  /** Headers and what was said about them. */
  map: [header: string, field: string][]
  createAttributes: boolean
  dates: DateOrder | undefined
  decimal: Decimal | undefined
  space: string
  now: Date
}

/** A header of nothing but punctuation is compared as it is. */
const keyOf = (header: string) => plain(header) || header

/** The first column of a file of rejected rows. */
export const reasonColumn = 'reason'

const attributePrefix = /^attributes?\s*[:.]\s*/i

/** Attributes are found by what they are called. */
export class AttributeNames {
  readonly #attributes: AttributeRow[]

  constructor(attributes: AttributeRow[]) {
    this.#attributes = attributes
  }

  get ids(): string[] {
    return this.#attributes.map(({ id }) => id)
  }

  /** `attribute:NAME`. */
  prefixed(header: string): AttributeRow | undefined {
    return attributePrefix.test(header) ? this.find(header.replace(attributePrefix, '')) : undefined
  }

  find(name: string): AttributeRow | undefined {
    const by = (test: (row: AttributeRow) => boolean) => this.#attributes.find(test)
    return (
      by(({ slug }) => slug === name) ??
      by(({ id }) => id === name.toLowerCase()) ??
      by((row) => row.name === name) ??
      by((row) => plain(row.name) !== '' && plain(row.name) === plain(name))
    )
  }
}

const toTarget = ({ id, slug }: { id: string; slug: string }): Target => ({
  kind: 'attribute',
  id,
  slug,
})

/** What --map says of a column. */
function readSaid(field: string, names: AttributeNames): Target {
  if (field === '-') return { kind: 'ignored', why: 'as you said' }
  const attribute = names.prefixed(field)
  const named = attribute
    ? toTarget(attribute)
    : (ownField(field) ?? attributeNamed(field, names) ?? fieldOf(field)?.known)
  if (!named || named.kind === 'attributes') {
    throw new ImportError(
      `--map: there is no field "${field}". Fields are ${fieldNames}, attribute:NAME, or - to ignore a column.`,
    )
  }
  return named
}

function attributeNamed(field: string, names: AttributeNames): Target | undefined {
  const attribute = names.find(field)
  return attribute && toTarget(attribute)
}

/** A column as it is being decided about. */
interface Choice {
  index: number
  header: string
  profile: ColumnProfile
  target: Target | undefined
  why: string
  rank: number
  /** Said, or called by the field's own name: what stands in the cells changes nothing. */
  isSure: boolean
}

export function matchColumns(surveyed: Surveyed[], options: ColumnOptions): Mapping {
  const headers = surveyed.map(({ header }) => header)
  const names = new AttributeNames(options.attributes)
  const said = new Map(options.map.map(([name, field]) => [keyOf(name), readSaid(field, names)]))
  requireColumns(options.map, headers)
  const system = recogniseSystem(surveyed)
  const maker = new AttributeMaker(options)
  const idColumn = foreignColumn(surveyed, system)

  const seen = new Map<string, number>()
  const choices = surveyed.map(({ header, profile }, index): Choice => {
    const key = keyOf(header)
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    const base = { index, header, profile, rank: 0 }
    const mapped = said.get(key)
    if (mapped) return { ...base, target: mapped, why: 'as you said', isSure: true }
    if (header.trim() === '') {
      return { ...base, target: { kind: 'ignored', why: 'it has no name' }, why: '', isSure: true }
    }
    if (index === 0 && header === reasonColumn) {
      const why = 'it says why rows were rejected'
      return { ...base, target: { kind: 'ignored', why }, why, isSure: true }
    }
    return { ...base, ...byName(header, nth, system, names) }
  })
  let foreignId: Mapping['foreignId']
  const foreign = idColumn === undefined ? undefined : choices[idColumn]
  if (foreign && foreign.why !== 'as you said') {
    const attribute = maker.foreignId(system?.id)
    foreignId = { id: attribute.id, slug: attribute.slug }
    Object.assign(foreign, { target: toTarget(attribute), isSure: true, rank: 0 })
    foreign.why = system?.id ? `the id in ${system.name}` : 'the id in another system'
  }
  if (!system?.isOurs) {
    correctByCells(choices)
    correctNames(choices)
  }
  leaveOutTypes(choices, headers)
  oneOfEach(choices)
  const columns = choices.map((choice) => finish(choice, choices, system, maker, options, names))
  chooseForms(columns, surveyed, options, maker.all)
  if (columns.every(({ target }) => target.kind === 'ignored')) {
    throw new ImportError(
      `No column is known: ${headers.join(', ')}. Say what they are: --map 'Header=field', or keep them all: --create-attributes.`,
    )
  }
  if (options.createAttributes) {
    for (const { index, target } of columns) {
      if (target.kind === 'attribute')
        maker.extend(target.id, (surveyed[index] as Surveyed).profile)
    }
  }
  const made = { toMake: maker.made, toExtend: maker.extended }
  return { system, columns, ...made, ...(foreignId && { foreignId }) }
}

function requireColumns(map: ColumnOptions['map'], headers: string[]): void {
  const there = new Set(headers.map(keyOf))
  const missing = map.filter(([name]) => !there.has(keyOf(name))).map(([name]) => name)
  if (missing.length > 0) {
    throw new ImportError(
      `--map: the file has no column "${missing.join('", "')}". It has: ${headers.join(', ')}.`,
    )
  }
}

function recogniseSystem(surveyed: Surveyed[]): System | undefined {
  const fields = new Set(
    surveyed.flatMap(({ header }) => {
      const known = fieldOf(header)?.known
      return known?.kind === 'field' ? [known.name as string] : []
    }),
  )
  // In some languages the first name is called a name.
  if (fields.has('last_name')) fields.add('first_name')
  const headers = surveyed.map(({ header }) => header)
  return recognise({
    headers,
    hasField: (name) => fields.has(name),
    isIdColumn(system) {
      const profile = surveyed[foreignIdColumn(system, headers) ?? -1]?.profile
      return system.cells !== undefined && (profile?.shareOf(system.cells) ?? 0) > 0.9
    },
    hasCells: (test) => surveyed.some(({ profile }) => profile.shareOf(test) > 0.9),
  })
}

const idNames = new Set(['id', 'recordid', 'leadid', 'contactid', 'personid', 'externalid', 'uuid'])

/** The column with the id that the row has in another system. */
function foreignColumn(surveyed: Surveyed[], system: System | undefined): number | undefined {
  if (system?.isOurs) return undefined
  const headers = surveyed.map(({ header }) => header)
  if (system?.id) {
    const { cells } = system
    const byCells = cells ? surveyed.findIndex(({ profile }) => profile.shareOf(cells) > 0.9) : -1
    const byName = foreignIdColumn(system, headers)
    if (byName !== undefined) return byName
    if (byCells >= 0) return byCells
    // In a language that is not known here: the first column, when it is called an id.
    return !cells && /(^|[^\p{L}])id([^\p{L}]|$)/iu.test(headers[0] ?? '') ? 0 : undefined
  }
  if (system) return undefined
  const index = headers.findIndex((header) => idNames.has(plain(header)))
  const profile = surveyed[index]?.profile
  if (!profile || profile.count === 0) return undefined
  // Our own ids are UUIDs in a column that is called id.
  return plain(headers[index] ?? '') === 'id' && profile.share('uuid') > 0 ? undefined : index
}

function byName(
  header: string,
  nth: number,
  system: System | undefined,
  names: AttributeNames,
): Pick<Choice, 'target' | 'why' | 'rank' | 'isSure'> {
  const attribute = names.prefixed(header)
  if (attribute) return { target: toTarget(attribute), why: 'its name', rank: 0, isSure: true }
  const bySystem = system && saidBy(system, header, nth)
  const inSystem = `its name in ${system?.name}`
  if (bySystem === 'dropped') {
    const why = 'other columns say the same'
    return { target: { kind: 'ignored', why }, why, rank: 0, isSure: true }
  }
  const found = fieldOf(header) ?? (system?.prefix && fieldOf(header.replace(system.prefix, '')))
  const rank = found?.rank ?? 0
  if (bySystem && bySystem !== 'unknown') {
    return { target: bySystem, why: inSystem, rank, isSure: false }
  }
  const named = names.find(header)
  // A column of ids of something else is no id of the lead, though it is called like one.
  const owned = named && foreignSlugs.has(named.slug) ? undefined : named
  if (bySystem === 'unknown') {
    const target = owned ? toTarget(owned) : undefined
    return { target, why: owned ? 'its name' : inSystem, rank, isSure: false }
  }
  if (found?.isOwn) return { target: found.known, why: 'its name', rank, isSure: true }
  // An attribute that an import made for a second value is no reason to leave out the field.
  if (owned && !(found && isKept(owned))) {
    return { target: toTarget(owned), why: 'its name', rank: 0, isSure: true }
  }
  return { target: found?.known, why: 'its name', rank, isSure: false }
}

const isField = (target: Target | undefined, ...fields: string[]) =>
  target?.kind === 'field' && fields.includes(target.name)

/** What stands in the cells decides where a name does not, and where it says something else. */
function correctByCells(choices: Choice[]): void {
  for (const choice of choices) {
    const { profile, target, isSure } = choice
    if (isSure || profile.count === 0) continue
    const open = target === undefined || isField(target, 'website_url', 'linkedin_url')
    const take = (name: 'linkedin_url' | 'linkedin_company_url' | 'email' | 'phone') => {
      choice.target = { kind: 'field', name }
      choice.why = 'what stands in it'
    }
    const hasNone = (name: string) => !choices.some((other) => isField(other.target, name))
    if (open && profile.share('person') > 0.9) take('linkedin_url')
    else if (open && profile.share('company') > 0.9) take('linkedin_company_url')
    else if (!target && profile.share('email') > 0.9 && hasNone('email')) take('email')
    else if (!target && profile.share('phone') > 0.9 && hasNone('phone')) {
      if (!/fax/i.test(choice.header)) take('phone')
    } else if (
      (isField(target, 'website_url') && profile.share('url') < 0.5) ||
      (isField(target, 'avatar_url') && profile.shareOf(/^https?:/i) < 0.5) ||
      (isField(target, 'company_role') && profile.share('honorific') > 0.8)
    ) {
      choice.target = undefined
    }
  }
}

/** "Name" beside a last name is the first name; a first name of several words, alone, is the whole. */
function correctNames(choices: Choice[]): void {
  const find = (test: (target: Target) => boolean) =>
    choices.find(({ target }) => target !== undefined && test(target))
  const first = find((target) => isField(target, 'first_name'))
  const last = find((target) => isField(target, 'last_name'))
  const whole = find(({ kind }) => kind === 'name')
  if (last && whole && !first && whole.profile.wordy < 0.5) {
    whole.target = { kind: 'field', name: 'first_name' }
  }
  if (first && !last && !whole && !first.isSure && first.profile.wordy > 0.5) {
    first.target = { kind: 'name' }
  }
}

/** "E-mail 1 - Type" tells nothing of the lead. */
function leaveOutTypes(choices: Choice[], headers: string[]): void {
  for (const choice of choices) {
    if (choice.target || choice.isSure || (choice.profile.distinct?.size ?? 9) > 8) continue
    const base = typedBy(choice.header)
    if (base === undefined) continue
    const others = headers.filter((header) => header !== choice.header)
    if (others.some((header) => plain(header).startsWith(plain(base)))) {
      choice.target = { kind: 'ignored', why: 'it only says what kind of value another is' }
    }
  }
}

/** A lead's owner and status stand in one column: the best one. */
function oneOfEach(choices: Choice[]): void {
  for (const name of ['owners', 'status'] as const) {
    const found = choices
      .filter(({ target }) => target?.kind === 'relation' && target.name === name)
      .sort((a, b) => a.rank - b.rank)
    for (const other of found.slice(1)) if (!other.isSure) other.target = undefined
  }
}

function finish(
  choice: Choice,
  choices: Choice[],
  system: System | undefined,
  maker: AttributeMaker,
  options: ColumnOptions,
  names: AttributeNames,
): Column {
  const { index, header, profile, rank, why } = choice
  const column = { header, index, rank, samples: profile.samples.map(cut) }
  const { target } = choice
  if (!target) {
    const empties = system?.empty?.split(', ') ?? []
    const made = options.createAttributes
      ? maker.forColumn(header, profile, empties, labelOf(choice, choices))
      : undefined
    if (made) return { ...column, target: toTarget(made), why: 'a new attribute' }
    const nothing = profile.count === 0 ? 'it is empty' : 'no field has this name'
    return { ...column, target: { kind: 'ignored', why: nothing }, why: nothing }
  }
  if (target.kind === 'ignored') return { ...column, target, why: target.why }
  if (target.kind === 'relation') {
    const occurs = (sign: string) =>
      profile.separators.has(sign) || (sign === '\n' && profile.hasLines)
    return { ...column, target, why, between: signOf(occurs) }
  }
  if (system?.isOurs || target.kind !== 'field') return { ...column, target, why }
  const first = firstOf(target.name, choices)
  const isSecond = first !== choice
  if (profile.count === 0 || !(isSecond || hasSeveral(target.name, profile, system))) {
    return { ...column, target, why }
  }
  const before = names.find(header)
  const more =
    before && isKept(before) ? before : maker.forMore(header, profile, target.name, isSecond)
  return {
    ...column,
    target,
    why: isSecond ? `${why}; "${first?.header}" comes first` : why,
    more: { id: more.id, slug: more.slug },
  }
}

function firstOf(name: string, choices: Choice[]): Choice | undefined {
  return choices
    .filter(({ target }) => isField(target, name))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)[0]
}

/** Whether cells hold more than the field takes. */
function hasSeveral(name: string, profile: ColumnProfile, system: System | undefined): boolean {
  const { kind } = leadFields[name as keyof typeof leadFields]
  if (kind === 'amount') return profile.decimal !== undefined
  if (kind === 'currency') return profile.shareOf(/^[A-Z]{3}$/) > 0
  if (kind !== 'text' && kind !== 'phone') return false
  return signsBetween(name, system?.between).some((sign) => profile.separators.has(sign))
}

/** "Custom Field 1 - Label" names the value beside it, when it is the same in every row. */
function labelOf({ header }: Choice, choices: Choice[]): string | undefined {
  const label = choices.find((other) => {
    const base = other.target?.kind === 'ignored' ? typedBy(other.header) : undefined
    if (base === undefined || other.profile.distinct?.size !== 1) return false
    return plain(`${base} value`) === plain(header)
  })
  return label?.profile.samples[0]
}

const cut = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

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
