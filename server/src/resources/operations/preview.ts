// What a bulk change would do. It is done to ten leads and rolled back, so the sample is exact.
import { answeredFields, changeFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { BulkKind, Preview } from '@rapport/contract/operations'
import type { Db, Pool } from '../../db/driver.ts'
import { runUnprepared, sql } from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { pickLeads } from '../leads/leads.bulk.sql.ts'
import { leadsWithFields, selectJson } from '../leads/leads.json.sql.ts'
import { applyPlan, type BulkData, type BulkPlan, planBulk } from '../leads/leads.kinds.ts'

const sampleSize = 10

export interface Wanted<K extends BulkKind = BulkKind> {
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
      found = { ...counts, sample: await sampleOf(tx, by, plan) }
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
  return found as Found
}

async function count(db: Db, space: string, { condition, wouldChange }: BulkPlan) {
  const [row] = await runUnprepared<[{ count: number; changed: number }]>(
    db,
    sql`select count(*)::int as count, (count(*) filter (where ${wouldChange}))::int as changed
      from lead where lead.id_space = ${space} and not lead.is_deleted and (${condition})`,
  )
  return row
}

async function sampleOf(db: Db, by: Author, plan: BulkPlan): Promise<Preview['sample']> {
  const { space } = by
  const rows = await runUnprepared<{ id: string }[]>(
    db,
    sql`select lead.id from lead
      where lead.id_space = ${space} and not lead.is_deleted
        and (${plan.condition}) and ${plan.wouldChange}
      order by lead.created_at desc, lead.id limit ${sampleSize}`,
  )
  const ids = rows.map(({ id }) => id)
  const picked = await pickLeads(db, space, sql`lead.id = any(${ids}::uuid[])`)
  const before = await read(db, space, ids)
  await applyPlan(db, by, plan, picked)
  const after = new Map((await read(db, space, ids)).map((lead) => [lead.id, lead]))
  return before.map((lead) => {
    // A lead that is deleted has no values after.
    const changed =
      after.get(lead.id) ?? Object.fromEntries(Object.keys(lead).map((key) => [key, null]))
    const isDeleted = !after.has(lead.id)
    const names = Object.keys(lead).filter(
      (name) => JSON.stringify(lead[name]) !== JSON.stringify(changed[name]),
    )
    const only = (values: Lead) => Object.fromEntries(names.map((name) => [name, values[name]]))
    return {
      id: lead.id,
      name: nameOf(lead),
      before: isDeleted ? { is_deleted: false } : only(lead),
      after: isDeleted ? { is_deleted: true } : only(changed as Lead),
    }
  })
}

type Lead = Record<string, unknown> & { id: string }

const shown = new Set<string>([...answeredFields, ...changeFields])
shown.delete('updated_at')
const statement = leadsWithFields([...shown])

async function read(db: Db, space: string, ids: string[]): Promise<Lead[]> {
  return JSON.parse((await selectJson(db, statement, space, ids)).toString())
}

function nameOf({ first_name, last_name, company, email }: Lead): string {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return String(name || company || email || '')
}
