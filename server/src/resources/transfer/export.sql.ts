import type { Db } from '../../db/connect.ts'
import { run, sql } from '../../db/sql.ts'
import { leadJson } from '../leads/leads.json.ts'
import { plainFields } from './columns.ts'

type Related = { id: string; name: string }

export type ExportedLead = Record<(typeof plainFields)[number], unknown> & {
  lists: Related[]
  status: (Related & { id_list: string })[]
  tags: Related[]
  owners: (Related & { email: string })[]
  /** Attribute id → value. */
  attributes: Record<string, unknown>
}

/** The leads with these ids that are still there, in this order. */
export async function selectForExport(
  db: Db,
  space: string,
  ids: string[],
): Promise<ExportedLead[]> {
  const [row] = await run<{ json: string }[]>(
    db,
    sql`select coalesce(json_agg(row_to_json(item)), '[]')::text as json from (
      select ${leadJson(space, true, plainFields)} from (
        select lead.* from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
        join lead on lead.id_space = ${space} and lead.id = wanted.id and not lead.is_deleted
        order by wanted.place) lead) item`,
  )
  return JSON.parse(row?.json ?? '[]')
}
