// A planned batch, written.
import type { Db } from '../../../db/driver.ts'
import { newId } from '../../../ids.ts'
import {
  connectRecords,
  connectStatuses,
  deferRelations,
  insertCompanies,
  insertLeads,
  lockLeads,
  type Pair,
  updateLeads,
} from '../../leads/leads.batch.sql.ts'
import { columnDefaults } from '../../leads/leads.columns.ts'
import { changeCount } from '../../leads/leads.count.sql.ts'
import { trim } from '../../leads/leads.match.ts'
import { insertNotes } from '../../notes/notes.sql.ts'
import type { Catalogue } from './known-records.ts'
import type { Plan, PlannedLead } from './plan-batch.ts'

export interface WriteOptions {
  space: string
  user: string | null
  createCompanies: boolean
}

/** Returns how many companies were made beside the leads. */
export async function writePlan(
  tx: Db,
  plan: Plan,
  catalogue: Catalogue,
  { space, user, createCompanies }: WriteOptions,
  id_import: string,
  now: Date,
): Promise<number> {
  const { leads } = plan
  if (leads.length === 0) return 0
  await catalogue.saveMade(tx, space, now)
  const changed = leads.filter(({ isNew }) => !isNew)
  if (changed.length > 0) await update(tx, space, changed, now)
  const fresh = leads.filter(({ isNew }) => isNew)
  if (fresh.length > 0) await insert(tx, space, fresh, user, now)

  const pairs = (name: 'lists' | 'tags' | 'owners') =>
    leads.flatMap((lead) => [...lead[name]].map((id): Pair => [lead.id, id]))
  await connectRecords(tx, space, 'lists', pairs('lists'))
  await connectStatuses(
    tx,
    space,
    leads.flatMap(({ id: lead, status }) =>
      [...status.values()].map(({ id, id_list }) => ({ lead, id, id_list })),
    ),
  )
  await connectRecords(tx, space, 'tags', pairs('tags'))
  await connectRecords(tx, space, 'owners', pairs('owners'))
  const notes = leads.flatMap(({ id: id_lead, notes: texts }) =>
    [...texts].map((content) => ({ id: newId(), id_lead, content })),
  )
  if (notes.length > 0) await insertNotes(tx, space, notes, now)
  await deferRelations(tx, space, id_import, plan.deferred)
  const companies = createCompanies
    ? await insertCompanies(tx, space, companiesOf(leads), user, now)
    : 0
  await changeCount(tx, space, fresh.length + companies)
  return companies
}

async function insert(
  tx: Db,
  space: string,
  leads: PlannedLead[],
  user: string | null,
  now: Date,
): Promise<void> {
  const time = now.toISOString()
  const columns = new Set(['attributes', 'usersId', 'created_at', 'updated_at'])
  // This changes the objects of the plan: copies would take more time than everything else here.
  const rows = leads.map(({ fields, attributes }) => {
    for (const name in fields) columns.add(name)
    fields.attributes = withoutNulls(attributes)
    fields.usersId = user
    fields.created_at ??= time
    fields.updated_at ??= time
    return fields
  })
  for (const [name, value] of Object.entries(columnDefaults)) {
    if (columns.has(name)) for (const row of rows) row[name] ??= value
  }
  await insertLeads(tx, space, [...columns], rows)
}

async function update(tx: Db, space: string, leads: PlannedLead[], now: Date): Promise<void> {
  await lockLeads(
    tx,
    space,
    leads.map(({ id }) => id),
  )
  const updates = leads.map(({ id, fields, attributes }) => {
    const { id: _id, created_at: _created, updated_at: _updated, ...set } = fields
    for (const [name, value] of Object.entries(columnDefaults)) {
      if (set[name] === null) set[name] = value
    }
    // A company that was created beside a person claims its name until the name is changed.
    if ('company' in set || 'is_company' in set) set.company_claim = null
    const cleared = Object.keys(attributes).filter((key) => attributes[key] === null)
    return { id, set, sent: Object.keys(set), attributes: withoutNulls(attributes), cleared }
  })
  const columns = [...new Set(updates.flatMap(({ sent }) => sent))]
  await updateLeads(tx, space, columns, updates, now)
}

function withoutNulls(values: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(values).includes(null)) return values
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/** One for each name, as POST /lead makes it beside a person. */
function companiesOf(leads: PlannedLead[]): { id: string; name: string }[] {
  const byName = new Map<string, string>()
  for (const { fields } of leads) {
    const name = trim(String(fields.company ?? ''))
    if (name && !fields.is_company && !byName.has(name.toLowerCase())) {
      byName.set(name.toLowerCase(), name)
    }
  }
  return [...byName.values()].map((name) => ({ id: newId(), name }))
}
