// What a bulk change would do. It is done to ten leads and rolled back, so the sample is exact.
import { answeredFields, changeFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { Preview, PreviewKind } from '@rapport/contract/operations'
import type { Db, Pool } from '../../db/driver.ts'
import { runUnprepared, sql } from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { isOf, pickLeads } from '../leads/leads.bulk.sql.ts'
import { leadsWithFields, selectJson } from '../leads/leads.json.sql.ts'
import { applyPlan, type BulkData, type BulkPlan, planBulk } from '../leads/leads.kinds.ts'

const sampleSize = 10

export interface Wanted<K extends PreviewKind = PreviewKind> {
  kind: K
  filter: LeadFilter
  data: BulkData[K]
}

type Found = Pick<Preview, 'count' | 'changed' | 'sample'>

class RollBack extends Error {}

export async function lookAt(db: Pool, by: Author, wanted: Wanted): Promise<Found> {
  let found: Found | undefined
  try {
    await db.begin(async (tx) => {
      const { kind, filter, data } = wanted
      const plan = await planBulk(tx, by, kind, filter, data, { data: ['data'] })
      const counts = await count(tx, by.space, plan)
      found = { ...counts, sample: await sampleOf(tx, by, wanted.kind, plan) }
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
  return found as Found
}

async function count(db: Db, space: string, { condition, wouldChange, of }: BulkPlan) {
  const [row] = await runUnprepared<[{ count: number; changed: number }]>(
    db,
    sql`select count(*)::int as count, (count(*) filter (where ${wouldChange}))::int as changed
      from lead where lead.id_space = ${space} and ${isOf(of)} and (${condition})`,
  )
  return row
}

async function sampleOf(
  db: Db,
  by: Author,
  kind: PreviewKind,
  plan: BulkPlan,
): Promise<Preview['sample']> {
  const { space } = by
  const rows = await runUnprepared<Lead[]>(
    db,
    sql`select lead.id, lead.first_name, lead.last_name, lead.company, lead.email from lead
      where lead.id_space = ${space} and ${isOf(plan.of)}
        and (${plan.condition}) and ${plan.wouldChange}
      order by lead.created_at desc, lead.id limit ${sampleSize}`,
  )
  const named = rows.map((lead) => ({ id: lead.id, name: nameOf(lead) }))
  if (kind === 'delete' || kind === 'erase') {
    const before = { is_deleted: plan.of === 'deleted' }
    const after = kind === 'erase' ? { is_erased: true } : { is_deleted: true }
    return named.map((lead) => ({ ...lead, before, after }))
  }
  const ids = rows.map(({ id }) => id)
  const picked = await pickLeads(db, space, sql`lead.id = any(${ids}::uuid[])`)
  const before = await read(db, space, ids)
  await applyPlan(db, by, plan, picked)
  const after = await read(db, space, ids)
  return named.map((lead) => {
    const [old, now] = [before.get(lead.id), after.get(lead.id)]
    const names = Object.keys(old ?? {}).filter(
      (name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]),
    )
    const only = (values?: Lead) => Object.fromEntries(names.map((name) => [name, values?.[name]]))
    return { ...lead, before: only(old), after: only(now) }
  })
}

type Lead = Record<string, unknown> & { id: string }

const shown = new Set<string>([...answeredFields, ...changeFields])
shown.delete('updated_at')
const statement = leadsWithFields([...shown])

async function read(db: Db, space: string, ids: string[]): Promise<Map<string, Lead>> {
  const leads: Lead[] = JSON.parse((await selectJson(db, statement, space, ids)).toString())
  return new Map(leads.map((lead) => [lead.id, lead]))
}

function nameOf({ first_name, last_name, company, email }: Lead): string {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return String(name || company || email || '')
}
