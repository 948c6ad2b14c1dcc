// What a bulk change would do. It is done to ten leads and rolled back, so the sample is exact. Only a merge, which would
// lock half of the workspace, is computed.
import { isDeepStrictEqual } from 'node:util'

import type { BulkData } from '@rapport/contract/leads/bulk'
import { answeredFields, changeFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { leadName, nameFields } from '@rapport/contract/leads/name'
import { toldRelations } from '@rapport/contract/leads/relations'
import type { Preview } from '@rapport/contract/operations'
import type { PreviewKind } from '@rapport/contract/operations.values'
import { type Db, type Pool, transaction } from '../../db/driver.ts'
import { columnNames, raw, runUnprepared, type Sql, sql } from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { type BulkPlan, planBulk } from '../leads/bulk/plan.ts'
import { findLeads, isOf, pickLeads } from '../leads/change/pick.sql.ts'
import { finishKeys, finishMs } from '../leads/duplicates/build.ts'
import { selectUnitedStatuses } from '../leads/merge/merge.sql.ts'
import type { Decision } from '../leads/merge/merge.ts'
import { leadsWithFields, selectJson } from '../leads/row/json.sql.ts'
import { hashOf, type Previewed } from './confirm.ts'

const sampleSize = 10

export interface Wanted<K extends PreviewKind = PreviewKind> {
  kind: K
  filter: LeadFilter
  data: BulkData[K]
}

type Found = { seen: Previewed } & Pick<
  Preview,
  'changed' | 'sample' | 'shares' | 'groups' | 'merged' | 'skipped' | 'too_large'
>

class RollBack extends Error {}

export async function lookAt(db: Pool, by: Author, wanted: Wanted): Promise<Found> {
  let found: Found | undefined
  if (wanted.kind === 'merge' && (wanted.data as BulkData['merge']).by) {
    await finishKeys(db, by.space, { forMs: finishMs })
  }
  try {
    await transaction(db, async (tx) => {
      const { kind, filter, data } = wanted
      const plan = await planBulk(tx, by, kind, filter, data, { data: ['data'] })
      found = plan.merge
        ? await lookAtMerge(tx, by, plan, plan.merge)
        : await lookAtChange(tx, by, plan)
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
  return found as Found
}

async function lookAtChange(db: Db, by: Author, plan: BulkPlan): Promise<Found> {
  const { changed, ...seen } = await count(db, by.space, plan)
  const shares = await plan.shares?.(turnsOf(by.space, plan))
  return { seen, changed, ...(shares && { shares }), sample: await sampleOf(db, by, plan) }
}

/** Counts the groups, and previews the first ones. It changes nothing, so it locks nothing. */
async function lookAtMerge(
  db: Db,
  { space }: Author,
  plan: BulkPlan,
  { groupsOf, decide }: NonNullable<BulkPlan['merge']>,
): Promise<Found> {
  const { count, ids } = await findLeads(db, space, plan.condition)
  const { groups, skipped, tooLarge } = await groupsOf(ids)
  const first = await decide(groups.slice(0, sampleSize))
  const leads = await read(db, space, groups.slice(0, sampleSize).flat())
  const pairs = first.flatMap(({ stays, others }) =>
    others.map(({ id }) => ({ id, into: stays.id })),
  )
  const statuses = await selectUnitedStatuses(db, space, pairs)
  const changed = groups.flat().length
  return {
    ...{ seen: { count, groups: hashOf(groups) }, changed },
    ...{ groups: groups.length, merged: changed - groups.length, skipped },
    ...{ too_large: tooLarge.length },
    sample: first.map((decision) => {
      const { id } = decision.stays
      const gets = statuses.flatMap(({ id_lead, id_status }) => (id_lead === id ? id_status : []))
      const [before, after] = [leads.get(id), afterMerge(leads, decision, gets)]
      const name = leadName(after)
      return {
        ...{ id, name, ...difference(before, after) },
        merged: decision.others.map(({ id }) => id),
      }
    }),
  }
}

/** The lead that stays, as it will be read. `gets` are the statuses that it gets. */
function afterMerge(
  leads: Map<string, Lead>,
  { stays, others, update }: Decision,
  gets: string[],
): Lead {
  const all = [stays, ...others].flatMap(({ id }) => leads.get(id) ?? [])
  const after: Lead = { ...(leads.get(stays.id) as Lead) }
  for (const name of update?.sent ?? []) {
    const value = update?.set[name] ?? null
    const source = [stays, ...others].find((lead) => isDeepStrictEqual(lead[name] ?? null, value))
    if (shown.has(name)) after[name] = source ? leads.get(source.id)?.[name] : value
  }
  const { attributes = {}, cleared = [] } = update ?? {}
  const values = Object.entries({ ...stays.attributes, ...attributes })
  after.attributes = Object.fromEntries(values.filter(([id]) => !cleared.includes(id)))
  for (const name of toldRelations) {
    const items = all.flatMap((lead) => lead[name] as { id: string }[])
    const own = new Set((after[name] as { id: string }[]).map(({ id }) => id))
    const isKept = ({ id }: { id: string }) => name !== 'status' || own.has(id) || gets.includes(id)
    after[name] = [...new Map(items.filter(isKept).map((item) => [item.id, item])).values()]
  }
  return after
}

/**
 * The selected leads, after `from`. Those that members get in turn have their numbers and these columns, without a
 * join: PostgreSQL may not know yet that they are many.
 */
function selected(space: string, plan: BulkPlan, columns: string[]): Sql {
  const chosen = sql`lead
    where lead.id_space = ${space} and ${isOf(plan.of)} and (${plan.condition})`
  if (!plan.shares) return chosen
  const number = sql`row_number() over (order by lead.id) as number`
  return sql`(select ${columnNames(columns)}, ${number} from ${chosen}) lead where true`
}

const turnsOf = (space: string, plan: BulkPlan) =>
  sql`select lead.id as id_lead, lead.number from ${selected(space, plan, ['id'])}`

async function count(db: Db, space: string, plan: BulkPlan) {
  const [row] = await runUnprepared<[{ count: number; changed: number }]>(db)`
    select count(*)::int as count, (count(*) filter (where ${plan.wouldChange}))::int as changed
    from ${selected(space, plan, ['id'])}`
  return row
}

async function sampleOf(db: Db, by: Author, plan: BulkPlan): Promise<Preview['sample']> {
  const { space } = by
  const columns = ['id', ...nameFields]
  const rows = await runUnprepared<
    ({ id: string; number: number } & Parameters<typeof leadName>[0])[]
  >(
    db,
    sql`select ${columnNames(columns)}, ${raw(plan.shares ? 'number' : 'null')} as number
      from ${selected(space, plan, [...columns, 'created_at'])} and ${plan.wouldChange}
      order by lead.created_at desc, lead.id limit ${sampleSize}`,
  )
  const named = rows.map((lead) => ({ id: lead.id, name: leadName(lead) }))
  const { sample } = plan
  if (sample) return named.map((lead) => ({ ...lead, ...sample }))
  const ids = rows.map(({ id }) => id)
  const picked = await pickLeads(db, space, sql`lead.id = any(${ids}::uuid[])`)
  const before = await read(db, space, ids)
  const numbers = rows.map(({ number }) => number)
  const turns = sql`select id_lead, number
    from unnest(${ids}::uuid[], ${numbers}::bigint[]) as turn (id_lead, number)`
  if (picked.count > 0) await plan.apply(by, plan.shares ? { ...picked, turns } : picked)
  const after = await read(db, space, ids)
  return named.map((lead) => ({ ...lead, ...difference(before.get(lead.id), after.get(lead.id)) }))
}

/** The values that differ. */
function difference(before: Lead | undefined, after: Lead | undefined) {
  const names = Object.keys(before ?? {}).filter(
    (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  )
  const only = (values?: Lead) => Object.fromEntries(names.map((name) => [name, values?.[name]]))
  return { before: only(before), after: only(after) }
}

type Lead = Record<string, unknown> & Parameters<typeof leadName>[0] & { id: string }

const shown = new Set<string>([...answeredFields, ...changeFields])
shown.delete('updated_at')
const statement = leadsWithFields([...shown])

async function read(db: Db, space: string, ids: string[]): Promise<Map<string, Lead>> {
  const leads: Lead[] = JSON.parse((await selectJson(db, statement, space, ids)).toString())
  return new Map(leads.map((lead) => [lead.id, lead]))
}
