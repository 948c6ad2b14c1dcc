// What other systems call the fields and relations of a lead. Compared without case, spaces and
// punctuation; of several columns for one field, the alias that is listed first counts first.
import type { TransferField } from '@rapport/contract/leads/fields'
import type { ToldRelation } from '@rapport/contract/leads/relations'

/** A column of a file: a field, a relation, or one that becomes something else of a lead. */
export type Field = TransferField | ToldRelation | 'name' | 'notes'

// biome-ignore format: one line is one entry
const table: Partial<Record<Field, string>> = {
  created_at: 'create date, created date, created on, created time, creation date, date created, created, date added, added on, add time, person created, contact created, lead created, deal created, organization created, erstellt, erstellt am, erstelldatum, erstellungsdatum, angelegt am, erstellungszeit, person erstellt, date de creation, cree le, fecha de creacion, creado el, data di creazione, data de criacao, criado em, aanmaakdatum, gemaakt op',
  updated_at: 'last modified date, last modified, modified, modified on, modified time, last modified time, updated, updated on, update time, date updated, date modified, last updated, geandert am, zuletzt geandert, zuletzt geandert am, aktualisiert am, aktualisierungszeit, datum der letzten anderung, letzte anderung, date de derniere modification, modifie le, mis a jour le, fecha de la ultima modificacion, fecha de ultima modificacion, ultima modificacion, data di ultima modifica, data da ultima modificacao, laatst gewijzigd',
  email: 'e-mail, email address, e-mail address, mail, work email, business email, primary email, emails, e-mails, emailaddress, mail address, email id, e-mail-adresse, emailadresse, mailadresse, adresse e-mail, adresse email, adresse mail, adresse de messagerie, courriel, correo, correo electronico, direccion de correo electronico, direccion de correo, indirizzo email, indirizzo e-mail, posta elettronica, endereco de e-mail, endereco de email, e-mailadres, additional email addresses',
  company: 'associated company (primary), associated company, primary company, company name, company / account, account name, organization, organisation, organization name, organisation name, organization 1 name, account, employer, firm, business, current company, company/organization, firma, firma/account, firmenname, unternehmen, unternehmensname, name des unternehmens, accountname, entreprise, nom de l entreprise, societe, nom de la societe, compte, empresa, nombre de la empresa, nombre de empresa, compania, azienda, nome azienda, societa, nome da empresa, organizacion, organizzazione, organizacao, bedrijf, bedrijfsnaam, organisatie',
  phone: 'phone number, telephone, telephone number, tel, phones, work phone, business phone, primary phone, mobile, mobile phone, mobile number, mobile phone number, cell, cell phone, mobilephone, phone mobile, telefon, telefonnummer, rufnummer, mobil, mobiltelefon, mobiltelefonnummer, mobilnummer, handy, handynummer, mobilfunk, numero de telephone, numero de telephone mobile, telephone portable, portable, tel mobile, numero de telefono, telefono, numero de telefono movil, numero de movil, telefono movil, movil, celular, numero de celular, cellulare, numero di telefono, numero di cellulare, telefone, numero de telefone, telemovel, telefoonnummer, telefoon, mobiel, mobiele telefoon',
  linkedin_url: 'linkedin, linkedin profile, linkedin profile url, person linkedin url, person linkedin, linkedin link, linkedin url, linkedin-url, linkedin bio, profile url, linkedin member profile, linkedin-profil, linkedin-profil-url, profil linkedin, url linkedin, url de linkedin, perfil de linkedin, profilo linkedin, perfil do linkedin',
  linkedin_company_url: 'company linkedin, company linkedin url, linkedin company, linkedin company page, company linkedin profile, linkedin-unternehmensseite, unternehmensseite auf linkedin, page d entreprise linkedin, pagina de empresa de linkedin, pagina aziendale linkedin',
  facebook_username: 'facebook, facebook url, facebook profile, facebook username',
  youtube_username: 'youtube, youtube channel',
  instagram_username: 'instagram, instagram handle, instagram url',
  telegram_username: 'telegram, telegram handle',
  whatsapp_username: 'whatsapp, whatsapp number',
  first_name: 'given name, forename, first, firstname, vorname, prenom, nombre, nome proprio, primeiro nome, voornaam',
  last_name: 'surname, family name, last, lastname, nachname, familienname, nom, nom de famille, apellido, apellidos, cognome, sobrenome, apelido, achternaam',
  website_url: 'website, web site, url, website url, urls, homepage, home page, web, web page, webpage, company website, company url, site web, site internet, webseite, internetseite, website-url, url du site web, page web, sitio web, url del sitio web, pagina web, sito web, site, url do site, domain, company domain name, company domain, website domain, domain name, nom de domaine de l entreprise, nombre de dominio de la empresa, domainname des unternehmens',
  timezone: 'time zone',
  city: 'town, ort, stadt, wohnort, ville, localite, ciudad, localidad, poblacion, citta, cidade, plaats, stad, person city, mailing city, billing city, location',
  company_role: 'job title, jobtitle, position, role, job, job position, position title, organization title, organization 1 title, designation, function, jobbezeichnung, jobtitel, berufsbezeichnung, funktion, stellung, stelle, position im unternehmen, intitule du poste, poste, fonction, cargo, puesto, puesto de trabajo, qualifica, posizione, ruolo, funcao, functie, functietitel, occupation, headline, title, titel, titre, titulo',
  twitter_name: 'twitter, twitter handle, twitter username, x handle, x username, twitter url, twitter-benutzername, nom d utilisateur twitter, nombre de usuario de twitter, usuario de twitter',
  twitter_company_name: 'company twitter',
  avatar_url: 'avatar, photo, photo url, picture, image, profile picture',
  contract_currency: 'currency, deal currency, currency of value, currency code, waehrung, wahrung, devise, moneda, valuta, moeda',
  contract_name: 'deal name, dealname, contract, deal, opportunity, opportunity name, deal title, name des deals, nom de la transaction, nombre del negocio',
  email_bounce_score: 'bounce score',
  score: 'lead score, hubspot score',
  contract_value: 'deal value, deal amount, contract amount, opportunity value, opportunity amount, amount, betrag, montant, importe, cantidad',
  lost_reason: 'closed lost reason, loss reason, reason lost, reason for loss, verlustgrund, grund des verlusts, motif de perte, raison de la perte, motivo de perdida, motivo della perdita, motivo da perda',
  last_interaction_at: 'last activity date, last activity, last activity time, last contacted, last contacted date, last contact, last contact date, last communication date, last interaction, letzte aktivitat, datum der letzten aktivitat, letzter kontakt, zuletzt kontaktiert, date de derniere activite, derniere activite, dernier contact, fecha de la ultima actividad, ultima actividad, ultimo contacto, ultima attivita, ultimo contatto, ultima atividade, laatste activiteit',
  custom_fields: 'custom fields',
  lists: 'list, group, groups, list name, segment, segments, liste, listen, listes, lista, listas',
  status: 'lead status, leadstatus, contact status, status label, stage, contact stage, pipeline stage, deal stage, statuses, statut, statut du lead, statut du prospect, estado, estado del lead, estado do lead, status do lead, status leada, stato, stato del lead, phase',
  tags: 'tag, labels, label, categories, category, group membership, etiquetas, etiqueta, schlagworte, schlagwort, kategorien, kategorie, etiquettes, etiquette, categories, etichette, etichetta, categorie, categorias',
  owners: 'owner, contact owner, lead owner, person owner, owner name, owner email, assigned to, assigned user, responsible, account manager, sales rep, sales owner, lead-inhaber, leadinhaber, kontaktinhaber, inhaber, besitzer, zustandig, zustandiger mitarbeiter, fur kontakt zustandiger mitarbeiter, verantwortlich, verantwortlicher, proprietaire, proprietaire du contact, proprietaire du lead, propietario, propietario del contacto, propietario del lead, proprietario, proprietario del contatto, proprietario do contato, eigenaar, eigenaar contactpersoon, contacteigenaar, company owner, organization owner, deal owner, opportunity owner, account owner, account-inhaber',
  name: 'full name, contact name, lead name, person name, person, contact, contact person, display name, associated contact, vollstandiger name, kontaktname, kontaktperson, ansprechpartner, nom complet, nombre completo, nome completo, nome, naam',
  notes: 'note, description, comment, comments, remark, remarks, associated note, notizen, notiz, bemerkung, bemerkungen, anmerkung, anmerkungen, beschreibung, kommentar, kommentare, remarque, remarques, commentaire, commentaires, notas, nota, observaciones, comentarios, descripcion, descrizione, commenti, descricao, opmerkingen, notities, omschrijving',
}

export const aliases: ReadonlyMap<string, string[]> = new Map(
  Object.entries(table).map(([field, names]) => [field, names.split(', ')]),
)
