// Gives leads to members in turn. The leads are locked already.
import type { Share } from '@rapport/contract/operations'
import type { Db } from '../../../db/driver.ts'
import { run, runUnprepared, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { journal, runJournaled } from '../../../feed/journal.sql.ts'

/** Query of numbered leads: in the order of their ids. */
export const numbered = (ids: string) =>
  sql`select id_lead, number from unnest(${ids}::uuid[]) with ordinality as each (id_lead, number)`

/** The member whose turn it is at this number. */
export const memberAt = (members: string[], number: Sql) =>
  sql`(${members}::uuid[])[1 + (${number} - 1) % ${members.length}::int]`

/** Query of pairs: each of these numbered leads with the member who gets it. */
export const turnsOf = (members: string[], leads: Sql) =>
  sql`select numbered.id_lead, ${memberAt(members, sql`numbered.number`)} as id_member
    from (${leads}) numbered`

/**
 * Each lead gets the member whose turn it is. `leaves` is a condition on lead_owner: who no longer owns the lead
 * that `turn` gives to a member. Returns how many leads changed.
 */
export function giveInTurn(
  db: Db,
  by: Author,
  members: string[],
  leads: Sql,
  leaves: Sql,
): Promise<number> {
  const turn = sql`turn as materialized (${turnsOf(members, leads)})`
  const gone = sql`gone as (
    delete from lead_owner using turn
    where lead_owner.id_space = ${by.space} and lead_owner.id_lead = turn.id_lead
      and ${leaves}
    returning lead_owner.id_lead, lead_owner.id_member)`
  const added = sql`added as (
    insert into lead_owner (id_space, id_lead, id_member)
    select ${by.space}::uuid, turn.id_lead, turn.id_member from turn
    on conflict do nothing
    returning id_lead, id_member)`
  const ids = (side: 'lost' | 'got') =>
    sql`jsonb_build_object('owners', coalesce(
      jsonb_agg(id_member order by id_member) filter (where side = ${side}), '[]'))`
  const changes = sql`
    select id_lead as id, ${ids('lost')} as old, ${ids('got')} as new
    from (
      select id_lead, id_member, 'lost' as side from gone
      union all
      select id_lead, id_member, 'got' from added) moved
    group by id_lead`
  return runJournaled(db, [turn, gone, added], journal(by, 'owners', changes))
}

/**
 * The owners among these members, after `from`. Whether a lead is deleted is looked up for each: as a join it takes
 * minutes while PostgreSQL does not know yet that there are many.
 */
const ownedBy = (space: string, members: string[]) => sql`lead_owner
  where lead_owner.id_space = ${space} and lead_owner.id_member = any(${members}::uuid[])
    and (select not lead.is_deleted from lead
      where lead.id_space = ${space} and lead.id = lead_owner.id_lead)`

/** How many leads each of these members owns. Who owns none is not among them. */
export async function selectLoads(
  db: Db,
  space: string,
  members: string[],
): Promise<Map<string, number>> {
  const rows = await run<{ id: string; leads: number }[]>(db)`
    select id_member as id, count(*)::int as leads from ${ownedBy(space, members)}
    group by id_member`
  return new Map(rows.map(({ id, leads }) => [id, leads]))
}

/** How many of these numbered leads each member gets, and how many leads they own then. */
export function selectShares(
  db: Db,
  space: string,
  members: string[],
  leads: Sql,
  others: 'leave' | 'stay',
): Promise<Share[]> {
  const stays = others === 'stay' ? sql`true` : sql`not is_given`
  return runUnprepared<Share[]>(db)`with owned as (
      select id_lead, id_member, false as gets from ${ownedBy(space, members)}
      union all
      select id_lead, id_member, true from (${turnsOf(members, leads)}) turn),
    known as (
      select id_lead, id_member, gets, bool_or(gets) over (partition by id_lead) as is_given
      from owned)
    select member.id, (count(*) filter (where gets))::int as leads,
      (count(distinct id_lead) filter (where gets or ${stays}))::int as owns
    from unnest(${members}::uuid[]) with ordinality as member (id, place)
    left join known on known.id_member = member.id
    group by member.id, member.place order by member.place`
}

/** Holds for a lead that does not have this member as its only owner. */
export const hasOtherOwners = (space: string, member: Sql) =>
  sql`(select array_agg(id_member) from lead_owner
    where lead_owner.id_space = ${space} and lead_owner.id_lead = lead.id)
      is distinct from array[${member}]`

/** The leads of a member as one text, the deleted ones too. */
export async function selectOwned(db: Db, space: string, member: string): Promise<string> {
  const [row] = await run<[{ ids: string }]>(db)`
    select coalesce(array_agg(id_lead), '{}')::text as ids from lead_owner
    where id_space = ${space} and id_member = ${member}`
  return row.ids
}

/**
 * Holds for those of these leads that the member still owns. Each is looked up by itself: as a join it takes
 * minutes while PostgreSQL does not know yet that the member has many.
 */
export const isOwnedBy = (space: string, member: string, ids: string) =>
  sql`lead.id = any(${ids}::uuid[]) and (
    select count(*) from lead_owner where lead_owner.id_space = ${space}
      and lead_owner.id_lead = lead.id and lead_owner.id_member = ${member}) > 0`
