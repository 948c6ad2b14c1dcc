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
  id: { kind: 'uuid', label: 'Id', notNull: true, write: 'create' },
  created_at: { kind: 'time', label: 'Created', notNull: true, aliases: 'create date, created date, created on, created time, creation date, date created, created, date added, added on, add time, person created, contact created, lead created, deal created, organization created, erstellt, erstellt am, erstelldatum, erstellungsdatum, angelegt am, erstellungszeit, person erstellt, date de creation, cree le, fecha de creacion, creado el, data di creazione, data de criacao, criado em, aanmaakdatum, gemaakt op' },
  updated_at: { kind: 'time', label: 'Updated', aliases: 'last modified date, last modified, modified, modified on, modified time, last modified time, updated, updated on, update time, date updated, date modified, last updated, geandert am, zuletzt geandert, zuletzt geandert am, aktualisiert am, aktualisierungszeit, datum der letzten anderung, letzte anderung, date de derniere modification, modifie le, mis a jour le, fecha de la ultima modificacion, fecha de ultima modificacion, ultima modificacion, data di ultima modifica, data da ultima modificacao, laatst gewijzigd' },
  email: { kind: 'text', label: 'Email', write: 'always', match: 'email', aliases: 'e-mail, email address, e-mail address, mail, work email, business email, primary email, emails, e-mails, emailaddress, mail address, email id, e-mail-adresse, emailadresse, mailadresse, adresse e-mail, adresse email, adresse mail, adresse de messagerie, courriel, correo, correo electronico, direccion de correo electronico, direccion de correo, indirizzo email, indirizzo e-mail, posta elettronica, endereco de e-mail, endereco de email, e-mailadres, additional email addresses' },
  company: { kind: 'text', label: 'Company', write: 'always', aliases: 'associated company (primary), associated company, primary company, company name, company / account, account name, organization, organisation, organization name, organisation name, organization 1 name, account, employer, firm, business, current company, company/organization, firma, firma/account, firmenname, unternehmen, unternehmensname, name des unternehmens, accountname, entreprise, nom de l entreprise, societe, nom de la societe, compte, empresa, nombre de la empresa, nombre de empresa, compania, azienda, nome azienda, societa, nome da empresa, organizacion, organizzazione, organizacao, bedrijf, bedrijfsnaam, organisatie' },
  phone: { kind: 'phone', label: 'Phone', write: 'always', match: 'phone', aliases: 'phone number, telephone, telephone number, tel, phones, work phone, business phone, primary phone, mobile, mobile phone, mobile number, mobile phone number, cell, cell phone, mobilephone, phone mobile, telefon, telefonnummer, rufnummer, mobil, mobiltelefon, mobiltelefonnummer, mobilnummer, handy, handynummer, mobilfunk, numero de telephone, numero de telephone mobile, telephone portable, portable, tel mobile, numero de telefono, telefono, numero de telefono movil, numero de movil, telefono movil, movil, celular, numero de celular, cellulare, numero di telefono, numero di cellulare, telefone, numero de telefone, telemovel, telefoonnummer, telefoon, mobiel, mobiele telefoon' },
  linkedin_url: { kind: 'text', label: 'LinkedIn', write: 'always', match: 'address', aliases: 'linkedin, linkedin profile, linkedin profile url, person linkedin url, person linkedin, linkedin link, linkedin url, linkedin-url, linkedin bio, profile url, linkedin member profile, linkedin-profil, linkedin-profil-url, profil linkedin, url linkedin, url de linkedin, perfil de linkedin, profilo linkedin, perfil do linkedin' },
  linkedin_company_url: { kind: 'text', label: 'LinkedIn of the company', write: 'always', aliases: 'company linkedin, company linkedin url, linkedin company, linkedin company page, company linkedin profile, linkedin-unternehmensseite, unternehmensseite auf linkedin, page d entreprise linkedin, pagina de empresa de linkedin, pagina aziendale linkedin' },
  facebook_username: { kind: 'text', label: 'Facebook', write: 'always', match: 'username', aliases: 'facebook, facebook url, facebook profile, facebook username' },
  youtube_username: { kind: 'text', label: 'YouTube', write: 'always', match: 'username', aliases: 'youtube, youtube channel' },
  instagram_username: { kind: 'text', label: 'Instagram', write: 'always', match: 'username', aliases: 'instagram, instagram handle, instagram url' },
  telegram_username: { kind: 'text', label: 'Telegram', write: 'always', match: 'username', aliases: 'telegram, telegram handle' },
  whatsapp_username: { kind: 'text', label: 'WhatsApp', write: 'always', match: 'username', aliases: 'whatsapp, whatsapp number' },
  search_query: { kind: 'text', label: 'Search query' },
  first_name: { kind: 'text', label: 'First name', write: 'always', aliases: 'given name, forename, first, firstname, vorname, prenom, nombre, nome proprio, primeiro nome, voornaam' },
  last_name: { kind: 'text', label: 'Last name', write: 'always', aliases: 'surname, family name, last, lastname, nachname, familienname, nom, nom de famille, apellido, apellidos, cognome, sobrenome, apelido, achternaam' },
  icebreaker: { kind: 'text', label: 'Icebreaker', write: 'always' },
  icebreaker_2: { kind: 'text', label: 'Icebreaker 2', write: 'always' },
  icebreaker_3: { kind: 'text', label: 'Icebreaker 3', write: 'always' },
  icebreaker_4: { kind: 'text', label: 'Icebreaker 4', write: 'always' },
  website_url: { kind: 'text', label: 'Website', write: 'always', aliases: 'website, web site, url, website url, urls, homepage, home page, web, web page, webpage, company website, company url, site web, site internet, webseite, internetseite, website-url, url du site web, page web, sitio web, url del sitio web, pagina web, sito web, site, url do site, domain, company domain name, company domain, website domain, domain name, nom de domaine de l entreprise, nombre de dominio de la empresa, domainname des unternehmens' },
  timezone: { kind: 'text', label: 'Time zone', aliases: 'time zone' },
  city: { kind: 'text', label: 'City', write: 'always', aliases: 'town, ort, stadt, wohnort, ville, localite, ciudad, localidad, poblacion, citta, cidade, plaats, stad, person city, mailing city, billing city, location' },
  company_role: { kind: 'text', label: 'Role', write: 'always', aliases: 'job title, jobtitle, position, role, job, job position, position title, organization title, organization 1 title, designation, function, jobbezeichnung, jobtitel, berufsbezeichnung, funktion, stellung, stelle, position im unternehmen, intitule du poste, poste, fonction, cargo, puesto, puesto de trabajo, qualifica, posizione, ruolo, funcao, functie, functietitel, occupation, headline, title, titel, titre, titulo' },
  twitter_name: { kind: 'text', label: 'Twitter', write: 'always', match: 'username', aliases: 'twitter, twitter handle, twitter username, x handle, x username, twitter url, twitter-benutzername, nom d utilisateur twitter, nombre de usuario de twitter, usuario de twitter' },
  twitter_company_name: { kind: 'text', label: 'Twitter of the company', write: 'always', aliases: 'company twitter' },
  avatar_url: { kind: 'text', label: 'Picture', write: 'always', aliases: 'avatar, photo, photo url, picture, image, profile picture' },
  contract_currency: { kind: 'currency', label: 'Currency', write: 'always', aliases: 'currency, deal currency, currency of value, currency code, waehrung, wahrung, devise, moneda, valuta, moeda' },
  contract_name: { kind: 'text', label: 'Contract', write: 'always', answer: 'lead', aliases: 'deal name, dealname, contract, deal, opportunity, opportunity name, deal title, name des deals, nom de la transaction, nombre del negocio' },
  ai_summary: { kind: 'text', label: 'AI summary', answer: 'lead' },
  ai_profile: { kind: 'text', label: 'AI profile', answer: 'lead' },
  id_linkedin_company: { kind: 'text', label: 'LinkedIn id of the company' },
  id_linkedin: { kind: 'text', label: 'LinkedIn id', write: 'always' },
  id_twitter_company: { kind: 'text', label: 'Twitter id of the company', answer: 'search' },
  id_twitter: { kind: 'text', label: 'Twitter id', write: 'always', answer: 'search' },
  email_bounce_score: { kind: 'integer', label: 'Bounce score', write: 'always', aliases: 'bounce score' },
  score: { kind: 'integer', label: 'Score', aliases: 'lead score, hubspot score' },
  contract_value: { kind: 'amount', label: 'Contract value', write: 'always', aliases: 'deal value, deal amount, contract amount, opportunity value, opportunity amount, amount, betrag, montant, importe, cantidad' },
  order: { kind: 'integer', label: 'Order', notNull: true },
  is_company: { kind: 'flag', label: 'Is a company', notNull: true, write: 'always' },
  is_contract: { kind: 'flag', label: 'Has a contract', notNull: true, write: 'always', answer: 'lead' },
  is_draft: { kind: 'flag', label: 'Draft', notNull: true, write: 'always', answer: 'lead' },
  is_tracked: { kind: 'flag', label: 'Tracked' },
  ai_enabled: { kind: 'flag', label: 'AI enabled', notNull: true, answer: 'lead' },
  ai_enabled_at: { kind: 'time', label: 'AI enabled since', answer: 'lead' },
  last_interaction_at: { kind: 'time', label: 'Last interaction', answer: 'lead', aliases: 'last activity date, last activity, last activity time, last contacted, last contacted date, last contact, last contact date, last communication date, last interaction, letzte aktivitat, datum der letzten aktivitat, letzter kontakt, zuletzt kontaktiert, date de derniere activite, derniere activite, dernier contact, fecha de la ultima actividad, ultima actividad, ultimo contacto, ultima attivita, ultimo contatto, ultima atividade, laatste activiteit' },
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

/** A column of a view that is no field: the whole name, made of first name, last name and company. */
export const nameColumn = 'name'

/** The lead as POST /leads/search returns it. */
export const foundFields = fieldsWhere<FoundField>(({ answer }) => answer !== 'lead')

export const createFields = fieldsWhere<CreateField>(({ write }) => write !== undefined)

export const changeFields = fieldsWhere<ChangeField>(({ write }) => write === 'always')

/** The columns of an export, in their order, and what an import reads. */
export const transferFields = fieldsWhere<TransferField>(({ transfer }) => transfer !== false)

/** What POST /leads/search takes. */
export const matchFields = fieldsWhere<MatchField>(({ match }) => match !== undefined)
