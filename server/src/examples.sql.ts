// Records of a workspace that the examples of its OpenAPI document name: the newest of each kind, because
// a reader who tries the examples has just created them.
import { type ExampleKind, exampleIds } from '@rapport/contract'
import type { Db } from './db/driver.ts'
import { join, raw, run, type Sql, sql } from './db/sql.ts'
import type { OwnIds } from './http/docs.ts'
import { leadExists } from './resources/leads/row/existing.sql.ts'

/** `ownKey` is the key that asks. It is not among the examples, because one of them revokes a key. */
export async function selectOwnIds(
  db: Db,
  space: string,
  ownKey: string | undefined,
): Promise<OwnIds> {
  const notOwn = sql`id is distinct from ${ownKey ?? null}::uuid`
  const live = sql`not is_deleted`
  // The others are in the table of their name.
  const special: Partial<Record<ExampleKind, Sql>> = {
    lead: newestLead(space),
    otherLead: sql`${newestLead(space)} offset 1`,
    list: newest(space, 'list', live),
    otherList: sql`${newest(space, 'list', live)} offset 1`,
    member: newest(space, 'member', sql`role <> 'owner'`),
    key: newest(space, 'api_key', sql`kind <> 'session' and ${notOwn}`),
    session: newest(space, 'api_key', sql`kind = 'session' and revoked_at is null and ${notOwn}`),
    campaign: newest(space, 'campaign', live),
    view: newest(space, 'saved_view', sql`shared`),
    note: newestOfLead(space, 'note'),
    reminder: newestOfLead(space, 'reminder'),
    import: newest(space, 'import_progress'),
    mail: newest(space, 'mail_out', sql`state in ('failed', 'uncertain')`),
  }
  const kinds = Object.keys(exampleIds) as ExampleKind[]
  const [ids] = await run<[OwnIds]>(db)`select ${join(
    kinds.map((kind) => sql`(${special[kind] ?? newest(space, kind)}) as ${raw(`"${kind}"`)}`),
    ', ',
  )}`
  // With one list only, leads move from it to itself.
  return { ...ids, otherList: ids.otherList ?? ids.list, otherLead: ids.otherLead ?? ids.lead }
}

/** Ids that the service makes sort by age. */
function newest(space: string, table: string, condition = sql`true`): Sql {
  return sql`select id from ${raw(table)} where id_space = ${space} and ${condition}
    order by id desc limit 1`
}

/** A lead may have an id that its creator chose. */
function newestLead(space: string): Sql {
  return sql`select id from lead where id_space = ${space} and not is_deleted
    order by created_at desc, id limit 1`
}

/**
 * Records of deleted leads do not count. Only the latest are looked at: there may be a million of
 * deleted leads before the first one that counts.
 */
function newestOfLead(space: string, table: string): Sql {
  return sql`select id from (
      select id, id_lead from ${raw(table)}
      where id_space = ${space} and not is_deleted
      order by id desc limit 100
    ) as latest
    where id_lead is null or ${leadExists(space, sql`latest.id_lead`)}
    order by id desc limit 1`
}
