// Which column of a file is which field of a lead: by the mapping, by the system that the file comes
// from, by its name, and by what is in its cells.
import { type AttributeType, writtenTypes } from '@rapport/contract/attributes.values'
import { leadFields, maxContactLabel } from '@rapport/contract/leads/fields'
import { cellOf } from '../../../../attributes/types.ts'
import { Pace } from '../../../../pace.ts'
import type { AttributeRow } from '../../../../references/attributes.ts'
import { ImportError } from '../../file/errors.ts'
import { reasonColumn, signOf } from '../../file/names.ts'
import { signsBetween } from '../values/split-cells.ts'
import { loose } from '../values/value-rules.ts'
import { AttributeNames, isPrefixed } from './attribute-names.ts'
import { chooseForms } from './choose-forms.ts'
import {
  type Column,
  type ColumnOptions,
  label,
  type Mapping,
  type Surveyed,
  type Target,
} from './column.ts'
import {
  type Choice,
  correctByCells,
  correctNames,
  leaveOutTypes,
  oneOfEach,
} from './correct-columns.ts'
import { fieldNames, fieldOf, ownField, plain, typedBy } from './headers.ts'
import { AttributeMaker, furtherField, isKept, kindOf } from './make-attributes.ts'
import type { ColumnProfile } from './profile.ts'
import { foreignColumn, recognizeSystem } from './recognize-system.ts'
import { foreignSlugs, type System, saidBy } from './systems.ts'

/** A header of nothing but punctuation is compared as it is. */
const keyOf = (header: string) => plain(header) || header

const toTarget = ({ id, slug }: { id: string; slug: string }): Target => ({
  kind: 'attribute',
  id,
  slug,
})

/** A new attribute was requested. */
interface Wanted {
  kind: 'new'
  type: AttributeType | undefined
}

function readWanted(field: string): Wanted | undefined {
  if (field === 'new') return { kind: 'new', type: undefined }
  if (!field.startsWith('new:')) return undefined
  const name = field.slice('new:'.length)
  const type = writtenTypes.find((one) => one === name)
  if (!type) throw mapFault(`unknown type "${name}" for a new attribute.`)
  return { kind: 'new', type }
}

const mapFault = (text: string) => new ImportError((name) => `${name('map')}: ${text}`)

/** What the option `map` says about a column. */
function readSaid(field: string, names: AttributeNames): Target | Wanted {
  const wanted = readWanted(field)
  if (wanted) return wanted
  if (field === '-') return { kind: 'ignored', why: 'your mapping' }
  const attribute = names.prefixed(field)
  const called = names.find(field)
  const named = attribute
    ? toTarget(attribute)
    : (ownField(field) ?? (called && toTarget(called)) ?? fieldOf(field)?.known)
  if (!named || named.kind === 'attributes') {
    throw mapFault(
      `unknown field "${field}". Fields are ${fieldNames}, attribute:NAME, or - to ignore a column.`,
    )
  }
  return named
}

export async function matchColumns(surveyed: Surveyed[], options: ColumnOptions): Promise<Mapping> {
  const headers = surveyed.map(({ header }) => header)
  const pace = new Pace(options.signal)
  // Slow results are cached.
  await pace.map(headers, (header) => [fieldOf(header), typedBy(header)])
  const names = new AttributeNames(options.attributes)
  const said = readMap(options.map, headers, names)
  const system = recognizeSystem(surveyed)
  const maker = new AttributeMaker(options)
  if (system?.isOurs) {
    for (const definition of options.definitions?.attributes ?? []) {
      maker.define(definition, names.find(definition.slug))
    }
  }
  const idColumn = foreignColumn(surveyed, system)

  const seen = new Map<string, number>()
  const choose = ({ header, profile, known }: Surveyed, index: number): Choice => {
    const key = keyOf(header)
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    const base = { index, header, profile, rank: 0 }
    const mapped = said.get(index)
    if (mapped) {
      const decided = { ...base, why: 'your mapping', isSure: true }
      return mapped.kind === 'new'
        ? { ...decided, ...wantedTarget(mapped, header, nth, names) }
        : { ...decided, target: mapped }
    }
    if (header.trim() === '') {
      return { ...base, target: { kind: 'ignored', why: 'it has no name' }, why: '', isSure: true }
    }
    if (index === 0 && header === reasonColumn) {
      const why = 'it contains rejection reasons'
      return { ...base, target: { kind: 'ignored', why }, why, isSure: true }
    }
    if (known) return { ...base, target: known, why: 'its name', isSure: true }
    return { ...base, ...byName(header, nth, system, names) }
  }
  const choices = await pace.map(surveyed, choose)
  let foreignId: Mapping['foreignId']
  const foreign = idColumn === undefined ? undefined : choices[idColumn]
  if (foreign && foreign.why !== 'your mapping') {
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
  const context: Context = {
    ...{ system, maker, options, names },
    first: firstOfEach(choices),
    labels: labelsOf(choices),
  }
  const columns = await pace.map(choices, (choice) => finish(choice, context))
  chooseForms(columns, surveyed, options, maker.all)
  if (!options.mayAsk && columns.every(({ target }) => target.kind === 'ignored')) {
    throw new ImportError(
      (name) =>
        `No column was recognized: ${someOf(headers)}. Map them: ${name('map', 'Header=field')}, or keep them all: ${name('create_attributes', 'true')}.`,
    )
  }
  putRules(columns, surveyed, options, maker.all)
  for (const { index, target, values } of columns) {
    if (target.kind !== 'attribute' || !values) continue
    const isWanted =
      options.createAttributes || options.unknown === 'create' || choices[index]?.wanted
    maker.extend(target.id, values, isWanted ? surveyed[index]?.profile.distinct : undefined)
  }
  const made = { toMake: maker.made, toExtend: maker.extended }
  return { system, columns, ...made, ...(foreignId && { foreignId }) }
}

/** An import that continues finds the attribute that it made when it began. */
function wantedTarget(
  wanted: Wanted,
  header: string,
  nth: number,
  names: AttributeNames,
): Pick<Choice, 'target' | 'wanted'> {
  if (header.trim() === '') {
    throw mapFault('a column without a name cannot become a new attribute.')
  }
  const known = nth === 1 ? names.find(header) : names.nth(header, nth)
  const isSame = known && (wanted.type === undefined || known.type === wanted.type)
  return { wanted, target: isSame ? toTarget(known) : undefined }
}

/** The places of the columns with a name. #3 is the third one, whatever its header. */
function finderOf(headers: string[], option: 'map' | 'value'): (name: string) => number[] {
  let byKey: Map<string, number[]> | undefined
  const group = () => {
    const places = new Map<string, number[]>()
    for (const [index, header] of headers.entries()) {
      const same = places.get(keyOf(header))
      if (same) same.push(index)
      else places.set(keyOf(header), [index])
    }
    return places
  }
  return (name) => {
    byKey ??= group()
    const place = Number(/^#(\d+)$/.exec(name)?.[1] ?? Number.NaN) - 1
    const found = Number.isNaN(place)
      ? byKey.get(keyOf(name))
      : place in headers
        ? [place]
        : undefined
    if (found) return found
    throw new ImportError(
      (named) => `${named(option)}: the file has no column "${name}". It has: ${someOf(headers)}.`,
    )
  }
}

/** The mapping of each column. */
function readMap(map: ColumnOptions['map'], headers: string[], names: AttributeNames) {
  const said = new Map<number, Target | Wanted>()
  const placesOf = finderOf(headers, 'map')
  for (const [name, field] of map) {
    const target = readSaid(field, names)
    for (const index of placesOf(name)) said.set(index, target)
  }
  return said
}

/** Columns of names get the choices for their values. */
function putRules(
  columns: Column[],
  surveyed: Surveyed[],
  { values, unknown }: ColumnOptions,
  attributes: AttributeRow[],
): void {
  const selects = new Set(
    attributes.filter(({ type }) => cellOf(type) === 'options').map(({ id }) => id),
  )
  const distinctOf = ({ index }: Column) => surveyed[index]?.profile.distinct
  const lists = columns.filter(({ target }) => label(target) === 'lists').map(distinctOf)
  const [list] = lists.length === 1 && lists[0]?.size === 1 ? lists[0] : []
  for (const column of columns) {
    const { target } = column
    const isOfOptions = target.kind === 'attributes' || ('id' in target && selects.has(target.id))
    if (isOfOptions || label(target) === 'status') {
      column.values = { rules: new Map(), unknown, list, distinct: distinctOf(column) }
    }
  }
  const placesOf = finderOf(
    surveyed.map(({ header }) => header),
    'value',
  )
  for (const [header, rule] of values) {
    const found = placesOf(header).flatMap((index) => columns[index]?.values ?? [])
    if (found.length === 0) {
      throw new ImportError(
        (name) => `${name('value')}: the column "${header}" has no statuses or options.`,
      )
    }
    for (const { rules } of found) rules.set(loose(rule.value), rule)
  }
}

/** Names in an error. */
function someOf(headers: string[]): string {
  const some = headers.slice(0, 50).map(cut).join(', ')
  return headers.length > 50 ? `${some}, …` : some
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
    const why = 'other columns have the same data'
    return { target: { kind: 'ignored', why }, why, rank: 0, isSure: true }
  }
  const found = fieldOf(header) ?? (system?.prefix && fieldOf(header.replace(system.prefix, '')))
  const rank = found?.rank ?? 0
  if (bySystem && bySystem !== 'unknown') {
    return { target: bySystem, why: inSystem, rank, isSure: false }
  }
  const named = (nth > 1 && names.nth(header, nth)) || names.find(header)
  // A column with ids of something else is not the id of the lead, even if its name suggests it.
  const owned = named && foreignSlugs.has(named.slug) ? undefined : named
  if (bySystem === 'unknown') {
    const target = owned ? toTarget(owned) : undefined
    return { target, why: owned ? 'its name' : inSystem, rank, isSure: false }
  }
  if (found?.isOwn) return { target: found.known, why: 'its name', rank, isSure: true }
  // An attribute that an import created for a second value is no reason to skip the field.
  if (owned && !(found && isKept(owned))) {
    return { target: toTarget(owned), why: 'its name', rank: 0, isSure: true }
  }
  return { target: found?.known, why: 'its name', rank, isSure: false }
}

interface Context {
  system: System | undefined
  maker: AttributeMaker
  options: ColumnOptions
  names: AttributeNames
  /** The best column of each field. */
  first: ReadonlyMap<string, Choice>
  /** Names of columns that other columns contain. */
  labels: ReadonlyMap<string, string>
}

function finish(
  choice: Choice,
  { system, maker, options, names, first: firsts, labels }: Context,
): Column {
  const { index, header, profile, rank, why } = choice
  const type = profile.count > 0 ? kindOf(header, profile).type : undefined
  const column = { header, index, rank, samples: profile.samples.map(cut), type }
  const { target } = choice
  if (!target) {
    const { wanted } = choice
    // Our own exports name attributes, also those that only another workspace has.
    const made =
      wanted || options.createAttributes || system?.isOurs || isPrefixed(header)
        ? maker.forColumn(header, profile, system?.empty, labels.get(plain(header)), wanted?.type)
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
  const first = firsts.get(target.name)
  const isSecond = first !== choice
  if (profile.count === 0 || !(isSecond || hasSeveral(target.name, profile, system))) {
    return { ...column, target, why }
  }
  const said = isSecond ? `${why}; "${first?.header}" comes first` : why
  const field = furtherField(target.name, profile)
  if (field) {
    const label = header.replace(/ - value$/i, '').slice(0, maxContactLabel)
    return { ...column, target, why: said, more: { field, ...(isSecond && { label }) } }
  }
  const before = names.find(header)
  const { id, slug } =
    before && isKept(before) ? before : maker.forMore(header, profile, target.name, isSecond)
  return { ...column, target, why: said, more: { id, slug } }
}

function firstOfEach(choices: Choice[]): Map<string, Choice> {
  const first = new Map<string, Choice>()
  for (const choice of choices.toSorted((a, b) => a.rank - b.rank || a.index - b.index)) {
    const { target } = choice
    if (target?.kind === 'field' && !first.has(target.name)) first.set(target.name, choice)
  }
  return first
}

/** Whether cells hold more than the field takes. */
function hasSeveral(name: string, profile: ColumnProfile, system: System | undefined): boolean {
  const { kind } = leadFields[name as keyof typeof leadFields]
  if (kind === 'currency') return profile.shareOf(/^[A-Z]{3}$/) > 0
  if (kind !== 'text' && kind !== 'phone') return false
  return signsBetween(name, system?.between).some((sign) => profile.separators.has(sign))
}

/** "Custom Field 1 - Label" is the name of the value next to it, if it is the same in every row. */
function labelsOf(choices: Choice[]): Map<string, string> {
  const labels = new Map<string, string>()
  for (const { header, target, profile } of choices) {
    const base = target?.kind === 'ignored' ? typedBy(header) : undefined
    const [label] = profile.samples
    if (base === undefined || label === undefined || profile.distinct?.size !== 1) continue
    const name = plain(`${base} value`)
    if (!labels.has(name)) labels.set(name, label)
  }
  return labels
}

const cut = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
