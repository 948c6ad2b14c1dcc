// What the exports of other systems look like: one line for each kind of export. Everything else about
// them is general: what fields are called (headers.ts) and what stands in the cells (profile.ts).
import { type Known, ownField, plain } from './headers.ts'

export interface System {
  /** As people call the file. */
  name: string
  /**
   * The headers that give it away: alternatives with |, headers that must all be there with +. An
   * asterisk stands for anything. @field is a column known as this field, !@field is none.
   */
  when: string
  /** The attribute that keeps the id in the other system: its slug and name. */
  id?: { slug: string; name: string }
  /** Headers of the column with this id, the best first. */
  ids?: string
  /** What an id looks like, where that gives the system away too. */
  cells?: RegExp
  /** Headers that mean something else here than elsewhere. `-` is a column that no field is for. */
  columns?: string
  /** What stands before every header. */
  prefix?: RegExp
  /** Every row is a company, or those with a company and without the name of a person. */
  companies?: 'all' | 'nameless'
  /** The company is no company when it is called like the person. */
  personAsCompany?: true
  /** Several values of any text field stand in one cell, with this between them. */
  between?: string
  /** Cells that say as much as empty ones, in columns that no field is for. */
  empty?: string
  /** Our own export: every cell is taken as it is. */
  isOurs?: true
}

const id = (slug: string, name: string) => ({ slug, name })
const recordId =
  'record id, record id - contact, record id - company, record id - deal, datensatz-id, id de fiche d informations, id de registro, id record, id do registro, record-id, tietueen id, rekord-id'
const salesforce = id('salesforce_id', 'Salesforce id')
const zoho = id('zoho_id', 'Zoho id')
const close = id('close_id', 'Close id')
const outlookEmpty =
  'Unspecified, Keine Angabe, Non spécifié, Sin especificar, Normal, Normale, False, Aus, Faux, Falsch, Falso, SMTP'
const outlookOther =
  'location: -, account: -, title: -, suffix: -, e-mail display name: drop, e-mail 2 display name: drop, e-mail 3 display name: drop, initials: drop, personal web page: -'

// biome-ignore format: one line is one entry
export const systems: System[] = [
  { name: 'Rapport', when: 'id + created_at + is_company + linkedin_company_url + contract_value', isOurs: true },
  { name: 'Zoho deals', when: 'record id + deal name + *.id', id: zoho, ids: 'record id, deal id', columns: 'deal name: contract_name, amount: contract_value, stage: status, contact name: name, deal owner: owners', cells: /^zcrm_\d+$/ },
  { name: 'Zoho accounts', when: 'record id + account name + account owner.id + !@first_name', id: zoho, ids: 'record id, account id', companies: 'all', cells: /^zcrm_\d+$/ },
  { name: 'Zoho', when: 'record id + *.id | record id + lead owner | contact id + *.id | lead id + *.id', id: zoho, ids: 'record id, contact id, lead id', cells: /^zcrm_\d+$/ },
  { name: 'HubSpot deals', when: 'record id + deal name | record id + deal stage | record id - deal', id: id('hubspot_deal_id', 'HubSpot deal id'), ids: `record id - deal, ${recordId}`, between: ';', columns: 'deal name: contract_name, deal stage: status, amount: contract_value, deal owner: owners' },
  { name: 'HubSpot companies', when: 'record id + company owner + !@first_name | record id + company domain name + !@first_name | associated contact ids* + !@first_name', id: id('hubspot_company_id', 'HubSpot company id'), ids: `record id - company, ${recordId}`, between: ';', companies: 'all', columns: 'associated contact: -, twitter handle: twitter_company_name, name: company, facebook company page: -' },
  { name: 'HubSpot contacts', when: 'record id + contact owner | record id + lead status | record id + associated company* | record id + associated note* | record id + marketing contact status | record id + lifecycle stage | record id - contact | record id + first name | associated company ids* + @first_name | associated note* + @first_name', id: id('hubspot_contact_id', 'HubSpot contact id'), ids: `record id - contact, ${recordId}`, between: ';' },
  { name: 'Salesforce opportunities', when: 'opportunity name + stage | opportunity name + opportunity owner | id + stagename', id: salesforce, ids: 'opportunity id, id', columns: 'opportunity name: contract_name, name: contract_name, stage: status, stagename: status, amount: contract_value', cells: /^006[A-Za-z0-9]{12}([A-Z0-5]{3})?$/ },
  { name: 'Salesforce leads', when: 'company / account | lead owner + lead status | lead-inhaber + lead-status | firma/account | id + lastname + isconverted | id + lastname + leadsource', id: salesforce, ids: 'lead id, id', columns: 'photourl: -', cells: /^00Q[A-Za-z0-9]{12}([A-Z0-5]{3})?$/ },
  { name: 'Salesforce contacts', when: 'account name + mailing city | account name + mailing street | contact id + account name | id + lastname + accountid | id + lastname + ownerid | id + lastname + isdeleted', id: salesforce, ids: 'contact id, id', columns: 'photourl: -', cells: /^003[A-Za-z0-9]{12}([A-Z0-5]{3})?$/ },
  { name: 'Salesforce accounts', when: 'account name + billing city + !@first_name | account name + account owner + !@first_name | id + name + billingcity', id: salesforce, ids: 'account id, id', companies: 'all', columns: 'name: company, photourl: -, billing city: city', cells: /^001[A-Za-z0-9]{12}([A-Z0-5]{3})?$/ },
  { name: 'Pipedrive deals', when: 'deal - *', id: id('pipedrive_deal_id', 'Pipedrive deal id'), ids: 'deal - id', prefix: /^deal - /i, columns: 'title: contract_name, value: contract_value, stage*: status, status: -, creator: -, person - id: -, person - name: name, organization - name: company, organization: company' },
  { name: 'Pipedrive leads', when: 'lead - * + !@first_name', id: id('pipedrive_lead_id', 'Pipedrive lead id'), ids: 'lead - id, lead - pipedrive system id', prefix: /^lead - /i, columns: 'title: contract_name, value: contract_value, status: -, creator: -, person - id: -' },
  { name: 'Pipedrive people', when: 'person - * | personne - * | persona - * | pessoa - * | osoba - * | person created | email - work + phone - work', id: id('pipedrive_person_id', 'Pipedrive person id'), ids: 'person - id, personne - id, persona - id, pessoa - id, osoba - id, person - pipedrive system id, id', prefix: /^(person|personne|persona|pessoa|osoba) - /i, columns: 'city/town/village/locality of *: city, ort von *: city, stadt/*: city, ville* de *: city, organization - owner: -, organization - id: -' },
  { name: 'Pipedrive organizations', when: 'organization - * | organisation - * | organización - * | organizacja - * | organização - *', id: id('pipedrive_organization_id', 'Pipedrive organization id'), ids: 'organization - id, organisation - id, organización - id, organizacja - id, organização - id, organization - pipedrive system id', prefix: /^organi[sz]a(tion|ción|cja|ção) - /i, companies: 'all', columns: 'name: company, nombre: company, nom: company, people: -, linkedin profile: linkedin_company_url, city/town/village/locality of *: city, ort von *: city' },
  { name: 'LinkedIn connections', when: 'connected on | verbunden am + position | relation etablie le | conectado el | collegato il | connexion le + url | connected + @first_name + url', columns: 'url: linkedin_url, connected on: created_at, verbunden am: created_at, relation etablie le: created_at, connecte le: created_at, connexion le: created_at, conectado el: created_at, collegato il: created_at' },
  { name: 'Outlook', when: 'e-mail address + business phone | e-mail address + e-mail display name | e-mail address + business street | given yomi', companies: 'nameless', empty: outlookEmpty, columns: `${outlookOther}` },
  { name: 'Outlook', when: 'e-mail-adresse + telefon geschäftlich | e-mail-adresse + e-mail: angezeigter name | e-mail: adresse + telefon geschäftlich', companies: 'nameless', empty: outlookEmpty, columns: 'anrede: -, ort: -, konto: -, beruf: -, privat: -, partner: -, e-mail: angezeigter name: drop, e-mail 2: angezeigter name: drop, e-mail 3: angezeigter name: drop, initialen: drop' },
  { name: 'Outlook', when: 'adresse de messagerie | adresse e-mail + rue (bureau)', companies: 'nameless', empty: outlookEmpty, columns: 'titre: -, titre#2: company_role, compte: -, emplacement: -, responsable: -, bureau: -, nom complet de l\'adresse de messagerie: drop, nom complet de l\'adresse de messagerie 2: drop, nom complet de l\'adresse de messagerie 3: drop, initiales: drop' },
  { name: 'Outlook', when: 'dirección de correo electrónico + teléfono del trabajo | dirección de correo electrónico + calle del trabajo', companies: 'nameless', empty: outlookEmpty, columns: 'título: -, ubicación: -, cuenta: -, iniciales: drop, nombre de pantalla de correo electrónico: drop' },
  { name: 'Outlook', when: 'indirizzo posta elettronica | indirizzo e-mail + tel. (uff.)', companies: 'nameless', empty: outlookEmpty, columns: 'titolo: -, località: -, account: -, iniziali: drop' },
  { name: 'Google contacts', when: 'e-mail 1 - value | phone 1 - value | given name + family name + group membership | organization name + labels', companies: 'nameless', columns: 'location: -, occupation: -, initials: drop, subject: -' },
  { name: 'Apollo accounts', when: 'company name for emails + !@first_name | apollo account id + !@first_name | apollo record id + !@first_name', id: id('apollo_account_id', 'Apollo account id'), ids: 'apollo record id, apollo account id', companies: 'all', columns: 'twitter url: twitter_company_name, facebook url: -, keywords: -' },
  { name: 'Apollo contacts', when: 'company name for emails | apollo contact id | person linkedin url + # employees', id: id('apollo_contact_id', 'Apollo contact id'), ids: 'apollo contact id, apollo record id', columns: 'twitter url: twitter_company_name, facebook url: -, keywords: -' },
  { name: 'Close contacts', when: 'lead_id + lead_name + !primary_contact_*', id: close, ids: 'id', companies: 'nameless', personAsCompany: true, columns: 'lead_name: company, primary_url: -, other_urls: -', cells: /^cont_\w{20,}$/ },
  { name: 'Close leads', when: 'display_name + status_label | lead_name + status_label | primary_contact_*', id: close, ids: 'id, lead_id', companies: 'nameless', personAsCompany: true, columns: 'display_name: company, lead_name: company, custom.*owner.name: owners, custom.*owner: owners, primary_contact_primary_url: -, primary_contact_other_urls: -', cells: /^lead_\w{20,}$/ },
]

/** The attributes that keep ids of other systems. */
export const foreignSlugs = new Set(systems.flatMap(({ id: kept }) => kept?.slug ?? []))

/** A header in the forms that patterns are compared with. */
interface Compared {
  plain: string
  loose: string
}

const loose = (text: string) => text.trim().toLowerCase()
const compared = (header: string): Compared => ({ plain: plain(header), loose: loose(header) })

/** The pattern of a header: an asterisk stands for anything. */
type Pattern = { plain: string } | { test: RegExp }

const patterns = new Map<string, Pattern>()

function patternOf(text: string): Pattern {
  const known = patterns.get(text)
  if (known) return known
  const source = loose(text)
    .split('*')
    .map((part) => part.replace(/[.()/+?]/g, '\\$&'))
    .join('.*')
  const pattern = text.includes('*') ? { test: new RegExp(`^${source}$`) } : { plain: plain(text) }
  patterns.set(text, pattern)
  return pattern
}

const matches = (pattern: Pattern, header: Compared) =>
  'plain' in pattern ? pattern.plain === header.plain : pattern.test.test(header.loose)

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
export function recognise(looked: Looked): System | undefined {
  const { hasField } = looked
  const headers = looked.headers.map(compared)
  const plains = new Set(headers.map((header) => header.plain))
  const isThere = (pattern: Pattern) =>
    'plain' in pattern
      ? plains.has(pattern.plain)
      : headers.some((header) => matches(pattern, header))
  const holds = (token: string): boolean => {
    if (token.startsWith('!')) return !holds(token.slice(1))
    if (token.startsWith('@')) return hasField(token.slice(1))
    return isThere(patternOf(token))
  }
  const isMet = ({ when }: System) =>
    when.split(' | ').some((all) => all.split(' + ').every((token) => holds(token.trim())))
  const byCells = ({ cells }: System) => cells !== undefined && looked.hasCells(cells)
  const met = systems.filter(isMet)
  // Several systems have an "Id" and a "Last Name": the form of the ids decides between them.
  return (
    met.find(byCells) ??
    systems.find((system) => byCells(system) && looked.isIdColumn(system)) ??
    met[0] ??
    systems.find(byCells)
  )
}

export type Said = Known | 'unknown' | 'dropped' | undefined

/** What the system says about a column; `nth` counts columns of the same name from one. */
export function saidBy(system: System, header: string, nth: number): Said {
  const whole = compared(header)
  const bare = system.prefix ? compared(header.replace(system.prefix, '')) : whole
  let found: Said
  for (const { pattern, place, field } of columnsOf(system)) {
    if (place !== undefined && place !== nth) continue
    if (!matches(pattern, whole) && !matches(pattern, bare)) continue
    found = field === '-' ? 'unknown' : field === 'drop' ? 'dropped' : ownField(field)
  }
  return found
}

interface SystemColumn {
  pattern: Pattern
  /** Of several columns of this name, which one. */
  place: number | undefined
  field: string
}

const columnsBySystem = new Map<System, SystemColumn[]>()

function columnsOf(system: System): SystemColumn[] {
  const known = columnsBySystem.get(system)
  if (known) return known
  const columns = (system.columns ?? '').split(', ').map((entry): SystemColumn => {
    const [called = '', field = ''] = entry.split(/: (?!.*: )/)
    const [name = '', place] = called.split('#')
    const nth = place === undefined ? undefined : Number(place)
    return { pattern: patternOf(name), place: nth, field }
  })
  columnsBySystem.set(system, columns)
  return columns
}

/** Which column holds the id in the other system: the index, or undefined. */
export function foreignIdColumn(system: System, headers: string[]): number | undefined {
  const all = headers.map(compared)
  for (const name of system.ids?.split(', ') ?? []) {
    const pattern = patternOf(name)
    const index = all.findIndex((header) => matches(pattern, header))
    if (index >= 0) return index
  }
  return undefined
}
