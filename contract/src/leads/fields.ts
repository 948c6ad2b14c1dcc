// THE table of lead fields. Every other list of fields is derived from it: the shapes of POST /lead,
// PATCH, update-many, the list, the search and the export, the columns of an import and their other
// names, the column lists of the SQL and the fields one can order by.
//
// To add a field, add a line here and a migration that adds the column.

/** What a field holds. It decides the type of the column and how values are read and shown. */
export type FieldKind =
  | 'uuid'
  | 'text'
  /** Text that may also be sent as a number. */
  | 'phone'
  /** The code of a currency. */
  | 'currency'
  | 'time'
  | 'integer'
  /** A whole number beyond 32 bits that may also be sent as text. */
  | 'amount'
  | 'flag'
  | 'json'

/** How two values are compared when somebody looks a lead up by the field. */
export type MatchKind = 'email' | 'phone' | 'address' | 'username'

export interface FieldSpec {
  kind: FieldKind
  /** What people call it. */
  label: string
  /** It always has a value: 0, false or what the service sets. The others can be null. */
  notNull?: true
  /** Who may set it: POST /lead only, or PATCH /lead/{id} and update-many too. */
  write?: 'create' | 'always'
  /** Which answers carry it: `lead` all but the search, `search` the search only. Default: all. */
  answer?: 'lead' | 'search'
  /** False: neither exported nor imported. */
  transfer?: false
  /** POST /leads/search finds a lead by it. */
  match?: MatchKind
  /** What other systems call it, for imports. Compared without case, blanks and punctuation. */
  aliases?: string
}

// biome-ignore format: one line is one entry
export const leadFields = {
  id: { kind: 'uuid', label: 'Id', notNull: true, write: 'create', aliases: 'lead id, contact id, record id, uuid' },
  created_at: { kind: 'time', label: 'Created', notNull: true, aliases: 'created, create date, created date, created on, creation date, date created' },
  updated_at: { kind: 'time', label: 'Updated', aliases: 'updated, last modified, last modified date, modified, updated on' },
  email: { kind: 'text', label: 'Email', write: 'always', match: 'email', aliases: 'e-mail, email address, e-mail address, mail, work email, business email, primary email, email 1, e-mail 1 value, courriel, correo' },
  company: { kind: 'text', label: 'Company', write: 'always', aliases: 'company name, organization, organisation, organization name, organisation name, account, account name, employer, firm, business, firma, unternehmen, entreprise, societe, empresa, current company' },
  phone: { kind: 'phone', label: 'Phone', write: 'always', match: 'phone', aliases: 'phone number, telephone, telephone number, tel, mobile, mobile phone, mobile number, cell, cell phone, work phone, business phone, primary phone, phone 1, phone 1 value, telefon, telefono, handy' },
  linkedin_url: { kind: 'text', label: 'LinkedIn', write: 'always', match: 'address', aliases: 'linkedin, linkedin profile, linkedin profile url, person linkedin url, linkedin link, profile url' },
  linkedin_company_url: { kind: 'text', label: 'LinkedIn of the company', write: 'always', aliases: 'company linkedin, company linkedin url, linkedin company' },
  facebook_username: { kind: 'text', label: 'Facebook', write: 'always', match: 'username', aliases: 'facebook, facebook url, facebook profile' },
  youtube_username: { kind: 'text', label: 'YouTube', write: 'always', match: 'username', aliases: 'youtube, youtube channel' },
  instagram_username: { kind: 'text', label: 'Instagram', write: 'always', match: 'username', aliases: 'instagram, instagram handle, instagram url' },
  telegram_username: { kind: 'text', label: 'Telegram', write: 'always', match: 'username', aliases: 'telegram, telegram handle' },
  whatsapp_username: { kind: 'text', label: 'WhatsApp', write: 'always', match: 'username', aliases: 'whatsapp, whatsapp number' },
  search_query: { kind: 'text', label: 'Search query' },
  first_name: { kind: 'text', label: 'First name', write: 'always', aliases: 'given name, forename, vorname, prenom, nombre' },
  last_name: { kind: 'text', label: 'Last name', write: 'always', aliases: 'surname, family name, nachname, nom, apellido, apellidos' },
  icebreaker: { kind: 'text', label: 'Icebreaker', write: 'always' },
  icebreaker_2: { kind: 'text', label: 'Icebreaker 2', write: 'always' },
  icebreaker_3: { kind: 'text', label: 'Icebreaker 3', write: 'always' },
  icebreaker_4: { kind: 'text', label: 'Icebreaker 4', write: 'always' },
  website_url: { kind: 'text', label: 'Website', write: 'always', aliases: 'website, web site, url, homepage, web, domain, company website, company domain name, site web, webseite' },
  timezone: { kind: 'text', label: 'Time zone', aliases: 'time zone' },
  city: { kind: 'text', label: 'City', write: 'always', aliases: 'town, location, ort, stadt, ville, ciudad, person city, mailing city' },
  company_role: { kind: 'text', label: 'Role', write: 'always', aliases: 'job title, title, role, position, job, occupation, job position, headline, fonction, poste, cargo, funktion, organization title' },
  twitter_name: { kind: 'text', label: 'Twitter', write: 'always', match: 'username', aliases: 'twitter, twitter handle, twitter username, x handle, twitter url' },
  twitter_company_name: { kind: 'text', label: 'Twitter of the company', write: 'always', aliases: 'company twitter' },
  avatar_url: { kind: 'text', label: 'Picture', write: 'always', aliases: 'avatar, photo, photo url, picture, image, profile picture' },
  contract_currency: { kind: 'currency', label: 'Currency', write: 'always', aliases: 'currency, deal currency' },
  contract_name: { kind: 'text', label: 'Contract', write: 'always', answer: 'lead', aliases: 'deal name, contract, deal, opportunity, opportunity name' },
  ai_summary: { kind: 'text', label: 'AI summary', answer: 'lead' },
  ai_profile: { kind: 'text', label: 'AI profile', answer: 'lead' },
  id_linkedin_company: { kind: 'text', label: 'LinkedIn id of the company' },
  id_linkedin: { kind: 'text', label: 'LinkedIn id', write: 'always' },
  id_twitter_company: { kind: 'text', label: 'Twitter id of the company', answer: 'search' },
  id_twitter: { kind: 'text', label: 'Twitter id', write: 'always', answer: 'search' },
  email_bounce_score: { kind: 'integer', label: 'Bounce score', write: 'always', aliases: 'bounce score' },
  score: { kind: 'integer', label: 'Score', aliases: 'lead score, hubspot score' },
  contract_value: { kind: 'amount', label: 'Contract value', write: 'always', aliases: 'deal value, deal amount, contract amount, opportunity value' },
  order: { kind: 'integer', label: 'Order', notNull: true },
  is_company: { kind: 'flag', label: 'Is a company', notNull: true, write: 'always' },
  is_contract: { kind: 'flag', label: 'Has a contract', notNull: true, write: 'always', answer: 'lead' },
  is_draft: { kind: 'flag', label: 'Draft', notNull: true, write: 'always', answer: 'lead' },
  is_tracked: { kind: 'flag', label: 'Tracked' },
  ai_enabled: { kind: 'flag', label: 'AI enabled', notNull: true, answer: 'lead' },
  ai_enabled_at: { kind: 'time', label: 'AI enabled since', answer: 'lead' },
  last_interaction_at: { kind: 'time', label: 'Last interaction', answer: 'lead', aliases: 'last activity, last activity date, last contacted, last interaction' },
  custom_fields: { kind: 'json', label: 'Custom fields', write: 'always', answer: 'search', aliases: 'custom fields' },
  is_deleted: { kind: 'flag', label: 'Deleted', notNull: true, transfer: false },
  is_deleted_at: { kind: 'time', label: 'Deleted at', transfer: false },
  id_space: { kind: 'uuid', label: 'Workspace', transfer: false },
  usersId: { kind: 'uuid', label: 'Created by', transfer: false },
} as const satisfies Record<string, FieldSpec>

type Table = typeof leadFields
export type LeadField = keyof Table

/** The fields whose line says all of this. */
type FieldsWith<Said> = {
  [Name in LeadField]: Table[Name] extends Said ? Name : never
}[LeadField]

export type AnsweredField = Exclude<LeadField, FieldsWith<{ answer: 'search' }>>
export type FoundField = Exclude<LeadField, FieldsWith<{ answer: 'lead' }>>
export type CreateField = FieldsWith<{ write: 'create' | 'always' }>
export type ChangeField = FieldsWith<{ write: 'always' }>
export type TransferField = Exclude<LeadField, FieldsWith<{ transfer: false }>>
export type MatchField = FieldsWith<{ match: MatchKind }>

function fieldsWhere<Name extends LeadField>(test: (spec: FieldSpec) => boolean): Name[] {
  return (Object.keys(leadFields) as Name[]).filter((name) => test(leadFields[name]))
}

/** The lead as POST /lead, GET /lead/{id} and the list return it. One can order by each of these. */
export const answeredFields = fieldsWhere<AnsweredField>(({ answer }) => answer !== 'search')

/** The lead as POST /leads/search returns it. */
export const foundFields = fieldsWhere<FoundField>(({ answer }) => answer !== 'lead')

export const createFields = fieldsWhere<CreateField>(({ write }) => write !== undefined)

export const changeFields = fieldsWhere<ChangeField>(({ write }) => write === 'always')

/** The columns of an export, in their order, and what an import reads. */
export const transferFields = fieldsWhere<TransferField>(({ transfer }) => transfer !== false)

/** What POST /leads/search takes. */
export const matchFields = fieldsWhere<MatchField>(({ match }) => match !== undefined)
