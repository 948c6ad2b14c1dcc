// What the exports of other systems look like: one line for each kind of export. Everything else about
// them is general: what fields are called (headers.ts) and what is in the cells (profile.ts).
import { leadFields } from '@rapport/contract/leads/fields'
import type { Field } from './aliases.ts'
import { type Known, ownField, plain } from './headers.ts'

/** A name is compared without case, spaces and punctuation; a pattern with the header in lower case. */
type Header = string | RegExp

/** What a file shows: a column of this name, a column that is known as this field, or that it has none. */
type Sign = Header | { field: Field } | { not: Header | { field: Field } }

export interface System {
  /** As people call the file. */
  name: string
  /** What identifies it: any of these groups, with all its signs. */
  when: Sign[][]
  /** The attribute that keeps the id in the other system: its slug and name. */
  id?: { slug: string; name: string }
  /** Headers of the column with this id, the best first. */
  ids?: string[]
  /** What an id looks like, if that identifies the system too. */
  cells?: RegExp
  /** Headers that mean something else here than elsewhere; the last that matches counts. */
  columns?: Partial<
    Record<
      Field | 'unknown' | 'dropped',
      /** Of several columns of one name, `nth` says which, counted from one. */
      (Header | { header: string; nth: number })[]
    >
  >
  /** What comes before every header. */
  prefix?: RegExp
  /** Every row is a company, or those with a company and without the name of a person. */
  companies?: 'all' | 'nameless'
  /** The company is not a company when it is called like the person. */
  personAsCompany?: true
  /** Several values of any text field are in one cell, with this between them. */
  between?: string
  /** Cells that mean as little as empty ones, in unmatched columns. */
  empty?: string[]
  /** Our own export: every cell is taken as it is. */
  isOurs?: true
}

/** Together, only our own export of everything has them: by their names or by their labels. */
export const ownColumns = [
  ...(['id', 'created_at', 'is_company', 'linkedin_company_url', 'contract_value'] as const),
]

const id = (slug: string, name: string) => ({ slug, name })
const salesforce = id('salesforce_id', 'Salesforce id')
const zoho = id('zoho_id', 'Zoho id')
const close = id('close_id', 'Close id')
const aPerson: Sign = { field: 'first_name' }
const noPerson: Sign = { not: aPerson }
// biome-ignore format: one line is one entry
const recordIds = ['record id', 'record id - contact', 'record id - company', 'record id - deal', 'datensatz-id', 'id de fiche d informations', 'id de registro', 'id record', 'id do registro', 'record-id', 'tietueen id', 'rekord-id']
// biome-ignore format: one line is one entry
const outlookEmpty = ['Unspecified', 'Keine Angabe', 'Non spécifié', 'Sin especificar', 'Normal', 'Normale', 'False', 'Aus', 'Faux', 'Falsch', 'Falso', 'SMTP']

// biome-ignore format: one line is one entry
export const systems: System[] = [
  { name: 'Rapport', when: [[...ownColumns], ownColumns.map((name) => leadFields[name].label)], isOurs: true },
  { name: 'Zoho deals', when: [['record id', 'deal name', /\.id$/]], id: zoho, ids: ['record id', 'deal id'], columns: { contract_name: ['deal name'], contract_value: ['amount'], status: ['stage'], name: ['contact name'], owners: ['deal owner'] }, cells: /^zcrm_\d+$/ },
  { name: 'Zoho accounts', when: [['record id', 'account name', 'account owner.id', noPerson]], id: zoho, ids: ['record id', 'account id'], companies: 'all', cells: /^zcrm_\d+$/ },
  { name: 'Zoho', when: [['record id', /\.id$/], ['record id', 'lead owner'], ['contact id', /\.id$/], ['lead id', /\.id$/]], id: zoho, ids: ['record id', 'contact id', 'lead id'], cells: /^zcrm_\d+$/ },
  { name: 'HubSpot deals', when: [['record id', 'deal name'], ['record id', 'deal stage'], ['record id - deal']], id: id('hubspot_deal_id', 'HubSpot deal id'), ids: ['record id - deal', ...recordIds], between: ';', columns: { contract_name: ['deal name'], status: ['deal stage'], contract_value: ['amount'], owners: ['deal owner'] } },
  { name: 'HubSpot companies', when: [['record id', 'company owner', noPerson], ['record id', 'company domain name', noPerson], [/^associated contact ids/, noPerson]], id: id('hubspot_company_id', 'HubSpot company id'), ids: ['record id - company', ...recordIds], between: ';', companies: 'all', columns: { unknown: ['associated contact', 'facebook company page'], twitter_company_name: ['twitter handle'], company: ['name'] } },
  { name: 'HubSpot contacts', when: [['record id', 'contact owner'], ['record id', 'lead status'], ['record id', /^associated company/], ['record id', /^associated note/], ['record id', 'marketing contact status'], ['record id', 'lifecycle stage'], ['record id - contact'], ['record id', 'first name'], [/^associated company ids/, aPerson], [/^associated note/, aPerson]], id: id('hubspot_contact_id', 'HubSpot contact id'), ids: ['record id - contact', ...recordIds], between: ';' },
  { name: 'Salesforce opportunities', when: [['opportunity name', 'stage'], ['opportunity name', 'opportunity owner'], ['id', 'stagename']], id: salesforce, ids: ['opportunity id', 'id'], columns: { contract_name: ['opportunity name', 'name'], status: ['stage', 'stagename'], contract_value: ['amount'] }, cells: /^006[A-Za-z0-9]{12}([A-Z0-5]{3})?$/ },
  { name: 'Salesforce leads', when: [['company / account'], ['lead owner', 'lead status'], ['lead-inhaber', 'lead-status'], ['firma/account'], ['id', 'lastname', 'isconverted'], ['id', 'lastname', 'leadsource']], id: salesforce, ids: ['lead id', 'id'], columns: { unknown: ['photourl'] }, cells: /^00Q[A-Za-z0-9]{12}([A-Z0-5]{3})?$/ },
  { name: 'Salesforce contacts', when: [['account name', 'mailing city'], ['account name', 'mailing street'], ['contact id', 'account name'], ['id', 'lastname', 'accountid'], ['id', 'lastname', 'ownerid'], ['id', 'lastname', 'isdeleted']], id: salesforce, ids: ['contact id', 'id'], columns: { unknown: ['photourl'] }, cells: /^003[A-Za-z0-9]{12}([A-Z0-5]{3})?$/ },
  { name: 'Salesforce accounts', when: [['account name', 'billing city', noPerson], ['account name', 'account owner', noPerson], ['id', 'name', 'billingcity']], id: salesforce, ids: ['account id', 'id'], companies: 'all', columns: { company: ['name'], unknown: ['photourl'], city: ['billing city'] }, cells: /^001[A-Za-z0-9]{12}([A-Z0-5]{3})?$/ },
  { name: 'Pipedrive deals', when: [[/^deal - /]], id: id('pipedrive_deal_id', 'Pipedrive deal id'), ids: ['deal - id'], prefix: /^deal - /i, columns: { contract_name: ['title'], contract_value: ['value'], status: [/^stage/], unknown: ['status', 'creator', 'person - id'], name: ['person - name'], company: ['organization - name', 'organization'] } },
  { name: 'Pipedrive leads', when: [[/^lead - /, noPerson]], id: id('pipedrive_lead_id', 'Pipedrive lead id'), ids: ['lead - id', 'lead - pipedrive system id'], prefix: /^lead - /i, columns: { contract_name: ['title'], contract_value: ['value'], unknown: ['status', 'creator', 'person - id'] } },
  { name: 'Pipedrive people', when: [[/^(person|personne|persona|pessoa|osoba) - /], ['person created'], ['email - work', 'phone - work']], id: id('pipedrive_person_id', 'Pipedrive person id'), ids: ['person - id', 'personne - id', 'persona - id', 'pessoa - id', 'osoba - id', 'person - pipedrive system id', 'id'], prefix: /^(person|personne|persona|pessoa|osoba) - /i, columns: { city: [/^city\/town\/village\/locality of /, /^ort von /, /^stadt\//, /^ville.* de /], unknown: ['organization - owner', 'organization - id'] } },
  { name: 'Pipedrive organizations', when: [[/^organi[sz]a(tion|ción|cja|ção) - /]], id: id('pipedrive_organization_id', 'Pipedrive organization id'), ids: ['organization - id', 'organisation - id', 'organización - id', 'organizacja - id', 'organização - id', 'organization - pipedrive system id'], prefix: /^organi[sz]a(tion|ción|cja|ção) - /i, companies: 'all', columns: { company: ['name', 'nombre', 'nom'], unknown: ['people'], linkedin_company_url: ['linkedin profile'], city: [/^city\/town\/village\/locality of /, /^ort von /] } },
  { name: 'LinkedIn connections', when: [['connected on'], ['verbunden am', 'position'], ['relation etablie le'], ['conectado el'], ['collegato il'], ['connexion le', 'url'], ['connected', aPerson, 'url']], columns: { linkedin_url: ['url'], created_at: ['connected on', 'verbunden am', 'relation etablie le', 'connecte le', 'connexion le', 'conectado el', 'collegato il'] } },
  { name: 'Outlook', when: [['e-mail address', 'business phone'], ['e-mail address', 'e-mail display name'], ['e-mail address', 'business street'], ['given yomi']], companies: 'nameless', empty: outlookEmpty, columns: { unknown: ['location', 'account', 'title', 'suffix', 'personal web page'], dropped: ['e-mail display name', 'e-mail 2 display name', 'e-mail 3 display name', 'initials'] } },
  { name: 'Outlook', when: [['e-mail-adresse', 'telefon geschäftlich'], ['e-mail-adresse', 'e-mail: angezeigter name'], ['e-mail: adresse', 'telefon geschäftlich']], companies: 'nameless', empty: outlookEmpty, columns: { unknown: ['anrede', 'ort', 'konto', 'beruf', 'privat', 'partner'], dropped: ['e-mail: angezeigter name', 'e-mail 2: angezeigter name', 'e-mail 3: angezeigter name', 'initialen'] } },
  { name: 'Outlook', when: [['adresse de messagerie'], ['adresse e-mail', 'rue (bureau)']], companies: 'nameless', empty: outlookEmpty, columns: { unknown: ['titre', 'compte', 'emplacement', 'responsable', 'bureau'], company_role: [{ header: 'titre', nth: 2 }], dropped: ["nom complet de l'adresse de messagerie", "nom complet de l'adresse de messagerie 2", "nom complet de l'adresse de messagerie 3", 'initiales'] } },
  { name: 'Outlook', when: [['dirección de correo electrónico', 'teléfono del trabajo'], ['dirección de correo electrónico', 'calle del trabajo']], companies: 'nameless', empty: outlookEmpty, columns: { unknown: ['título', 'ubicación', 'cuenta'], dropped: ['iniciales', 'nombre de pantalla de correo electrónico'] } },
  { name: 'Outlook', when: [['indirizzo posta elettronica'], ['indirizzo e-mail', 'tel. (uff.)']], companies: 'nameless', empty: outlookEmpty, columns: { unknown: ['titolo', 'località', 'account'], dropped: ['iniziali'] } },
  { name: 'Google contacts', when: [['e-mail 1 - value'], ['phone 1 - value'], ['given name', 'family name', 'group membership'], ['organization name', 'labels']], companies: 'nameless', columns: { unknown: ['location', 'occupation', 'subject'], dropped: ['initials'] } },
  { name: 'Apollo accounts', when: [['company name for emails', noPerson], ['apollo account id', noPerson], ['apollo record id', noPerson]], id: id('apollo_account_id', 'Apollo account id'), ids: ['apollo record id', 'apollo account id'], companies: 'all', columns: { twitter_company_name: ['twitter url'], unknown: ['facebook url', 'keywords'] } },
  { name: 'Apollo contacts', when: [['company name for emails'], ['apollo contact id'], ['person linkedin url', '# employees']], id: id('apollo_contact_id', 'Apollo contact id'), ids: ['apollo contact id', 'apollo record id'], columns: { twitter_company_name: ['twitter url'], unknown: ['facebook url', 'keywords'] } },
  { name: 'Close contacts', when: [['lead_id', 'lead_name', { not: /^primary_contact_/ }]], id: close, ids: ['id'], companies: 'nameless', personAsCompany: true, columns: { company: ['lead_name'], unknown: ['primary_url', 'other_urls'] }, cells: /^cont_\w{20,}$/ },
  { name: 'Close leads', when: [['display_name', 'status_label'], ['lead_name', 'status_label'], [/^primary_contact_/]], id: close, ids: ['id', 'lead_id'], companies: 'nameless', personAsCompany: true, columns: { company: ['display_name', 'lead_name'], owners: [/^custom\..*owner\.name$/, /^custom\..*owner$/], unknown: ['primary_contact_primary_url', 'primary_contact_other_urls'] }, cells: /^lead_\w{20,}$/ },
]

/** The attributes that keep ids of other systems. */
export const foreignSlugs = new Set(systems.flatMap(({ id: kept }) => kept?.slug ?? []))

/** Names that occur only in headers, because they identify a system. */
export const systemHeaders = new Set(
  systems.flatMap(({ when, ids = [] }) =>
    [...when.flat(), ...ids].flatMap((sign) => (typeof sign === 'string' ? plain(sign) : [])),
  ),
)

const matches = (wanted: Header, header: string) =>
  typeof wanted === 'string'
    ? plain(wanted) === plain(header)
    : wanted.test(header.trim().toLowerCase())

export interface Looked {
  headers: string[]
  /** Whether a column is known as this field by its name. */
  hasField(name: string): boolean
  /** Whether a column holds such ids. */
  hasCells(test: RegExp): boolean
  /** Whether the column that is called like the system's id holds its ids. */
  isIdColumn(system: System): boolean
}

/** The system that a file comes from. Headers decide; where none does, the form of the ids. */
export function recognize(looked: Looked): System | undefined {
  const plains = new Set(looked.headers.map(plain))
  const holds = (sign: Sign): boolean => {
    if (typeof sign === 'string') return plains.has(plain(sign))
    if (sign instanceof RegExp) return looked.headers.some((header) => matches(sign, header))
    return 'not' in sign ? !holds(sign.not) : looked.hasField(sign.field)
  }
  const byCells = ({ cells }: System) => cells !== undefined && looked.hasCells(cells)
  const met = systems.filter(({ when }) => when.some((signs) => signs.every(holds)))
  // Several systems have an "Id" and a "Last Name": the form of the ids decides between them.
  return (
    met.find(byCells) ??
    systems.find((system) => byCells(system) && looked.isIdColumn(system)) ??
    met[0] ??
    systems.find(byCells)
  )
}

/** How the system defines a column; `nth` counts columns of the same name from one. */
export function saidBy(
  { prefix, columns = {} }: System,
  header: string,
  nth: number,
): Known | 'unknown' | 'dropped' | undefined {
  const bare = prefix ? header.replace(prefix, '') : header
  const isMeant = (wanted: Header) => matches(wanted, header) || matches(wanted, bare)
  const field = Object.entries(columns).findLast(([, wanted]) =>
    wanted.some((one) =>
      typeof one === 'object' && 'nth' in one
        ? one.nth === nth && isMeant(one.header)
        : isMeant(one),
    ),
  )?.[0]
  if (field === undefined || field === 'unknown' || field === 'dropped') return field
  return ownField(field)
}

/** Which column holds the id in the other system: the index, or undefined. */
export function foreignIdColumn({ ids = [] }: System, headers: string[]): number | undefined {
  for (const name of ids) {
    const index = headers.findIndex((header) => matches(name, header))
    if (index >= 0) return index
  }
  return undefined
}
