// Which column of a file is which field of a lead.
import { fold } from '../../filter/fold.ts'
import type { AttributeRow } from '../attributes/attributes.sql.ts'
import { integerFields, textFields } from '../leads/leads.fields.ts'
import { ImportError } from './errors.ts'

/** The plain fields that travel: written by an export, read by an import. */
export const plainFields = [
  'id',
  'created_at',
  'updated_at',
  ...textFields,
  'id_twitter_company',
  'id_twitter',
  ...integerFields,
  'order',
  'is_company',
  'is_contract',
  'is_draft',
  'is_tracked',
  'ai_enabled',
  'ai_enabled_at',
  'last_interaction_at',
  'custom_fields',
] as const

export type PlainField = (typeof plainFields)[number]

export const relationFields = ['lists', 'status', 'tags', 'owners'] as const
export type RelationField = (typeof relationFields)[number]

export type Target =
  | { kind: 'field'; name: PlainField }
  /** First and last name in one. */
  | { kind: 'name' }
  | { kind: 'relation'; name: RelationField }
  | { kind: 'attribute'; id: string; slug: string }
  /** Of NDJSON: an object with a value for each attribute. */
  | { kind: 'attributes' }
  | { kind: 'ignored'; why: string }

export interface Column {
  header: string
  target: Target
}

/** What other systems call our fields, as `plain` leaves it. */
const aliases = new Map(
  Object.entries({
    id: 'lead id, contact id, record id, uuid',
    first_name: 'given name, forename, vorname, prenom, nombre',
    last_name: 'surname, family name, nachname, nom, apellido, apellidos',
    name: 'full name, contact name, lead name, person, contact, display name',
    email:
      'e-mail, email address, e-mail address, mail, work email, business email, primary email, email 1, e-mail 1 value, courriel, correo',
    phone:
      'phone number, telephone, telephone number, tel, mobile, mobile phone, mobile number, cell, cell phone, work phone, business phone, primary phone, phone 1, phone 1 value, telefon, telefono, handy',
    company:
      'company name, organization, organisation, organization name, organisation name, account, account name, employer, firm, business, firma, unternehmen, entreprise, societe, empresa, current company',
    company_role:
      'job title, title, role, position, job, occupation, job position, headline, fonction, poste, cargo, funktion, organization title',
    linkedin_url:
      'linkedin, linkedin profile, linkedin profile url, person linkedin url, linkedin link, profile url',
    linkedin_company_url: 'company linkedin, company linkedin url, linkedin company',
    website_url:
      'website, web site, url, homepage, web, domain, company website, company domain name, site web, webseite',
    city: 'town, location, ort, stadt, ville, ciudad, person city, mailing city',
    twitter_name: 'twitter, twitter handle, twitter username, x handle, twitter url',
    twitter_company_name: 'company twitter',
    facebook_username: 'facebook, facebook url, facebook profile',
    instagram_username: 'instagram, instagram handle, instagram url',
    telegram_username: 'telegram, telegram handle',
    whatsapp_username: 'whatsapp, whatsapp number',
    youtube_username: 'youtube, youtube channel',
    avatar_url: 'avatar, photo, photo url, picture, image, profile picture',
    timezone: 'time zone',
    contract_value: 'deal value, deal amount, contract amount, opportunity value',
    contract_currency: 'currency, deal currency',
    contract_name: 'deal name, contract, deal, opportunity, opportunity name',
    email_bounce_score: 'bounce score',
    score: 'lead score, hubspot score',
    created_at: 'created, create date, created date, created on, creation date, date created',
    updated_at: 'updated, last modified, last modified date, modified, updated on',
    last_interaction_at: 'last activity, last activity date, last contacted, last interaction',
    tags: 'tag, labels, label, categories, keywords, etiquetas, schlagworte',
    lists: 'list, group, groups, list name, segment, segments',
    status: 'stage, pipeline stage, lead status, deal stage, statuses, statut, estado',
    owners:
      'owner, contact owner, lead owner, account owner, assigned to, owner email, responsible',
    custom_fields: 'custom fields',
  }).flatMap(([field, names]) =>
    names.split(', ').map((name): [string, string] => [plain(name), field]),
  ),
)

const own = new Map<string, Target>([
  ...plainFields.map((name): [string, Target] => [plain(name), { kind: 'field', name }]),
  ...relationFields.map((name): [string, Target] => [name, { kind: 'relation', name }]),
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

const fieldNames = [...plainFields, ...relationFields, 'name'].join(', ')

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
