// THE table of lead fields. Every other list of fields is derived from it: the shapes of POST /lead,
// PATCH, update-many, the list, the search and the export, the columns of an import, the
// column lists of the SQL and the fields you can order by.
//
// To add a field, add a line here and a migration that adds the column.

/** Determines the type of the column and how values are read and shown. */
export type FieldKind =
  | 'uuid'
  | 'text'
  /** Text that may also be sent as a number. */
  | 'phone'
  /** The code of a currency. */
  | 'currency'
  | 'time'
  | 'integer'
  /** Money, also sent as text. In responses it is a whole number; `contract_amount` beside it has the decimals. */
  | 'amount'
  | 'flag'
  | 'json'
  /** Further emails or phones: a list of values with labels. */
  | 'contacts'

/** How values are compared when a lead is looked up by the field. */
export type MatchKind = 'email' | 'phone' | 'address' | 'username'

export interface FieldSpec {
  kind: FieldKind
  /** What people call it. */
  label: string
  /** It always has a value: 0, false or what the service sets. Other fields can be null. */
  notNull?: true
  /** Who may set it: POST /lead only, or PATCH /lead/{id} and update-many too. */
  write?: 'create' | 'always'
  /**
   * Which responses have it: `lead` all but the search, `search` only the search, `relations` those that have the
   * relations of leads too. Default: all.
   */
  answer?: 'lead' | 'search' | 'relations'
  /** False: neither exported nor imported. */
  transfer?: false
  /** POST /leads/search finds a lead by it. */
  match?: MatchKind
  /** The search looks into it: `plain` if it hardly ever has other characters than ASCII. */
  search?: 'letters' | 'plain'
  /** Of contacts: the field that has the first one. They are found like it. */
  of?: 'email' | 'phone'
}

// biome-ignore format: one line is one entry
export const leadFields = {
  id: { kind: 'uuid', label: 'ID', notNull: true, write: 'create' },
  created_at: { kind: 'time', label: 'Created', notNull: true },
  updated_at: { kind: 'time', label: 'Updated' },
  email: { kind: 'text', label: 'Email', write: 'always', search: 'plain', match: 'email' },
  company: { kind: 'text', label: 'Company', write: 'always', search: 'letters' },
  phone: { kind: 'phone', label: 'Phone', write: 'always', search: 'plain', match: 'phone' },
  other_emails: { kind: 'contacts', label: 'Other emails', write: 'always', answer: 'relations', search: 'plain', of: 'email' },
  other_phones: { kind: 'contacts', label: 'Other phones', write: 'always', answer: 'relations', search: 'plain', of: 'phone' },
  linkedin_url: { kind: 'text', label: 'LinkedIn', write: 'always', search: 'plain', match: 'address' },
  linkedin_company_url: { kind: 'text', label: 'Company LinkedIn', write: 'always' },
  facebook_username: { kind: 'text', label: 'Facebook', write: 'always', search: 'plain', match: 'username' },
  youtube_username: { kind: 'text', label: 'YouTube', write: 'always', search: 'plain', match: 'username' },
  instagram_username: { kind: 'text', label: 'Instagram', write: 'always', search: 'plain', match: 'username' },
  telegram_username: { kind: 'text', label: 'Telegram', write: 'always', search: 'plain', match: 'username' },
  whatsapp_username: { kind: 'text', label: 'WhatsApp', write: 'always', search: 'plain', match: 'username' },
  search_query: { kind: 'text', label: 'Search query' },
  first_name: { kind: 'text', label: 'First name', write: 'always', search: 'letters' },
  last_name: { kind: 'text', label: 'Last name', write: 'always', search: 'letters' },
  icebreaker: { kind: 'text', label: 'Icebreaker', write: 'always' },
  icebreaker_2: { kind: 'text', label: 'Icebreaker 2', write: 'always' },
  icebreaker_3: { kind: 'text', label: 'Icebreaker 3', write: 'always' },
  icebreaker_4: { kind: 'text', label: 'Icebreaker 4', write: 'always' },
  website_url: { kind: 'text', label: 'Website', write: 'always', search: 'plain' },
  timezone: { kind: 'text', label: 'Time zone' },
  city: { kind: 'text', label: 'City', write: 'always', search: 'letters' },
  company_role: { kind: 'text', label: 'Role', write: 'always', search: 'letters' },
  twitter_name: { kind: 'text', label: 'Twitter', write: 'always', search: 'plain', match: 'username' },
  twitter_company_name: { kind: 'text', label: 'Company Twitter', write: 'always' },
  avatar_url: { kind: 'text', label: 'Picture', write: 'always' },
  contract_currency: { kind: 'currency', label: 'Currency', write: 'always' },
  contract_name: { kind: 'text', label: 'Contract', write: 'always', answer: 'lead' },
  ai_summary: { kind: 'text', label: 'AI summary', answer: 'lead' },
  ai_profile: { kind: 'text', label: 'AI profile', answer: 'lead' },
  id_linkedin_company: { kind: 'text', label: 'Company LinkedIn ID' },
  id_linkedin: { kind: 'text', label: 'LinkedIn ID', write: 'always' },
  id_twitter_company: { kind: 'text', label: 'Company Twitter ID', answer: 'search' },
  id_twitter: { kind: 'text', label: 'Twitter ID', write: 'always', answer: 'search' },
  email_bounce_score: { kind: 'integer', label: 'Bounce score', write: 'always' },
  score: { kind: 'integer', label: 'Score' },
  contract_value: { kind: 'amount', label: 'Contract value', write: 'always' },
  lost_reason: { kind: 'text', label: 'Lost reason', write: 'always', answer: 'relations' },
  order: { kind: 'integer', label: 'Order', notNull: true },
  is_company: { kind: 'flag', label: 'Is a company', notNull: true, write: 'always' },
  is_contract: { kind: 'flag', label: 'Has a contract', notNull: true, write: 'always', answer: 'lead' },
  is_draft: { kind: 'flag', label: 'Draft', notNull: true, write: 'always', answer: 'lead' },
  is_tracked: { kind: 'flag', label: 'Tracked' },
  ai_enabled: { kind: 'flag', label: 'AI enabled', notNull: true, answer: 'lead' },
  ai_enabled_at: { kind: 'time', label: 'AI enabled since', answer: 'lead' },
  last_interaction_at: { kind: 'time', label: 'Last interaction', answer: 'lead' },
  custom_fields: { kind: 'json', label: 'Custom fields', write: 'always', answer: 'search' },
  is_deleted: { kind: 'flag', label: 'Deleted', notNull: true, transfer: false },
  is_deleted_at: { kind: 'time', label: 'Deleted at', transfer: false },
  id_space: { kind: 'uuid', label: 'Workspace', transfer: false },
  usersId: { kind: 'uuid', label: 'Created by', transfer: false },
} as const satisfies Record<string, FieldSpec>

type Table = typeof leadFields
export type LeadField = keyof Table

/** The fields whose line has all of this. */
type FieldsWith<Said> = {
  [Name in LeadField]: Table[Name] extends Said ? Name : never
}[LeadField]

export type ContactsField = FieldsWith<{ kind: 'contacts' }>
export type AnsweredField = Exclude<LeadField, FieldsWith<{ answer: 'search' | 'relations' }>>
/** Beside the fields of the interface, where responses have the relations too. */
export type ExtendedField = FieldsWith<{ answer: 'relations' }>
export type FoundField = Exclude<LeadField, FieldsWith<{ answer: 'lead' | 'relations' }>>
export type CreateField = FieldsWith<{ write: 'create' | 'always' }>
export type ChangeField = FieldsWith<{ write: 'always' }>
export type TransferField = Exclude<LeadField, FieldsWith<{ transfer: false }>>
export type MatchField = FieldsWith<{ match: MatchKind }>

function fieldsWhere<Name extends LeadField>(test: (spec: FieldSpec) => boolean): Name[] {
  return (Object.keys(leadFields) as Name[]).filter((name) => test(leadFields[name]))
}

/** The lead as POST /lead, GET /lead/{id} and the list return it. You can order by each of these. */
export const answeredFields = fieldsWhere<AnsweredField>(
  ({ answer }) => answer !== 'search' && answer !== 'relations',
)

export const extendedFields = fieldsWhere<ExtendedField>(({ answer }) => answer === 'relations')

/** A column of a view that is not a field: the full name, from first name, last name and company. */
export const nameColumn = 'name'

/** The lead as POST /leads/search returns it. */
export const foundFields = fieldsWhere<FoundField>(
  ({ answer }) => answer !== 'lead' && answer !== 'relations',
)

export const createFields = fieldsWhere<CreateField>(({ write }) => write !== undefined)

export const changeFields = fieldsWhere<ChangeField>(({ write }) => write === 'always')

/** The columns of an export, in order, and what an import reads. */
export const transferFields = fieldsWhere<TransferField>(({ transfer }) => transfer !== false)

/** Further emails and phones. */
export const contactsFields = fieldsWhere<ContactsField>(({ kind }) => kind === 'contacts')

/** One of them. */
export interface Contact {
  value: string
  label: string
}

/** The most that a lead has of a kind, and the most characters of a value and a label. */
export const maxContacts = 20
export const maxContact = 320
export const maxContactLabel = 60

/** What POST /leads/search takes. */
export const matchFields = fieldsWhere<MatchField>(({ match }) => match !== undefined)

/** What the filter's search looks into. */
export const searchedFields = fieldsWhere(({ search }) => search !== undefined)
export const searchedInWords = searchedFields.map((name) => leadFields[name].label).join(', ')
