// Attributes that an import creates: for the id in another system, for second values of a field, and,
// if requested, for unmatched columns. The type is inferred from all values of the column.
import type { AttributeType } from '@rapport/contract/attributes'
import { additionOf } from '@rapport/contract/attributes.values'
import {
  type ContactsField,
  contactsFields,
  type FieldSpec,
  leadFields,
} from '@rapport/contract/leads/fields'
import { maxName } from '@rapport/contract/shapes'
import type { Definitions } from '@rapport/contract/transfer.lines'
import type { Db } from '../../../../db/driver.ts'
import type { Author } from '../../../../feed/author.ts'
import { recordCreated, recordUpdated } from '../../../../feed/record.sql.ts'
import { newId } from '../../../../ids.ts'
import type { AttributeRow } from '../../../../references/attributes.ts'
import {
  deleteOptions,
  insertAttribute,
  insertOptions,
  lockAttribute,
  updateAttribute,
} from '../../../attributes/attributes.sql.ts'
import { toSlug } from '../../../attributes/slug.ts'
import { keepMade } from '../../../operations/store/made.sql.ts'
import { ImportError } from '../../file/errors.ts'
import { splitNames } from '../../file/names.ts'
import { isNoDate } from '../values/dates.ts'
import { loose, type ValueRules } from '../values/value-rules.ts'
import { moneyIn } from './attribute-names.ts'
import type { ColumnProfile } from './profile.ts'
import { requireRoomOfImport } from './room.ts'
import { foreignSlugs } from './systems.ts'

interface Kind {
  type: AttributeType
  currency?: string | undefined
  options?: string[]
}

/** In the description of attributes for values that do not fit in a field. */
const keptMark = 'More values of'
export const isKept = ({ description }: AttributeRow) => description.startsWith(keptMark)

export class AttributeMaker {
  readonly made: AttributeRow[] = []
  /** Attributes of the workspace that get more options. */
  readonly extended: AttributeRow[] = []
  readonly #known: AttributeRow[]
  readonly #byId: ReadonlyMap<string, AttributeRow>
  readonly #slugs: Set<string>
  /** Slugs that several want, and how many have one like it. */
  readonly #counts = new Map<string, number>()
  readonly #space: string
  readonly #time: string

  constructor({
    attributes,
    space,
    now,
  }: { attributes: AttributeRow[]; space: string; now: Date }) {
    this.#known = attributes
    this.#byId = new Map(attributes.map((row) => [row.id, row]))
    this.#slugs = new Set(attributes.map(({ slug }) => slug))
    this.#space = space
    this.#time = now.toISOString()
  }

  get all(): AttributeRow[] {
    return [...this.#known, ...this.made]
  }

  foreignId(id = { slug: 'foreign_id', name: 'Id in another system' }): AttributeRow {
    const known = this.all.find(({ slug, type }) => slug === id.slug && type === 'TEXT')
    if (known) return known
    return this.#make(id.name, { type: 'TEXT' }, 'Kept by imports', id.slug, new Set())
  }

  /** Undefined if the column is empty. */
  forColumn(
    header: string,
    profile: ColumnProfile,
    empties: string[] = [],
    label: string | undefined,
    type?: AttributeType,
  ): AttributeRow | undefined {
    if (isEmpty(profile, empties)) return undefined
    const slug = /^attributes?\s*[:.]\s*([\w-]+)$/i.exec(header)?.[1]
    const kind = kindAs(type, header, profile)
    const money = kind.type === 'NUMBER' && type === undefined ? moneyIn(header) : undefined
    if (money) return this.#make(money.name, { type: 'CURRENCY', currency: money.currency }, '')
    return this.#make(label ?? slug ?? header, kind, '', slug)
  }

  /** A select attribute gets the options that were asked for, and a choice for every one of these values. */
  extend(id: string, { rules }: ValueRules, distinct: ReadonlySet<string> = new Set()): void {
    const row = this.#byId.get(id)
    if (!row) return
    const said = [...rules.values()].filter(({ way }) => way === 'create').map(({ value }) => value)
    const values = row.is_multi ? [...distinct].flatMap((cell) => splitNames(cell)) : [...distinct]
    const wanted = [...said, ...values.filter((name) => !rules.has(loose(name)))]
    this.#extendBy(
      row,
      namesOf(new Set(wanted)).map((name) => ({ id: newId(), name, color: '' })),
    )
  }

  /** As our own export defines it, unless the workspace has it. Its options keep their ids, which rows may name. */
  define(definition: Definitions['attributes'][number], known: AttributeRow | undefined): void {
    const { type, name, slug, currency, description = '', select_options } = definition
    const options = [...new Map(select_options.map(toOption)).values()]
    if (known) {
      if (known.type === type) this.#extendBy(known, options)
      return
    }
    const row = this.#make(name, { type, currency }, description, slug, new Set())
    Object.assign(row, { is_multi: definition.isMultiSelect ?? false, options })
  }

  #extendBy(known: AttributeRow, wanted: AttributeRow['options']): void {
    if (additionOf(known.type) !== 'options') return
    const at = this.extended.findIndex(({ id }) => id === known.id)
    const row = this.extended[at] ?? known
    const names = new Set(row.options.flatMap((option) => [loose(option.name), option.id]))
    const missing = new Map<string, AttributeRow['options'][number]>()
    for (const option of wanted) {
      const isKnown = names.has(loose(option.name)) || names.has(option.id)
      if (!isKnown && !missing.has(loose(option.name))) missing.set(loose(option.name), option)
    }
    if (missing.size === 0) return
    const extended = { ...row, options: [...row.options, ...missing.values()] }
    if (at < 0) this.extended.push(extended)
    else this.extended[at] = extended
  }

  /** For values that do not fit in the field. `isWhole` means that whole cells go there. */
  forMore(header: string, profile: ColumnProfile, field: string, isWhole: boolean): AttributeRow {
    const { kind }: FieldSpec = leadFields[field as keyof typeof leadFields]
    let type: AttributeType = 'TEXT'
    if (kind === 'phone') type = 'PHONENUMBER'
    else if (kind === 'time') type = 'TIMESTAMP'
    else if (kind === 'amount' || kind === 'integer') type = profile.isNumber ? 'NUMBER' : 'TEXT'
    else if (field === 'email' && (profile.isEmail || !isWhole)) type = 'EMAIL'
    return this.#make(header, { type }, `${keptMark} ${field}, kept by an import`)
  }

  #make(
    name: string,
    { type, currency = '', options = [] }: Kind,
    description: string,
    slug?: string,
    reserved: ReadonlySet<string> = foreignSlugs,
  ): AttributeRow {
    const row: AttributeRow = {
      id: newId(),
      id_space: this.#space,
      ...{ type, name: name.trim().slice(0, maxName), description, currency },
      slug: this.#freeSlug(slug ?? toSlug(name), reserved),
      ...{ is_multi: false, is_system: false, version: 1 },
      ...{ created_at: this.#time, updated_at: this.#time },
      options: options.map((option) => ({ id: newId(), name: option, color: '' })),
    }
    this.made.push(row)
    return row
  }

  #freeSlug(wanted: string, reserved: ReadonlySet<string>): string {
    let slug = wanted
    let count = this.#counts.get(wanted) ?? 1
    while (this.#slugs.has(slug) || reserved.has(slug)) slug = `${wanted}_${++count}`
    this.#counts.set(wanted, count)
    this.#slugs.add(slug)
    return slug
  }
}

const looksRight = { email: /@/, phone: /(\d\D*){5}/ }

/** The list of further values of an email or a phone, if most values of the column are such. */
export function furtherField(name: string, profile: ColumnProfile): ContactsField | undefined {
  return contactsFields.find((list) => {
    const { of } = leadFields[list]
    return of === name && profile.shareOf(looksRight[of]) > 0.5
  })
}

/** By its id, which it can have only once. */
const toOption = ({ id, name, color }: AttributeRow['options'][number]) =>
  [id, { id, name, color }] as const

function isEmpty({ count, distinct }: ColumnProfile, empties: string[]): boolean {
  if (count === 0) return true
  return (
    distinct !== undefined &&
    [...distinct].every((text) => isNoDate(text) || empties.includes(text))
  )
}

/** Digits that are not a number: an id, a postal code. */
const isCode =
  /(^|[^\p{L}])(ids?|zip|plz|nr|no|number|code|codes|postal|postleitzahl|sic|naics)([^\p{L}]|$)|postal|postcode|postleitzahl|(^|[a-z])Id$/iu
const isPhone = /phone|fax|tel|mobil|handy/i

/** What the values of a column are. */
export function kindOf(header: string, profile: ColumnProfile): Kind {
  if (profile.isFlag) return { type: 'CHECKBOX' }
  if (profile.isEmail) return { type: 'EMAIL' }
  if (profile.isDate) return { type: profile.hasTimes ? 'TIMESTAMP' : 'DATE' }
  if (profile.isPhone && (isPhone.test(header) || profile.shareOf(/^'?\+/) > 0)) {
    return { type: 'PHONENUMBER' }
  }
  if (profile.isNumber && !isCode.test(header)) {
    const [currency, ...others] = profile.currencies
    if (currency !== undefined && others.length === 0 && !profile.hasBareNumbers) {
      return { type: 'CURRENCY', currency }
    }
    // Amounts in several currencies would lose their currency.
    if (profile.currencies.size === 0) return { type: 'NUMBER' }
    return { type: 'TEXT' }
  }
  if (profile.hasLines || profile.longest > 250) return { type: 'TEXTAREA' }
  const { distinct, count } = profile
  if (
    distinct &&
    distinct.size <= 20 &&
    distinct.size * 4 <= count &&
    !isCode.test(header) &&
    profile.longest <= 60
  ) {
    return { type: 'SELECT', options: namesOf(distinct) }
  }
  return { type: 'TEXT' }
}

/** The same if the type was given. */
function kindAs(type: AttributeType | undefined, header: string, profile: ColumnProfile): Kind {
  const found = kindOf(header, profile)
  if (type === undefined || type === found.type) return found
  if (additionOf(type) !== 'options') return { type }
  if (!profile.distinct) {
    throw new ImportError(`"${header}" has too many different values for a select attribute.`)
  }
  return { type, options: namesOf(profile.distinct) }
}

/** Names that differ only in case are one option. A longer text is not a name of an option. Its row is rejected. */
function namesOf(distinct: ReadonlySet<string>): string[] {
  const seen = new Set<string>()
  return [...distinct].filter(
    (name) => name.length <= maxName && !seen.has(loose(name)) && seen.add(loose(name)),
  )
}

/** Slugs that were taken in the meantime get a number. */
export async function saveAttributes(
  db: Db,
  by: Author,
  { toMake, toExtend }: { toMake: AttributeRow[]; toExtend: AttributeRow[] },
): Promise<void> {
  for (const row of toMake) {
    const wanted = row.slug
    for (let count = 2; !(await insertAttribute(db, row)); count++) row.slug = `${wanted}_${count}`
    if (row.options.length > 0) await insertOptions(db, row.id_space, row.id, row.options)
    await recordCreated(db, by, 'attribute', row)
  }
  await keepMade(db, by, [{ kind: 'attribute', ids: toMake.map(({ id }) => id) }])
  for (const { id, id_space, options } of toExtend) {
    // Options that were added or removed in the meantime stay that way.
    const before = await lockAttribute(db, id_space, id)
    if (!before) continue
    const known = new Set(before.options.map((option) => option.id))
    const added = options.filter((option) => !known.has(option.id))
    const ids = added.map((option) => option.id)
    await keepMade(db, by, [{ kind: 'option', attribute: id, ids }])
    await deleteOptions(db, id_space, id)
    await insertOptions(db, id_space, id, [...before.options, ...added])
    await updateAttribute(db, id_space, id, {}, by.now)
    await recordUpdated(db, by, 'attribute', before, {
      ...before,
      options: [...before.options, ...added],
    })
  }
  if (toMake.length + toExtend.length > 0) await requireRoomOfImport(db, by.space, 'attribute')
}
