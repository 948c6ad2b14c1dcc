// Records of a workspace that the examples of its OpenAPI document name: the newest of each kind, because
// a reader who tries the examples has just created them.
import type { Db } from '../db/driver.ts'
import { raw, run, type Sql, sql } from '../db/sql.ts'
import type { OwnIds } from '../http/docs.ts'
import { isLiveLead } from './leads/leads.live.sql.ts'

/** `ownKey` is the key that asks. It is not among the examples, because one of them revokes a key. */
export async function selectOwnIds(
  db: Db,
  space: string,
  ownKey: string | undefined,
): Promise<OwnIds> {
  const [ids] = await run<[OwnIds]>(
    db,
    sql`select
      (${newest(space, 'list', sql`not is_deleted`)}) as list,
      (${newest(space, 'list', sql`not is_deleted`)} offset 1) as "otherList",
      (${newest(space, 'status')}) as status,
      (${newest(space, 'tag')}) as tag,
      (${newest(space, 'attribute')}) as attribute,
      (${newest(space, 'member', sql`role <> 'owner'`)}) as member,
      (${newest(space, 'api_key', sql`kind = 'key' and id is distinct from ${ownKey ?? null}::uuid`)}) as key,
      (${newest(space, 'api_key', sql`kind = 'session' and revoked_at is null and id is distinct from ${ownKey ?? null}::uuid`)}) as session,
      (${newestLead(space)}) as lead,
      (${newest(space, 'campaign', sql`not is_deleted`)}) as campaign,
      (${newest(space, 'saved_view', sql`shared`)}) as view,
      (${newestOfLead(space, 'note')}) as note,
      (${newestOfLead(space, 'reminder')}) as reminder,
      (${newest(space, 'operation')}) as operation,
      (${newest(space, 'import_progress')}) as import`,
  )
  // With one list only, leads move from it to itself.
  return { ...ids, otherList: ids.otherList ?? ids.list }
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
    where id_lead is null or ${isLiveLead(space, sql`latest.id_lead`)}
    order by id desc limit 1`
}
