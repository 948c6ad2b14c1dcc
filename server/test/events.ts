// Reads the events of a workspace from the database: at once, before they have their number.
import type { EventType } from '@rapport/contract'
import type { Db } from '../src/db/driver.ts'
import { run, sql } from '../src/db/sql.ts'

export interface WrittenEvent {
  type: EventType
  at: string
  id_member: string | null
  id_key: string | null
  way: string
  request_id: string | null
  ids: string[]
  leads: string[] | null
  changed: Record<string, unknown> | null
}

/** In their order. With `types`, only events of these. */
export async function writtenEvents(
  db: Db,
  { id_space }: { id_space: string },
  ...types: EventType[]
): Promise<WrittenEvent[]> {
  const columns = sql`type, at, id_member, id_key, way, request_id, ids, leads, changed`
  const events = await run<WrittenEvent[]>(db)`select ${columns} from (
        select seq, null::timestamptz as written_at, null::uuid as id, 0 as part, ${columns}
        from event where id_space = ${id_space}
        union all
        select null, written_at, id, part, ${columns} from event_new where id_space = ${id_space}
      ) written
      order by seq nulls last, written_at, id, part`
  return events.filter(({ type }) => types.length === 0 || types.includes(type))
}
