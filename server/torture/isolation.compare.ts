// Compares a workspace, over HTTP and in the database, with its model.

import type { Pool } from '../src/db/driver.ts'
import { raw, run, sql } from '../src/db/sql.ts'
import type { Actor } from './isolation.actor.ts'
import { Breach } from './torture.ts'

/** One line of text for each record. */
type Lines = string[]

const line = (kind: string, ...parts: unknown[]) => `${kind} ${JSON.stringify(parts)}`
const sorted = (ids: Iterable<string>) => [...ids].sort()
const entries = (values: Iterable<[string, unknown]>) =>
  [...values].sort(([a], [b]) => (a < b ? -1 : 1))

/** Relations are sorted ids. */
interface LeadState {
  first_name: unknown
  email: unknown
  company: unknown
  is_company: unknown
  is_tracked: unknown
  lists: string[]
  status: string[]
  tags: string[]
  owners: string[]
  attributes: Iterable<[string, unknown]>
}

const leadLine = (id: string, lead: LeadState) =>
  line(
    'lead',
    id,
    lead.first_name,
    lead.email,
    lead.company,
    lead.is_company,
    lead.is_tracked,
    lead.lists,
    lead.status,
    lead.tags,
    lead.owners,
    entries(lead.attributes),
  )

function modelLines({ model }: Actor): Lines {
  return [
    ...[...model.leads].map(([id, lead]) =>
      leadLine(id, {
        ...lead,
        lists: sorted(lead.lists),
        status: sorted(lead.status.values()),
        tags: sorted(lead.tags),
        owners: sorted(lead.owners),
      }),
    ),
    ...[...model.lists].map(([id, { name }]) => line('list', id, name)),
    ...[...model.status].map(([id, { name, list }]) => line('status', id, name, list)),
    ...[...model.tags].map(([id, { name, list }]) => line('tag', id, name, list)),
    ...[...model.attributes].map(([id, { type, multi, options }]) =>
      line('attribute', id, type, multi, options),
    ),
    ...[...model.notes].map(([id, { lead, thread, content }]) =>
      line('note', id, lead, thread, content),
    ),
    ...[...model.reminders].map(([id, { lead, name, done, users }]) =>
      line('reminder', id, lead, name, done, users),
    ),
  ]
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the service sent, or the database holds
type Row = any

const idsOf = (records: Row[]) => sorted(records.map(({ id }) => id))

async function httpLines(actor: Actor): Promise<Lines> {
  const read = async (method: string, path: string, body?: object) =>
    (await actor.call(method, path, body)).body
  const page = { pagination: { page_size: 1000 } }
  const { leads } = await read('POST', '/leads/list', { pagination: { all: true } })
  return [
    ...leads.map((lead: Row) =>
      leadLine(lead.id, {
        ...lead,
        lists: idsOf(lead.lists),
        status: idsOf(lead.status),
        tags: idsOf(lead.tags),
        owners: idsOf(lead.owners),
        attributes: Object.entries(lead.attributes),
      }),
    ),
    ...(await read('GET', '/lists')).map((row: Row) => line('list', row.id, row.name)),
    ...(await read('GET', '/status')).map((row: Row) =>
      line('status', row.id, row.name, row.id_list),
    ),
    ...(await read('GET', '/tags')).map((row: Row) => line('tag', row.id, row.name, row.id_list)),
    ...(await read('GET', '/attributes')).map((row: Row) =>
      line(
        'attribute',
        row.id,
        row.type,
        row.isMultiSelect,
        row.select_options.map(({ id }: Row) => id),
      ),
    ),
    ...(await read('POST', '/notes/list', page)).map((row: Row) =>
      line('note', row.id, row.id_lead ?? '', row.thread_id ?? '', row.content),
    ),
    ...(await read('POST', '/reminders/list', page)).data.map((row: Row) =>
      line('reminder', row.id, row.id_lead, row.name, row.is_done, row.users),
    ),
  ]
}

async function sqlLines(db: Pool, { space: { id_space } }: Actor): Promise<Lines> {
  const related = (table: string, column: string) =>
    sql`array(
    select ${raw(column)}::text from ${raw(table)} r
    where r.id_space = ${id_space} and r.id_lead = lead.id order by 1)`
  const leads = await run<Row[]>(db)`
    select id, first_name, email, company, is_company, is_tracked, attributes,
      ${related('lead_list', 'id_list')} as lists, ${related('lead_status', 'id_status')} as status,
      ${related('lead_tag', 'id_tag')} as tags, ${related('lead_owner', 'id_member')} as owners
    from lead where id_space = ${id_space} and not is_deleted`
  const lists = await run<Row[]>(
    db,
  )`select id, name from list where id_space = ${id_space} and not is_deleted`
  const status = await run<Row[]>(
    db,
  )`select id, name, id_list from status where id_space = ${id_space}`
  const tags = await run<Row[]>(db)`select id, name, id_list from tag where id_space = ${id_space}`
  const attributes = await run<Row[]>(db)`
    select id, type, is_multi, array(
      select o.id::text from attribute_option o
      where o.id_space = ${id_space} and o.id_attribute = attribute.id order by position) as options
    from attribute where id_space = ${id_space}`
  const isLive = sql`not is_deleted and (id_lead is null or id_lead in (
    select id from lead where id_space = ${id_space} and not is_deleted))`
  const notes = await run<Row[]>(db)`
    select id, id_lead, thread_id, content from note where id_space = ${id_space} and ${isLive}`
  const reminders = await run<Row[]>(db)`
    select id, id_lead, name, is_done, array(
      select id_member::text from reminder_user u
      where u.id_space = ${id_space} and u.id_reminder = reminder.id order by 1) as users
    from reminder where id_space = ${id_space} and ${isLive}`
  return [
    ...leads.map((lead) =>
      leadLine(lead.id, { ...lead, attributes: Object.entries(lead.attributes) }),
    ),
    ...lists.map(({ id, name }) => line('list', id, name)),
    ...status.map(({ id, name, id_list }) => line('status', id, name, id_list ?? '')),
    ...tags.map(({ id, name, id_list }) => line('tag', id, name, id_list ?? '')),
    ...attributes.map(({ id, type, is_multi, options }) =>
      line('attribute', id, type, is_multi, options),
    ),
    ...notes.map((row) =>
      line('note', row.id, row.id_lead ?? '', row.thread_id ?? '', row.content),
    ),
    ...reminders.map((row) =>
      line('reminder', row.id, row.id_lead ?? '', row.name, row.is_done, row.users),
    ),
  ]
}

/** Returns how many records were compared. */
export async function compareOverHttp(actor: Actor): Promise<number> {
  return compare(actor, 'The service', await httpLines(actor))
}

export async function compareWithDatabase(actor: Actor, db: Pool): Promise<number> {
  return compare(actor, 'The database', await sqlLines(db, actor))
}

function compare(actor: Actor, who: string, found: Lines): number {
  const expected = modelLines(actor)
  const [have, want] = [new Set(found), new Set(expected)]
  const surplus = found.filter((one) => !want.has(one))
  const lacking = expected.filter((one) => !have.has(one))
  if (surplus.length === 0 && lacking.length === 0 && found.length === expected.length)
    return found.length
  const shown = (lines: Lines) => lines.slice(0, 3).join('\n  ')
  throw new Breach(
    `${who} differs from the model of ${actor.label}. It has\n  ${shown(surplus)}\nand should have\n  ${shown(lacking)}`,
  )
}
