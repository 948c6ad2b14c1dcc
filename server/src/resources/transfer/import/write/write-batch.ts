// A planned batch, written.
import { setImmediate } from 'node:timers/promises'
import {
  type Contact,
  type ContactsField,
  leadFields,
  maxContacts,
} from '@rapport/contract/leads/fields'
import {
  leadRelations,
  type PlainRelation,
  perRelation,
  plainRelations,
} from '@rapport/contract/leads/relations'
import { type Db, LostRace } from '../../../../db/driver.ts'
import { raw, run, runAll, type Sql } from '../../../../db/sql.ts'
import { trustReferences } from '../../../../db/trust-references.ts'
import type { Author } from '../../../../feed/author.ts'
import { newId } from '../../../../ids.ts'
import {
  deferRelations,
  journalCreated,
  lockLeads,
  selectContacts,
  updateRows,
} from '../../../leads/change/batch.sql.ts'
import {
  connect,
  joinLists,
  type Pair,
  type Start,
  selectStarts,
  setStatuses,
  thesePairs,
  theseStatuses,
} from '../../../leads/change/relations.sql.ts'
import {
  claimsOf,
  insertLeads,
  type NewLead,
  newCompanies,
  withStarts,
} from '../../../leads/create/insert.sql.ts'
import { keysLater } from '../../../leads/duplicates/keys.sql.ts'
import { columnDefaults } from '../../../leads/row/columns.ts'
import { changeCount } from '../../../leads/row/count.sql.ts'
import { readContacts } from '../../../leads/search/contacts.ts'
import { trim } from '../../../leads/search/match.ts'
import { type ImportedNote, insertNotes } from '../../../notes/notes.sql.ts'
import { insertReminders } from '../../../reminders/reminders.sql.ts'
import type { Catalog } from '../rows/known-records.ts'
import type { Further } from '../rows/read-row.ts'
import type { Plan, PlannedLead } from './plan-batch.ts'

export interface WriteOptions {
  createCompanies: boolean
  /** Called when PostgreSQL has enough to do for a while. */
  whileWriting: () => void
}

/** Returns how many companies were created besides the leads. */
export async function writePlan(
  tx: Db,
  by: Author,
  plan: Plan,
  catalog: Catalog,
  { createCompanies, whileWriting }: WriteOptions,
  id_import: string,
): Promise<number> {
  const { space } = by
  const { leads } = plan
  if (leads.length === 0) return 0
  await catalog.saveMade(tx, by)
  // What the rows refer to cannot go anymore. Checking each reference again would take a quarter of the time.
  await lockUsed(tx, space, leads)
  await trustReferences(tx)
  const changed = leads.filter(({ isNew }) => !isNew)
  const lists = new Set(leads.flatMap((lead) => [...lead.lists]))
  // An export of ours says which statuses a lead has: none means none.
  const starts = catalog.isOfExport ? [] : await selectStarts(tx, space, [...lists])
  if (changed.length > 0) {
    whileWriting()
    await update(tx, by, changed)
    await connectAll(tx, by, changed, starts)
  }
  const fresh = leads.filter(({ isNew }) => isNew)
  await sendEach(tx, insertLeads(space, newLeads(by, fresh, starts), keysLater), whileWriting)
  const notes = leads.flatMap(notesOf)
  if (notes.length > 0) await insertNotes(tx, by, notes)
  const reminders = fresh.flatMap(({ id: id_lead, reminders }) =>
    reminders.map((reminder) => ({ id: newId(), ...reminder, id_lead })),
  )
  if (reminders.length > 0) await insertReminders(tx, by, reminders)
  await deferRelations(tx, space, id_import, plan.deferred)
  const companies = createCompanies ? await missingCompanies(tx, by, leads) : []
  await runAll(tx, [...insertLeads(space, companies, keysLater)])
  const ids = companies.map(({ row }) => row.id as string)
  await journalCreated(tx, by, [...fresh.map(({ id }) => id), ...ids])
  await changeCount(tx, space, fresh.length + companies.length)
  return companies.length
}

/** PostgreSQL works on a statement while the next one is built. */
async function sendEach(tx: Db, statements: Iterable<Sql>, whileWriting: () => void) {
  const sent: Promise<void>[] = []
  for (const statement of statements) {
    const sending = runAll(tx, [statement])
    // It is thrown below.
    sending.catch(() => {})
    sent.push(sending)
    await setImmediate()
  }
  whileWriting()
  await Promise.all(sent)
}

/** A reply keeps its place if the note that it replies to is written with it. */
function notesOf({ id: id_lead, isNew, notes }: PlannedLead): ImportedNote[] {
  return Array.from(notes.values(), (note) => {
    const { id_parent } = note
    const hasParent = isNew && id_parent && notes.has(id_parent)
    return { id: newId(), ...note, id_lead, id_parent: hasParent ? id_parent : null }
  })
}

const besideLists = plainRelations.filter((name) => name !== 'lists')

/** Locks the records that the leads refer to. Their lists are locked since the batch began. */
async function lockUsed(tx: Db, space: string, leads: PlannedLead[]): Promise<void> {
  const reminded = leads.flatMap(({ reminders }) => reminders.flatMap(({ users = [] }) => users))
  const used = {
    status: leads.flatMap(({ status }) => [...status.values()].map(({ id }) => id)),
    ...perRelation(besideLists, (name) => leads.flatMap((lead) => [...lead[name]])),
  }
  for (const name of ['status', ...besideLists] as const) {
    const ids = [...new Set(name === 'owners' ? [...used.owners, ...reminded] : used[name])]
    if (ids.length === 0) continue
    const found = await run(tx)`select id from ${raw(leadRelations[name].record)}
      where id_space = ${space} and id = any(${ids}::uuid[]) order by id for key share`
    if (found.length < ids.length)
      throw new LostRace(`Some of the ${name} of the batch were deleted`)
  }
}

function newLeads({ now, actor }: Author, leads: PlannedLead[], starts: Start[]): NewLead[] {
  const time = now.toISOString()
  const startOf = new Map(starts.map(({ id, id_list }) => [id_list, id]))
  return leads.map((lead) => {
    const { fields, attributes, further, lists, status } = lead
    // This changes the objects of the plan: copies would take more time than everything else here.
    Object.assign(fields, withFurther(fields, further))
    fields.attributes = withoutNulls(attributes)
    fields.usersId = actor.member
    fields.created_at ??= time
    fields.updated_at ??= time
    const statuses = withStarts([...status.values()], lists, startOf)
    return { ...lead, row: fields, status: statuses }
  })
}

async function connectAll(
  tx: Db,
  by: Author,
  leads: PlannedLead[],
  starts: Start[],
): Promise<void> {
  const pairs = (name: PlainRelation) =>
    thesePairs(leads.flatMap((lead) => [...lead[name]].map((id): Pair => [lead.id, id])))
  const statuses = leads.flatMap(({ id: lead, status }) =>
    [...status.values()].map(({ id, id_list }) => ({ lead, id, id_list })),
  )
  await joinLists(tx, by, pairs('lists'), starts)
  await setStatuses(tx, by, theseStatuses(statuses))
  for (const name of besideLists) await connect(tx, by, name, pairs(name))
}

async function update(tx: Db, by: Author, leads: PlannedLead[]): Promise<void> {
  await lockLeads(
    tx,
    by.space,
    leads.map(({ id }) => id),
  )
  const grown = leads.filter(({ further }) => Object.keys(further).length > 0)
  const known = await selectContacts(
    tx,
    by.space,
    grown.map(({ id }) => id),
  )
  const updates = leads.map(({ id, fields, attributes, further }) => {
    const { id: _id, created_at: _created, updated_at: _updated, ...set } = fields
    Object.assign(set, withFurther({ ...known.get(id), ...set }, further))
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

/** The emails and phones with these added. The first one of a lead that has none is one of them. */
function withFurther(fields: Record<string, unknown>, further: Further): Record<string, unknown> {
  const all: Record<string, unknown> = {}
  for (const [name, added] of Object.entries(further)) {
    const { of } = leadFields[name as ContactsField]
    const first = fields[of] ? [{ value: String(fields[of]), label: '' }] : []
    const known = [...first, ...((fields[name] ?? []) as Contact[]), ...added]
    const [main, ...others] = readContacts(of, known) ?? []
    all[of] = first[0]?.value ?? main?.value ?? null
    all[name] = others.length > 0 ? others.slice(0, maxContacts) : null
  }
  return all
}

function withoutNulls(values: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(values).includes(null)) return values
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

function companyNames(leads: PlannedLead[]): Set<string> {
  const names = new Set<string>()
  for (const { fields } of leads) {
    const name = trim(String(fields.company ?? ''))
    if (name && !fields.is_company) names.add(name)
  }
  return names
}

/** How many companies a batch of a dry run would create, in addition to those of earlier batches. */
export async function countCompanies(
  tx: Db,
  space: string,
  { leads }: Plan,
  { createCompanies }: Pick<WriteOptions, 'createCompanies'>,
  seen: Set<string> = new Set(),
): Promise<number> {
  if (!createCompanies) return 0
  const claims = await claimsOf(tx, space, [...companyNames(leads)])
  const claimed = [...new Set(claims.values())].map((claim) => `company ${claim}`)
  const fresh = claimed.filter((claim) => !seen.has(claim))
  for (const claim of fresh) seen.add(claim)
  return fresh.length
}

/** The companies beside the people, as POST /lead creates them. */
async function missingCompanies(
  tx: Db,
  { space, now, actor }: Author,
  leads: PlannedLead[],
): Promise<NewLead[]> {
  const names = companyNames(leads)
  const claims = await claimsOf(tx, space, [...names])
  const created = { usersId: actor.member, created_at: now.toISOString() }
  const wanted = Array.from(names, (name) => ({ name, ...created }))
  return newCompanies(wanted, claims).map(({ lead }) => lead)
}
