// Writes the leads of POST /lead: any number of a workspace in one transaction. First it looks up and locks what
// they refer to, then it writes the valid ones. Invalid ones do not affect them.
import { answeredFields, createFields } from '@rapport/contract/leads/fields'
import {
  leadRelations,
  type PlainRelation,
  perRelation,
  plainRelations,
  type ToldRelation,
  toldRelations,
} from '@rapport/contract/leads/relations'
import { roundAmount } from '@rapport/contract/money.values'
import type { LastStatements } from '../../../db/commit-together.ts'
import type { Db } from '../../../db/driver.ts'
import { limitLockWaits } from '../../../db/lock-limit.ts'
import { join, run, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { type Changed, insertEventsOf } from '../../../feed/record.sql.ts'
import type { Done, Outcome, Repeatable } from '../../../http/handler.ts'
import { insertAnswers } from '../../../idempotency/idempotency.sql.ts'
import { beginRequests } from '../../../idempotency/idempotency.ts'
import {
  existing,
  lockListsOf,
  type RecordKind,
  type ReferenceRow,
  type Wait,
} from '../../../references/references.sql.ts'
import { selectLeadIds } from '../change/batch.sql.ts'
import { lastOfEachList } from '../change/change.ts'
import { attributePrefix } from '../change/journal.sql.ts'
import { startsOf } from '../change/relations.sql.ts'
import { keysNow, leadsWithKeys, maxLike, selectZone, zoneOf } from '../duplicates/keys.sql.ts'
import { isExact, keysOf, type LeadKey } from '../duplicates/keys.ts'
import { columnDefaults } from '../row/columns.ts'
import { addNumber } from '../row/count.sql.ts'
import {
  type Company,
  insertLeads,
  leadWriter,
  type NewLead,
  newClaims,
  newCompanies,
  withStarts,
} from './insert.sql.ts'

/** A lead to create. All ids are checked to be UUIDs, but not yet to exist. */
export interface Order extends Record<ToldRelation, string[]> {
  by: Author
  id: string
  /** The caller has chosen the id, so another lead may have it. */
  isIdGiven: boolean
  /** An earlier attempt may have written the lead. */
  mayBeWritten: boolean
  /** Columns and values. */
  fields: Record<string, unknown>
  /** The company to create with the lead, unless the workspace has it. */
  company: Omit<Company, 'usersId' | 'created_at'> | null
  /** The attribute definitions that the values were checked against. */
  attributes: { id: string; version: number }[]
  /** Leads that the attribute values refer to. */
  relations: string[]
  /** With it, the response is stored in the same transaction. */
  request: Repeatable | undefined
}

/** Returns the response or throws it. Undefined: a record is missing or the id is taken, and nothing was written. */
export type Answered = (() => Created) | undefined

export interface Created extends Outcome {
  /** Possible duplicates. */
  like?: string[]
}

export interface Patience {
  /** Whether to wait for lists and attributes that others have locked, possibly for a long time. */
  wait: Wait
  /** How long to wait for any other lock, if not as long as a request may. */
  lockLimitMs?: number
}

/** For `commitTogether`. */
export async function writeOrders(
  tx: Db,
  space: string,
  orders: Order[],
  { wait, lockLimitMs }: Patience,
): Promise<LastStatements<Answered[]>> {
  // First, because a retry must not wait for the lock of a list.
  const answers = await answersBefore(tx, space, orders)
  const open = orders.filter((order) => !answers.has(order))
  const [, found] = await Promise.all([
    lockLimitMs && limitLockWaits(tx, lockLimitMs),
    lookUp(tx, space, open, wait),
  ])
  const fit: Fit[] = []
  for (const order of open) {
    const lead = leadOf(order, found)
    const isWritten = order.mayBeWritten && found.leads.get(order.id)?.created_at === nowOf(order)
    if (!lead && !isWritten) continue
    const done = { body: answerOf(order), operation: null }
    const like = likeOf(order, found)
    answers.set(order, () => ({ ...done, isReplayed: false, like }))
    if (lead) fit.push({ order, lead, done })
  }
  return {
    statements: fit.length > 0 ? insertAll(space, fit, found) : [],
    result: orders.map((order) => answers.get(order)),
  }
}

interface Fit {
  order: Order
  lead: NewLead
  done: Done
}

async function answersBefore(
  tx: Db,
  space: string,
  orders: Order[],
): Promise<Map<Order, Answered>> {
  const repeatable = orders.flatMap((order) =>
    order.request ? [{ order, request: order.request }] : [],
  )
  const [first] = repeatable
  if (!first) return new Map()
  const requests = repeatable.map(({ request }) => request)
  const before = await beginRequests(tx, space, requests, first.order.by.now)
  return new Map(
    repeatable.flatMap(({ order }, at): [Order, Answered][] =>
      before[at] ? [[order, before[at]]] : [],
    ),
  )
}

/** The records that exist, by relation, and what else the orders need to know. */
interface Found extends Record<PlainRelation, Set<string>> {
  /** List → the status that a lead gets when it joins. */
  starts: Map<string, string>
  /** Status → its list. */
  status: Map<string, string | null>
  /** Attribute → its version. */
  attributes: Map<string, number>
  leads: Map<string, { is_deleted: boolean; created_at: string }>
  /** The names of new companies, each with its claim. */
  claims: Map<string, string>
  /** The time zone of the workspace. */
  zone: string
  /** Key → the leads that have it, including those written together with this one. */
  like: Map<string, string[]>
  keys: Map<Order, LeadKey[]>
}

const nowOf = ({ by }: Order) => by.now.toISOString()

/** Lists are locked, the others are looked up. */
const unlocked = toldRelations.filter((name) => name !== 'lists')

/** The member of the key exists; if it was just removed, the foreign key reports it. */
const isCreator = ({ fields }: Order, kind: RecordKind, id: string) =>
  kind === 'member' && id === fields.usersId

/** The time zone of each workspace when a lead was last created in it. It is queried together with everything else. */
const zones = new Map<string, string>()
const maxZones = 1_000

/** The leads that share a key with the new one, which is added for the next ones. */
function likeOf(order: Order, { like, keys }: Found): string[] {
  const ids = new Set<string>()
  for (const { kind, key } of keys.get(order)?.filter(isExact) ?? []) {
    for (const id of like.get(`${kind} ${key}`) ?? []) ids.add(id)
    addTo(like, `${kind} ${key}`, order.id)
  }
  return [...ids].slice(0, maxLike)
}

function addTo(lists: Map<string, string[]>, name: string, id: string): void {
  const list = lists.get(name)
  if (list) list.push(id)
  else lists.set(name, [id])
}

/** All statements are sent together. The locks come in the order of all transactions. */
async function lookUp(tx: Db, space: string, orders: Order[], wait: Wait): Promise<Found> {
  const all = (read: (order: Order) => string[]) => [...new Set(orders.flatMap(read))]
  const [lists, status] = [all((order) => order.lists), all((order) => order.status)]
  const named = (kind: RecordKind) => {
    const names = unlocked.filter((name) => leadRelations[name].record === kind)
    return all((order) =>
      names.flatMap((name) => order[name]).filter((id) => !isCreator(order, kind, id)),
    )
  }
  const ids = all(({ id, isIdGiven, mayBeWritten, relations }) =>
    isIdGiven || mayBeWritten ? [id, ...relations] : relations,
  )
  const companies = all(({ company }) => (company ? [company.name] : []))
  const zoneBefore = zones.get(space) ?? (await selectZone(tx, space))
  const keysIn = (zone: string) =>
    new Map(orders.map((order) => [order, keysOf(order.fields, zone)]))
  const keys = keysIn(zoneBefore)
  const [locked, rows, versions, leads] = await Promise.all([
    lockListsOf(tx, space, { lists, status }, wait),
    selectRecords(tx, space, named, {
      ...{ lists, companies, keys: [...keys.values()].flat().filter(isExact) },
    }),
    lockVersions(
      tx,
      space,
      all(({ attributes }) => attributes.map(({ id }) => id)),
      wait,
    ),
    selectLeadIds(tx, space, ids),
  ])
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  const zone = of('zone')[0]?.name ?? 'UTC'
  if (zones.size >= maxZones) zones.clear()
  zones.set(space, zone)
  const like = new Map<string, string[]>()
  for (const { id, name, claim } of of('like')) addTo(like, `${claim} ${name}`, id)
  const idsOf = (kind: string) => of(kind).map(({ id }) => id)
  return {
    ...perRelation(plainRelations, (name) => new Set(idsOf(leadRelations[name].record))),
    lists: new Set(locked),
    starts: new Map(of('start').map(({ id, id_list }) => [id_list as string, id])),
    status: new Map(of('status').map(({ id, id_list }) => [id, id_list])),
    attributes: new Map(versions.map(({ id, version }) => [id, version])),
    leads: new Map(leads.map((row) => [row.id, row])),
    claims: new Map(of('company').map(({ name, claim }) => [name, claim])),
    ...{ zone, like, keys: zone === zoneBefore ? keys : keysIn(zone) },
  }
}

interface RecordRow extends Omit<ReferenceRow, 'kind'> {
  kind: string
  name: string
  claim: string
}

/**
 * The records that exist, the first statuses of lists, the names of new companies, leads with the same keys and the time
 * zone of the workspace: one statement, because each has an answer, and a lone client waits for all of them.
 */
async function selectRecords(
  tx: Db,
  space: string,
  named: (kind: RecordKind) => string[],
  { lists, companies, keys }: { lists: string[]; companies: string[]; keys: LeadKey[] },
): Promise<RecordRow[]> {
  const records = existing(space, named)
  if (lists.length > 0) {
    records.push(sql`select 'start' as kind, id, id_list from (${startsOf(space, lists)}) start`)
  }
  const parts = records.map(
    (query) => sql`select kind, id, id_list, null as name, null as claim from (${query}) record`,
  )
  if (companies.length > 0) {
    parts.push(sql`select 'company' as kind, null::uuid as id, null::uuid as id_list, name, claim
      from (${newClaims(space, companies)}) company`)
  }
  if (keys.length > 0) {
    parts.push(sql`select 'like' as kind, id_lead as id, null::uuid as id_list, key as name,
        kind::text as claim
      from (${leadsWithKeys(space, keys)}) alike`)
  }
  parts.push(sql`select 'zone' as kind, null::uuid as id, null::uuid as id_list, time_zone as name, null as claim
    from (${zoneOf(space)}) home`)
  return run(tx, join(parts, ' union all '))
}

/** Locked, so that the definitions stay as they were when the values were checked against them. */
async function lockVersions(tx: Db, space: string, ids: string[], wait: Wait) {
  if (ids.length === 0) return []
  return run<{ id: string; version: number }[]>(tx)`
    select id, version from attribute
    where id_space = ${space} and id = any(${ids}::uuid[]) order by id for share ${wait}`
}

/** Undefined if something that it refers to is missing, or its id is taken. */
function leadOf(order: Order, found: Found): NewLead | undefined {
  const { id, fields, lists, status, attributes, relations } = order
  // A status of a list puts the lead into the list.
  const last = lastOfEachList(status, found.status)
  const wanted = [...new Set([...lists, ...last.flatMap(({ id_list }) => id_list ?? [])])]
  const related = { ...perRelation(plainRelations, (name) => order[name]), lists: wanted }
  const isThere = (name: PlainRelation) =>
    related[name].every(
      (id) => found[name].has(id) || isCreator(order, leadRelations[name].record, id),
    )
  const isRight =
    !found.leads.has(id) &&
    plainRelations.every(isThere) &&
    status.every((each) => found.status.has(each)) &&
    attributes.every(({ id, version }) => found.attributes.get(id) === version) &&
    relations.every((lead) => found.leads.get(lead)?.is_deleted === false)
  if (!isRight) return undefined
  const now = nowOf(order)
  return {
    row: { attributes: {}, ...fields, id, created_at: now, updated_at: now },
    keys: found.keys.get(order),
    ...{ ...related, status: withStarts(last, wanted, found.starts) },
  }
}

/** The same for every lead, so that all of them are written by the same statement. */
const write = leadWriter([
  ...['id', 'created_at', 'updated_at', 'usersId', 'attributes', 'company_claim'],
  ...createFields.filter((name) => name !== 'id'),
])

function insertAll(space: string, fit: Fit[], { claims, zone }: Found): Sql[] {
  const wanted = fit.flatMap(({ order }) => {
    const { company, fields } = order
    const { usersId } = fields as { usersId: string }
    return company ? [{ ...company, usersId, created_at: nowOf(order), order }] : []
  })
  const companies = newCompanies(wanted, claims)
  const companyOf = new Map(companies.map(({ company, lead }) => [company.order, lead]))
  const leads = [...fit, ...companies].map(({ lead }) => lead)
  const events = fit.map(({ order, lead }) => {
    const company = companyOf.get(order)
    const own = [{ ids: [order.id], changed: changedOf(order, lead) }]
    if (company) own.push({ ids: [company.row.id as string], changed: changedOfCompany(company) })
    return { by: order.by, events: own }
  })
  const answers = fit.flatMap(({ order: { request, by }, done }) =>
    request ? [{ request, now: by.now, done }] : [],
  )
  return [
    ...insertLeads(space, leads, keysNow(zone), write),
    insertEventsOf(space, 'lead.created', events),
    ...(answers.length > 0 ? [insertAnswers(space, answers)] : []),
    addNumber(space, leads.length),
  ]
}

/** What the event says about the new lead. */
function changedOf(order: Order, lead: NewLead): Changed {
  const { fields } = order
  const changed: Changed = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null && !unsaid.has(name)) changed[name] = [null, value]
  }
  for (const [id, value] of Object.entries((fields.attributes ?? {}) as object)) {
    changed[attributePrefix + id] = [null, value]
  }
  for (const name of plainRelations) {
    if (order[name].length > 0) changed[name] = [[], order[name]]
  }
  const [lists, status] = [[...lead.lists], Array.from(lead.status, ({ id }) => id)]
  if (lists.length > 0 || status.length > 0) changed.lists = [[], lists.toSorted()]
  if (status.length > 0) changed.status = [[], status.toSorted()]
  return changed
}

const unsaid = new Set(['usersId', 'attributes'])

function changedOfCompany({ row }: NewLead): Changed {
  const names = ['company', 'is_company', 'avatar_url', 'linkedin_url']
  return Object.fromEntries(names.flatMap((name) => (row[name] ? [[name, [null, row[name]]]] : [])))
}

/** What a lead has in the fields that a new one does not set. */
const unset = Object.fromEntries(answeredFields.map((name) => [name, columnDefaults[name] ?? null]))

/** The lead as the caller sees it. */
function answerOf(order: Order): string {
  const { id, by, fields } = order
  const now = nowOf(order)
  const answer: Record<string, unknown> = {
    ...unset,
    id,
    id_space: by.space,
    created_at: now,
    updated_at: now,
  }
  for (const name of Object.keys(fields)) if (name in unset) answer[name] = fields[name]
  if (fields.contract_value) answer.contract_value = roundAmount(Number(fields.contract_value))
  return JSON.stringify(answer)
}
