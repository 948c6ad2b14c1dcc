import type { Db } from '../../../db/driver.ts'
import { run } from '../../../db/sql.ts'
import { leadsWithKeys } from './keys.sql.ts'
import type { LeadKey } from './keys.ts'

interface Alike extends LeadKey {
  id_lead: string
  first_name: string | null
  last_name: string | null
}

/** The leads with one of these keys whose ids are smaller, with their names. */
export async function selectAlike(
  db: Db,
  space: string,
  keys: LeadKey[],
  below: string,
): Promise<Alike[]> {
  if (keys.length === 0) return []
  return run<Alike[]>(db)`
    select alike.kind, alike.key, alike.id_lead, lead.first_name, lead.last_name
    from (${leadsWithKeys(space, keys)}) alike
    join lead on lead.id_space = ${space} and lead.id = alike.id_lead
    where alike.id_lead < ${below}
    order by lead.created_at, lead.id`
}
