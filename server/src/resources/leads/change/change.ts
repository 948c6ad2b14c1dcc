// One change for any number of leads: fields, attributes and relations. PATCH /lead/{id}, update-many
// and operations of the kind "update" do it.
import type { Issue } from '@rapport/contract/errors'
import { changeFields } from '@rapport/contract/leads/fields'
import {
  disconnectRelations,
  type LeadRelation,
  leadRelations,
  relationNames,
} from '@rapport/contract/leads/relations'
import type { LeadChange } from '@rapport/contract/leads/shapes'
import type { Static } from 'typebox'
import type { Definition } from '../../../attributes/definition.ts'
import { readValues } from '../../../attributes/values.ts'
import type { Db } from '../../../db/driver.ts'
import { join, jsonb, raw, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { lockAttributes } from '../../../references/attributes.ts'
import { type References, requireReferences } from '../../../references/references.ts'
import { typed } from '../row/columns.ts'
import { followMerged } from '../row/merged.sql.ts'
import { updatePicked } from './pick.sql.ts'
import {
  connect,
  disconnect,
  everyPair,
  everyStatus,
  joinLists,
  ofLeads,
  selectStarts,
  setStatuses,
} from './relations.sql.ts'
import { writtenColumns } from './written-columns.ts'

type Change = Static<typeof LeadChange>

/** Checks the change and locks the records that it names. `path` is where the change is in the body. */
export async function planChange(db: Db, space: string, change: Change, path: Issue['path']) {
  const fields = writtenColumns(change, changeFields, path)
  const links = readLinks(change, path)
  const listOf = await requireReferences(db, space, links)
  const values = await attributeValues(db, space, change.attributes, path)
  const starts = await selectStarts(db, space, joinedLists(links, listOf))
  const hasFields = Object.keys(fields).length > 0 || Object.keys(values).length > 0

  async function apply(by: Author, { ids }: { ids: string }): Promise<number> {
    let changed = hasFields ? await updatePicked(db, by, ids, fields, values) : 0
    for (const link of links) changed = Math.max(changed, await applyLink(by, ids, link))
    return changed
  }

  async function applyLink(by: Author, ids: string, link: Link): Promise<number> {
    const { relation, action, records } = link
    if (action === 'disconnect') {
      return disconnect(db, by, relation, ofLeads(ids, relation, records))
    }
    const left =
      action === 'replace'
        ? await disconnect(db, by, relation, ofLeads(ids, relation, records, 'all others'))
        : 0
    if (records.length === 0) return left
    if (relation === 'lists') {
      return Math.max(left, await joinLists(db, by, everyPair(ids, records), starts))
    }
    if (relation !== 'status') {
      return Math.max(left, await connect(db, by, relation, everyPair(ids, records)))
    }
    const statuses = lastOfEachList(records, listOf)
    const lists = statuses.flatMap(({ id_list }) => (id_list === null ? [] : [id_list]))
    if (lists.length > 0) await connect(db, by, 'lists', everyPair(ids, lists))
    return Math.max(left, await setStatuses(db, by, everyStatus(ids, statuses)))
  }

  const differs = [
    ...Object.entries(fields)
      .filter(([name]) => name !== 'company_claim')
      .map(([name, value]) => sql`lead.${raw(`"${name}"`)} is distinct from ${typed(name, value)}`),
    ...Object.entries(values).map(
      ([id, value]) =>
        sql`coalesce(lead.attributes -> ${id}::text, 'null') is distinct from ${jsonb(value)}`,
    ),
    ...links.map((link) => linkDiffers(space, link, listOf)),
  ]
  return { wouldChange: differs.length > 0 ? sql`(${join(differs, ' or ')})` : sql`false`, apply }
}

interface Link extends References {
  relation: LeadRelation
  action: 'replace' | 'connect' | 'disconnect'
  records: string[]
}

/** What to do with relations, in this order: replace, connect, disconnect. */
function readLinks(change: Change, path: Issue['path']): Link[] {
  const link = (relation: LeadRelation, action: Link['action'], field: keyof Change): Link[] => {
    const ids = change[field] as string | string[] | null | undefined
    // An empty array is kept: it connects and disconnects nothing, but as a replacement it removes
    // everything.
    if (ids === undefined || ids === null || ids === '') return []
    const { record: kind } = leadRelations[relation]
    const records = unique([ids].flat())
    return [{ relation, kind, action, path: [...path, field], ids, records }]
  }
  return [
    ...relationNames.flatMap((name) => link(name, 'replace', name)),
    ...link('lists', 'connect', 'id_list'),
    ...relationNames.flatMap((name) => link(name, 'connect', `${name}_connect`)),
    ...disconnectRelations.flatMap((name) => link(name, 'disconnect', `${name}_disconnect`)),
  ]
}

/** The lists that the change adds leads to without saying which status they have there. */
function joinedLists(links: Link[], listOf: Map<string, string | null>): string[] {
  const said = links.filter(
    ({ relation, action }) => relation === 'status' && action !== 'disconnect',
  )
  if (said.some(({ action }) => action === 'replace')) return []
  const known = new Set(said.flatMap(({ records }) => records.map((id) => listOf.get(id))))
  return links
    .filter(({ relation, action }) => relation === 'lists' && action !== 'disconnect')
    .flatMap(({ records }) => records.filter((id) => !known.has(id)))
}

/** Holds for a lead that the link changes. */
function linkDiffers(
  space: string,
  { relation, action, records }: Link,
  listOf: Map<string, string | null>,
): Sql {
  const { join: table, column } = leadRelations[relation]
  const wanted =
    relation === 'status' && action !== 'disconnect'
      ? lastOfEachList(records, listOf).map(({ id }) => id)
      : records
  const rows = (matches: Sql) => sql`(select count(*) from ${raw(table)}
    where id_space = ${space} and id_lead = lead.id and ${raw(column)} ${matches})`
  const has = rows(sql`= any(${wanted}::uuid[])`)
  if (action === 'disconnect') return sql`${has} > 0`
  const lacks = sql`${has} < ${wanted.length}::int`
  return action === 'connect'
    ? lacks
    : sql`(${lacks} or ${rows(sql`<> all(${wanted}::uuid[])`)} > 0)`
}

/** Checks values of attributes, and locks these. */
export async function attributeValues(
  db: Db,
  space: string,
  attributes: Record<string, unknown> | undefined,
  path: Issue['path'],
) {
  const ids = Object.keys(attributes ?? {})
  if (!attributes || ids.length === 0) return {}
  const definitions = await lockAttributes(db, space, ids)
  const { values, references } = await readFollowed(db, space, definitions, attributes, path)
  await requireReferences(db, space, references)
  return values
}

/** The values, which refer to the leads that merged ones are part of, and the references, which are not checked. */
export async function readFollowed(
  db: Db,
  space: string,
  definitions: Definition[],
  attributes: Record<string, unknown>,
  path: Issue['path'],
) {
  const { values, relations } = readValues(definitions, attributes, [...path, 'attributes'])
  const follow = await followMerged(
    db,
    space,
    relations.map(({ id }) => id),
  )
  const references = relations.map(({ attribute, id, path }) => {
    const ids = follow(id)
    values[attribute] = ids
    return { kind: 'lead' as const, path, ids }
  })
  return { values, references }
}

/** A lead has one status in each list. If several are given, the last one counts. */
export function lastOfEachList(ids: string[], listOf: Map<string, string | null>) {
  const chosen = new Map(ids.map((id) => [listOf.get(id) ?? null, id]))
  return [...chosen].map(([id_list, id]) => ({ id, id_list }))
}

export const unique = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]
