// What the writers know to be stored, and the comparison with the database.

import { isDeepStrictEqual } from 'node:util'
import type { Pool } from '../src/db/driver.ts'
import { raw, run, sql } from '../src/db/sql.ts'
import { Breach } from './torture.ts'

/** Leads that are always changed together. */
export interface Group {
  name: string
  ids: string[]
  /** The number of the last operation that was sent, and of the last that was answered. */
  sent: number
  answered: number
}

export interface Import {
  /** The tag that all of its leads have. */
  tag: string
  ids: string[]
  /** `unsure`: an import or a deletion was sent and not answered. */
  state: 'in' | 'gone' | 'unsure'
}

export class Ledger {
  /** The id of the workspace. */
  space = ''
  /** Ids of records whose creation was answered with 200. */
  readonly leads = new Set<string>()
  readonly notes = new Set<string>()
  readonly reminders = new Set<string>()
  readonly groups: Group[] = []
  /** Leads that are moved together between two lists. */
  crowd: string[] = []
  readonly imports: Import[] = []
  bulkAnswered = 0

  get writes(): number {
    const { leads, notes, reminders } = this
    return leads.size + notes.size + reminders.size + this.bulkAnswered
  }
}

/**
 * May run while the writers write, because every statement sees a snapshot. Returns how many records
 * of answered writes it found.
 */
export async function compare(db: Pool, ledger: Ledger): Promise<number> {
  const found = await nothingLost(db, ledger)
  await nothingHalf(db, ledger)
  await groupsWhole(db, ledger)
  await crowdWhole(db, ledger)
  await importsWhole(db, ledger)
  return found
}

async function nothingLost(db: Pool, ledger: Ledger): Promise<number> {
  let found = 0
  for (const table of ['leads', 'notes', 'reminders'] as const) {
    const ids = [...ledger[table]]
    const lost = await run<{ id: string }[]>(db)`
      select id from unnest(${ids}::uuid[]) as id
      except select id from ${raw(table.slice(0, -1))}
        where id_space = ${ledger.space} and not is_deleted`
    if (lost.length > 0) {
      throw new Breach(`${lost.length} of ${ids.length} answered ${table} are lost`)
    }
    found += ids.length
  }
  return found
}

/** What one request writes into several tables is in all of them. */
async function nothingHalf(db: Pool, { space }: Ledger): Promise<void> {
  const lacking = (table: string) =>
    sql`
    (select count(*)::int from (select id from mine except
      select id_lead from ${raw(table)} where id_space = ${space}) lacking)`
  const [half] = await run<Record<string, number>[]>(db)`
    with mine as (
      select id, company from lead where id_space = ${space} and email like 'writer-%')
    select ${lacking('lead_list')} as "leads without their list",
      ${lacking('lead_tag')} as "leads without their tag",
      ${lacking('lead_owner')} as "leads without their owner",
      (select count(*)::int from (select company from mine except
        select company from lead where id_space = ${space} and is_company) lacking)
        as "leads without their company",
      (select count(*)::int from (select id from reminder where id_space = ${space} except
        select id_reminder from reminder_user where id_space = ${space}) lacking)
        as "reminders without their user"`
  for (const [what, count] of Object.entries(half ?? {})) {
    if (count > 0) throw new Breach(`${count} ${what}`)
  }
}

async function groupsWhole(db: Pool, { space, groups }: Ledger): Promise<void> {
  for (const group of groups) {
    const { answered } = group
    const states = await run<{ state: string; count: number }[]>(db)`
      with shown as (select concat_ws('|', city, company_role, icebreaker,
          (select string_agg(tag.name, ',') from lead_tag
            join tag on tag.id_space = ${space} and tag.id = id_tag
            where lead_tag.id_space = ${space} and id_lead = lead.id),
          (select string_agg(list.name, ',') from lead_list
            join list on list.id_space = ${space} and list.id = id_list
            where lead_list.id_space = ${space} and id_lead = lead.id)) as state
        from lead where id_space = ${space} and id = any(${group.ids}::uuid[]) and not is_deleted)
      select state, count(*)::int as count from shown group by state`
    const [first] = states
    const seen = JSON.stringify(states)
    if (states.length !== 1 || first?.count !== group.ids.length) {
      throw new Breach(`A bulk operation changed only some leads of ${group.name}: ${seen}`)
    }
    const [city = '', role, icebreaker, tag, list] = first.state.split('|')
    const number = Number(city)
    const { variant } = operation(number)
    if (role !== city || icebreaker !== city || tag !== variant || list !== variant) {
      throw new Breach(`A bulk operation changed only some fields of ${group.name}: ${seen}`)
    }
    if (number < answered || number > group.sent) {
      throw new Breach(`${group.name} shows operation ${number}, but ${answered} was answered`)
    }
  }
}

/** What operation number n writes: its number into several fields, and one of the tags and lists. */
export function operation(number: number): { text: string; variant: string } {
  return { text: String(number), variant: variants[number % variants.length] as string }
}

export const variants = ['red', 'green', 'blue']

/** Either all are tracked or none, and the whole crowd is in one of its two lists. */
async function crowdWhole(db: Pool, { space, groups, crowd }: Ledger): Promise<void> {
  const all = [...crowd, ...groups.flatMap(({ ids }) => ids)]
  const [seen] = await run(db)`
    with place as (select id_list from lead_list
      where id_space = ${space} and id_lead = any(${crowd}::uuid[]))
    select count(*)::int as leads, count(distinct is_tracked)::int as tracked,
      (select count(*)::int from place) as memberships,
      (select count(distinct id_list)::int from place) as lists
    from lead where id_space = ${space} and id = any(${all}::uuid[]) and not is_deleted`
  const expected = { leads: all.length, tracked: 1, memberships: crowd.length, lists: 1 }
  if (!isDeepStrictEqual({ ...seen }, expected)) {
    throw new Breach(`Tracking or moving changed only some leads: ${JSON.stringify(seen)}`)
  }
}

async function importsWhole(db: Pool, { space, imports }: Ledger): Promise<void> {
  const before = imports.map(({ state }) => state)
  const rows = await run<{ name: string; count: number }[]>(db)`
    select tag.name, count(*)::int as count from tag
    join lead_tag on lead_tag.id_space = ${space} and lead_tag.id_tag = tag.id
    join lead on lead.id_space = ${space} and lead.id = lead_tag.id_lead
    where tag.id_space = ${space} and tag.name like 'import %' and not lead.is_deleted group by tag.name`
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  imports.forEach(({ tag, ids, state }, index) => {
    const count = counts.get(tag) ?? 0
    const isWhole = count === 0 || count === ids.length
    const isRight =
      state !== before[index] || state === 'unsure' || count === (state === 'in' ? ids.length : 0)
    if (!isWhole || !isRight) {
      throw new Breach(`${tag} is ${state}, but has ${count} of ${ids.length} leads`)
    }
  })
}
