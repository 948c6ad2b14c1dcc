// The table of a lead's relations: one line each. Which join table holds it, which records it points
// to, what an answer tells of them, and how a caller may change it.

export interface RelationSpec {
  label: string
  /** The table of the records that it points to. */
  record: 'list' | 'status' | 'tag' | 'member' | 'campaign'
  /** The table with a row for each lead and record, and its column with the record's id. */
  join: string
  column: string
  /** What an answer tells of each record. Empty: nothing, and POST /lead does not take it either. */
  told: readonly ('id' | 'name' | 'emoji' | 'color' | 'type' | 'id_list' | 'email')[]
  /** The column that the told records are sorted by. */
  sort: 'order' | 'name'
  /** Leads can leave one of the records by `<relation>_disconnect`. */
  disconnect: boolean
  /** What other systems call the column, for imports. */
  aliases?: string
}

// biome-ignore format: one line is one entry
export const leadRelations = {
  lists: { label: 'Lists', record: 'list', join: 'lead_list', column: 'id_list', told: ['id', 'name', 'emoji'], sort: 'order', disconnect: false, aliases: 'list, group, groups, list name, segment, segments, liste, listen, listes, lista, listas' },
  status: { label: 'Status', record: 'status', join: 'lead_status', column: 'id_status', told: ['id', 'name', 'color', 'type', 'id_list'], sort: 'order', disconnect: true, aliases: 'lead status, leadstatus, contact status, status label, stage, contact stage, pipeline stage, deal stage, statuses, statut, statut du lead, statut du prospect, estado, estado del lead, estado do lead, status do lead, status leada, stato, stato del lead, phase' },
  tags: { label: 'Tags', record: 'tag', join: 'lead_tag', column: 'id_tag', told: ['id', 'name', 'color'], sort: 'order', disconnect: true, aliases: 'tag, labels, label, categories, category, group membership, etiquetas, etiqueta, schlagworte, schlagwort, kategorien, kategorie, etiquettes, etiquette, categories, etichette, etichetta, categorie, categorias' },
  owners: { label: 'Owners', record: 'member', join: 'lead_owner', column: 'id_member', told: ['id', 'name', 'email'], sort: 'name', disconnect: true, aliases: 'owner, contact owner, lead owner, person owner, owner name, owner email, assigned to, assigned user, responsible, account manager, sales rep, sales owner, lead-inhaber, leadinhaber, kontaktinhaber, inhaber, besitzer, zustandig, zustandiger mitarbeiter, fur kontakt zustandiger mitarbeiter, verantwortlich, verantwortlicher, proprietaire, proprietaire du contact, proprietaire du lead, propietario, propietario del contacto, propietario del lead, proprietario, proprietario del contatto, proprietario do contato, eigenaar, eigenaar contactpersoon, contacteigenaar, company owner, organization owner, deal owner, opportunity owner, account owner, account-inhaber' },
  campaigns: { label: 'Campaigns', record: 'campaign', join: 'lead_campaign', column: 'id_campaign', told: [], sort: 'name', disconnect: false },
} as const satisfies Record<string, RelationSpec>

type Table = typeof leadRelations
export type LeadRelation = keyof Table

/** The relations that answers tell, POST /lead takes, and files carry. */
export type ToldRelation = {
  [Name in LeadRelation]: Table[Name]['told'] extends readonly [] ? never : Name
}[LeadRelation]

export type DisconnectRelation = {
  [Name in LeadRelation]: Table[Name]['disconnect'] extends true ? Name : never
}[LeadRelation]

export const relationNames = Object.keys(leadRelations) as LeadRelation[]

export const toldRelations = relationNames.filter(
  (name): name is ToldRelation => leadRelations[name].told.length > 0,
)

export const disconnectRelations = relationNames.filter(
  (name): name is DisconnectRelation => leadRelations[name].disconnect,
)
