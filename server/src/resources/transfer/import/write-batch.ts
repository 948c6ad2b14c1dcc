// A planned batch, written.
import { leadRelations } from '@rapport/contract/leads/relations'
import { type Db, LostRace } from '../../../db/driver.ts'
import { raw, run, sql } from '../../../db/sql.ts'
import { trustReferences } from '../../../db/trust-references.ts'
import type { Author } from '../../../feed/author.ts'
import { newId } from '../../../ids.ts'
import {
  deferRelations,
  insertCompanies,
  insertLeads,
  journalCreated,
  lockLeads,
  updateRows,
} from '../../leads/leads.batch.sql.ts'
import { columnDefaults } from '../../leads/leads.columns.ts'
import { changeCount } from '../../leads/leads.count.sql.ts'
import { trim } from '../../leads/leads.match.ts'
import {
  connect,
  connectNew,
  type Pair,
  setNewStatuses,
  setStatuses,
  thesePairs,
  theseStatuses,
} from '../../leads/leads.relations.sql.ts'
import { insertNotes } from '../../notes/notes.sql.ts'
import type { Catalogue } from './known-records.ts'
import type { Plan, PlannedLead } from './plan-batch.ts'

export interface WriteOptions {
  createCompanies: boolean
}

/** Returns how many companies were made beside the leads. */
export async function writePlan(
  tx: Db,
  by: Author,
  plan: Plan,
  catalogue: Catalogue,
  { createCompanies }: WriteOptions,
  id_import: string,
): Promise<number> {
  const { space } = by
  const { leads } = plan
  if (leads.length === 0) return 0
  await catalogue.saveMade(tx, by)
  // What the rows refer to cannot go any more. Checking each reference again would take a quarter of the time.
  await lockUsed(tx, space, leads)
  await trustReferences(tx)
  const changed = leads.filter(({ isNew }) => !isNew)
  if (changed.length > 0) await update(tx, by, changed)
  const fresh = leads.filter(({ isNew }) => isNew)
  if (fresh.length > 0) await insert(tx, by, fresh)

  // What belongs to a new lead is told by its creation.
  const pairs = (of: PlannedLead[], name: 'lists' | 'tags' | 'owners') =>
    of.flatMap((lead) => [...lead[name]].map((id): Pair => [lead.id, id]))
  const statuses = (of: PlannedLead[]) =>
    of.flatMap(({ id: lead, status }) =>
      [...status.values()].map(({ id, id_list }) => ({ lead, id, id_list })),
    )
  await connectNew(tx, space, 'lists', pairs(fresh, 'lists'))
  await setNewStatuses(tx, space, statuses(fresh))
  await connectNew(tx, space, 'tags', pairs(fresh, 'tags'))
  await connectNew(tx, space, 'owners', pairs(fresh, 'owners'))
  if (changed.length > 0) {
    await connect(tx, by, 'lists', thesePairs(pairs(changed, 'lists')))
    await setStatuses(tx, by, theseStatuses(statuses(changed)))
    await connect(tx, by, 'tags', thesePairs(pairs(changed, 'tags')))
    await connect(tx, by, 'owners', thesePairs(pairs(changed, 'owners')))
  }
  const notes = leads.flatMap(({ id: id_lead, notes: texts }) =>
    [...texts].map((content) => ({ id: newId(), id_lead, content })),
  )
  if (notes.length > 0) await insertNotes(tx, by, notes)
  await deferRelations(tx, space, id_import, plan.deferred)
  const companies = createCompanies ? await insertCompanies(tx, by, companiesOf(leads)) : []
  await journalCreated(tx, by, [...fresh.map(({ id }) => id), ...companies])
  await changeCount(tx, space, fresh.length + companies.length)
  return companies.length
}

/** Locks the tags, statuses and owners of the leads. Their lists are locked since the batch began. */
async function lockUsed(tx: Db, space: string, leads: PlannedLead[]): Promise<void> {
  const used = {
    status: leads.flatMap(({ status }) => [...status.values()].map(({ id }) => id)),
    tags: leads.flatMap(({ tags }) => [...tags]),
    owners: leads.flatMap(({ owners }) => [...owners]),
  }
  for (const name of ['status', 'tags', 'owners'] as const) {
    const ids = [...new Set(used[name])]
    if (ids.length === 0) continue
    const found = await run(
      tx,
      sql`select id from ${raw(leadRelations[name].record)}
        where id_space = ${space} and id = any(${ids}::uuid[]) order by id for key share`,
    )
    if (found.length < ids.length)
      throw new LostRace(`Some of the ${name} of the batch were deleted`)
  }
}

async function insert(tx: Db, by: Author, leads: PlannedLead[]): Promise<void> {
  const time = by.now.toISOString()
  const columns = new Set(['attributes', 'usersId', 'created_at', 'updated_at'])
  // This changes the objects of the plan: copies would take more time than everything else here.
  const rows = leads.map(({ fields, attributes }) => {
    for (const name in fields) columns.add(name)
    fields.attributes = withoutNulls(attributes)
    fields.usersId = by.actor.member
    fields.created_at ??= time
    fields.updated_at ??= time
    return fields
  })
  for (const [name, value] of Object.entries(columnDefaults)) {
    if (columns.has(name)) for (const row of rows) row[name] ??= value
  }
  await insertLeads(tx, by.space, [...columns], rows)
}

async function update(tx: Db, by: Author, leads: PlannedLead[]): Promise<void> {
  await lockLeads(
    tx,
    by.space,
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
  await updateRows(tx, by, columns, updates)
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
