// Statements about the places of leads within a status.
import type { Db } from '../../../db/driver.ts'
import { jsonb, raw, run, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { journalOf, runJournaled } from '../../../feed/journal.sql.ts'
import { leadExists } from '../row/existing.sql.ts'
import {
  arrangedPlaceSql,
  type Card,
  defaultPlaceSql,
  placeBetween,
  shortLength,
  spread,
} from './place.ts'

/** The place of a lead in a status that it enters, from a table called `lead`. */
export const defaultPlaceOfLead = raw(defaultPlaceSql('lead.id', 'lead.created_at'))

/** The end of an insert: the status replaces another one of its list. If it is the same, it stays as it is. */
export const replaceStatus = raw(`
  on conflict (id_space, id_lead, id_group) do update set
    id_status = excluded.id_status,
    entered_at = case when lead_status.id_status = excluded.id_status
      then lead_status.entered_at else excluded.entered_at end,
    place = case when lead_status.id_status = excluded.id_status
      then lead_status.place else excluded.place end`)

/** One column of a board. */
export interface Column {
  space: string
  status: string
  id_list: string | null
}

const inColumn = ({ space, status }: Column) =>
  sql`lead_status.id_space = ${space} and lead_status.id_status = ${status}`

/**
 * Locks the column, so that one lead after the other is placed in it. Leads can still enter and leave it in
 * other ways. From now on the places determine the order, so an older leads_order is discarded.
 */
export async function lockColumn(db: Db, { space, status }: Column, now: Date): Promise<void> {
  await run(db)`
    select id from status where id_space = ${space} and id = ${status} for no key update`
  await run(db)`update status set leads_order = null, updated_at = ${now.toISOString()}
    where id_space = ${space} and id = ${status} and leads_order is not null`
}

/** The place of a lead of the column, unless the lead is deleted. */
export async function selectPlace(db: Db, column: Column, id: string): Promise<Buffer | undefined> {
  const [row] = await run<{ place: Buffer }[]>(db)`select place from lead_status
    where ${inColumn(column)} and id_lead = ${id}
      and ${leadExists(column.space, raw('lead_status.id_lead'))}`
  return row?.place
}

/** Where a lead is on the board of a list: before which lead of its status. Null: it is the last one. */
export interface Spot {
  status: string
  before: string | null
}

/** The spot of a lead on the board of the column. Deleted leads keep their places. */
export async function selectSpot(
  db: Db,
  { space, id_list }: Column,
  id: string,
): Promise<Spot | null> {
  const [row] = await run<Spot[]>(db)`select own.id_status as status, (
      select lead_status.id_lead from lead_status
      where lead_status.id_space = ${space} and lead_status.id_status = own.id_status
        and lead_status.place > own.place
      order by lead_status.place limit 1) as before
    from lead_status own
    where own.id_space = ${space} and own.id_lead = ${id}
      and own.id_list is not distinct from ${id_list}`
  return row ?? null
}

/** Journals that a lead was moved, if it was. */
export async function journalPlace(
  db: Db,
  by: Author,
  lead: string,
  before: Spot | null,
  after: Spot | null,
): Promise<void> {
  const [old, now] = [jsonb({ place: before }), jsonb({ place: after })]
  const moved = sql`select ${old} as old, ${now} as new, array[${lead}::uuid] as ids`
  await runJournaled(db, [], journalOf(by, 'place', moved))
}

/** Puts a locked lead into the column, directly before the place `high`, or at the end. */
export async function writePlace(
  db: Db,
  column: Column,
  id: string,
  high: Buffer | undefined,
): Promise<void> {
  const { space, status, id_list } = column
  const place = await findPlace(db, column, id, high)
  await run(db)`insert into lead_status (id_space, id_lead, id_status, id_list, place)
    values (${space}, ${id}, ${status}, ${id_list}, ${place}::bytea)
    on conflict (id_space, id_lead, id_group)
      do update set id_status = excluded.id_status, place = excluded.place`
}

async function findPlace(
  db: Db,
  column: Column,
  id: string,
  high: Buffer | undefined,
): Promise<Buffer> {
  const low = await selectEnd(db, column, id, 'desc', high && sql`place < ${high}`)
  return placeBetween(low, high, id) ?? makeRoom(db, column, id, low, high)
}

/** The first or last place that meets the condition, apart from that of the lead itself. */
async function selectEnd(
  db: Db,
  column: Column,
  id: string,
  direction: 'asc' | 'desc',
  condition = sql`true`,
): Promise<Buffer | undefined> {
  const [row] = await run<{ place: Buffer }[]>(db)`select place from lead_status
    where ${inColumn(column)} and id_lead <> ${id} and ${condition}
    order by place ${raw(direction)} limit 1`
  return row?.place
}

/**
 * Gives new places to the neighbors with long ones, and returns the place of the lead among them. This
 * happens once in about 200 leads that were put into the same gap, and changes only leads that were.
 */
async function makeRoom(
  db: Db,
  column: Column,
  id: string,
  low: Buffer | undefined,
  high: Buffer | undefined,
): Promise<Buffer> {
  const isShort = sql`octet_length(place) <= ${shortLength}`
  // If both neighbors are short, someone chose ids that leave no room. Then the neighbors change too.
  const isCrowded = [low, high].some((place) => place && place.length > shortLength)
  const orEqual = raw(isCrowded ? '=' : '')
  const above =
    low && (await selectEnd(db, column, id, 'desc', sql`place <${orEqual} ${low} and ${isShort}`))
  const below =
    high && (await selectEnd(db, column, id, 'asc', sql`place >${orEqual} ${high} and ${isShort}`))
  const crowd = await run<Card[]>(db)`select id_lead as id, place from lead_status
    where ${inColumn(column)} and id_lead <> ${id}
      and ${above ? sql`place > ${above}` : sql`true`}
      and ${below ? sql`place < ${below}` : sql`true`}
    order by place for no key update`
  const before = crowd.filter(({ place }) => !high || place.compare(high) < 0)
  const ids = [
    ...before.map((card) => card.id),
    id,
    ...crowd.slice(before.length).map((card) => card.id),
  ]
  const cards = spread(above, below, ids)
  await updatePlaces(db, column, cards)
  return (cards[before.length] as Card).place
}

async function updatePlaces(db: Db, column: Column, cards: Card[]): Promise<void> {
  const places = cards.map(({ place }) => place.toString('hex'))
  await run(db)`with wanted as (
      select id, decode(hex, 'hex') as place
      from unnest(${cards.map(({ id }) => id)}::uuid[], ${places}::text[]) as wanted (id, hex))
    update lead_status set place = wanted.place from wanted
    where ${inColumn(column)} and lead_status.id_lead = wanted.id`
}

/**
 * Gives the leads of these statuses the places that their leads_order says: the listed ones first, then the
 * others, the newest first.
 */
export async function arrange(db: Db, space: string, statuses: string[]): Promise<void> {
  await run(db)`with wanted as (
      select lead_status.id_lead, lead_status.id_status,
        case when listed.position is null then ${defaultPlaceOfLead}
          else ${raw(arrangedPlaceSql('lead.id', 'listed.position'))} end as place
      from lead_status
      join lead on lead.id_space = ${space} and lead.id = lead_status.id_lead
      left join (${listedLeads(space)}) listed
        on listed.id = lead_status.id_status and listed.id_lead = lead_status.id_lead::text
      where lead_status.id_space = ${space} and lead_status.id_status = any(${statuses}::uuid[]))
    update lead_status set place = wanted.place from wanted
    where lead_status.id_space = ${space} and lead_status.id_lead = wanted.id_lead
      and lead_status.id_status = wanted.id_status and lead_status.place <> wanted.place`
}

/** The entries of every leads_order, with their first position. */
export function listedLeads(space: string): Sql {
  return sql`
    select status.id, entry.value as id_lead, min(entry.position) as position
    from status, jsonb_array_elements_text(
      case when jsonb_typeof(status.leads_order) = 'array' then status.leads_order end
    ) with ordinality as entry (value, position)
    where status.id_space = ${space}
    group by status.id, entry.value`
}
