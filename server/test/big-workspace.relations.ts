// Which leads of a big workspace are in which lists, statuses and so on, by chance.
import type { Db } from '../src/db/driver.ts'
import { raw, run } from '../src/db/sql.ts'
import type { BigWorkspace, Shared } from './big-workspace.shape.ts'

export async function fillRelations(tx: Db, big: BigWorkspace): Promise<void> {
  const { id_space } = big
  const ids = (entries: Shared[]) => entries.map(({ id }) => id)
  const shares = (entries: Shared[]) => entries.map(({ share }) => share)
  // The shares as consecutive ranges between 0 and 1: a random number chooses one of them.
  const from = (entries: Shared[]) =>
    entries.map((_, at) => entries.slice(0, at).reduce((sum, { share }) => sum + share, 0))
  const to = (entries: Shared[]) =>
    from(entries).map((start, at) => start + (entries[at]?.share ?? 0))

  /** A lead may have several of them. */
  const relateSome = (table: string, column: string, entries: Shared[]) =>
    run(tx)`
    insert into ${raw(table)} (id_space, id_lead, ${raw(column)})
    select ${id_space}::uuid, id_lead, id
    from (
      select lead.id as id_lead, entry.*, random() as chance
      from lead, unnest(${ids(entries)}::uuid[], ${shares(entries)}::float[]) as entry (id, share)
      where lead.id_space = ${id_space}) pair
    where chance < share`
  /** A lead has at most one of them. */
  const relateOne = (
    table: string,
    column: string,
    entries: Shared[],
    more: [string, string][] = [],
  ) =>
    run(tx)`
    insert into ${raw(table)} (id_space, id_lead, ${raw([column, ...more.map(([name]) => name)].join(', '))})
    select ${id_space}::uuid, lead.id, ${raw(['entry.id', ...more.map(([, value]) => value)].join(', '))}
    from (select id, created_at, random() as chance from lead where id_space = ${id_space}) lead
    join unnest(
      ${ids(entries)}::uuid[], ${from(entries)}::float[], ${to(entries)}::float[]
    ) as entry (id, low, high) on chance >= low and chance < high`
  await relateSome('lead_list', 'id_list', big.lists)
  await relateSome('lead_tag', 'id_tag', big.tags)
  await relateOne('lead_owner', 'id_member', big.owners)
  await relateOne('lead_status', 'id_status', big.statuses, [
    ['entered_at', `lead.created_at + chance * interval '100 days'`],
  ])
  await run(tx)`
    insert into lead_status (id_space, id_lead, id_status, id_list, entered_at)
    select ${id_space}::uuid, id_lead, status.id, id_list, '2026-01-01'::timestamptz - chance * interval '2 years'
    from (
      select id_lead, id_list, random() as chance from lead_list
      where id_space = ${id_space} and id_list = ${big.lists[0]?.id ?? null}) listed
    join unnest(
      ${ids(big.listStatuses)}::uuid[], ${from(big.listStatuses)}::float[],
      ${to(big.listStatuses)}::float[]
    ) as status (id, low, high) on chance >= low and chance < high`
  // Most leads were in another stage before.
  await run(tx)`
    insert into lead_stage (id_space, id_lead, id_status, entered_at, left_at)
    select ${id_space}::uuid, stay.id_lead, status.id, stay.entered_at - interval '10 days', stay.entered_at
    from (
      select id_lead, entered_at, random() as chance from lead_status
      where id_space = ${id_space} and id_list is null) stay
    join unnest(
      ${ids(big.statuses)}::uuid[], ${from(big.statuses)}::float[], ${to(big.statuses)}::float[]
    ) as status (id, low, high) on chance >= low and chance < high`
}
