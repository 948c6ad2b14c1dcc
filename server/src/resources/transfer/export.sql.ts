import type { Db } from '../../db/connect.ts'
import { leadsWithFields, selectJson } from '../leads/leads.json.sql.ts'
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

const exported = leadsWithFields(plainFields)

/** The leads with these ids that are still there, in this order. */
export async function selectForExport(
  db: Db,
  space: string,
  ids: string[],
): Promise<ExportedLead[]> {
  return JSON.parse(String(await selectJson(db, exported, space, ids)))
}
