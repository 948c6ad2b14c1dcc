// The table of a lead's relations, one line each: its join table, the records it points
// to, what responses contain of them, and how a caller may change it.

export interface RelationSpec {
  label: string
  /** The table of the records that it points to. */
  record: 'list' | 'status' | 'tag' | 'member' | 'campaign'
  /** The table with a row for each lead and record, and its column with the record's id. */
  join: string
  column: string
  /** What responses contain of each record. Empty: nothing, and POST /lead does not take it either. */
  told: readonly ('id' | 'name' | 'emoji' | 'color' | 'type' | 'id_list' | 'email')[]
  /** The column by which responses sort the records. */
  sort: 'order' | 'name'
  /** `<relation>_disconnect` removes leads from a record. */
  disconnect: boolean
}

// biome-ignore format: one line is one entry
export const leadRelations = {
  lists: { label: 'Lists', record: 'list', join: 'lead_list', column: 'id_list', told: ['id', 'name', 'emoji'], sort: 'order', disconnect: false },
  status: { label: 'Status', record: 'status', join: 'lead_status', column: 'id_status', told: ['id', 'name', 'color', 'type', 'id_list'], sort: 'order', disconnect: true },
  tags: { label: 'Tags', record: 'tag', join: 'lead_tag', column: 'id_tag', told: ['id', 'name', 'color'], sort: 'order', disconnect: true },
  owners: { label: 'Owners', record: 'member', join: 'lead_owner', column: 'id_member', told: ['id', 'name', 'email'], sort: 'name', disconnect: true },
  campaigns: { label: 'Campaigns', record: 'campaign', join: 'lead_campaign', column: 'id_campaign', told: [], sort: 'name', disconnect: false },
} as const satisfies Record<string, RelationSpec>

type Table = typeof leadRelations
export type LeadRelation = keyof Table

/** The relations in responses, POST /lead, imports and exports. */
export type ToldRelation = {
  [Name in LeadRelation]: Table[Name]['told'] extends readonly [] ? never : Name
}[LeadRelation]

export type DisconnectRelation = {
  [Name in LeadRelation]: Table[Name]['disconnect'] extends true ? Name : never
}[LeadRelation]

/** A lead mostly has one record of these: leads can be ordered by them, and imports read them from one column. */
export const singleRelations = ['status', 'owners'] as const satisfies ToldRelation[]
export type SingleRelation = (typeof singleRelations)[number]

export const relationNames = Object.keys(leadRelations) as LeadRelation[]

export const toldRelations = relationNames.filter(
  (name): name is ToldRelation => leadRelations[name].told.length > 0,
)

export const disconnectRelations = relationNames.filter(
  (name): name is DisconnectRelation => leadRelations[name].disconnect,
)

/** Those that are nothing but pairs of a lead and a record. A lead has one status in each list. */
export type PlainRelation = Exclude<ToldRelation, 'status'>

export const plainRelations = toldRelations.filter(
  (name): name is PlainRelation => name !== 'status',
)

/** A value for each of these relations. */
export function perRelation<Name extends LeadRelation, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  const values = {} as Record<Name, Value>
  for (const name of names) values[name] = value(name)
  return values
}
