import { type TransferField, transferFields } from '@rapport/contract/leads/fields'
import type { Db } from '../../../db/driver.ts'
import { leadsWithFields, selectJson } from '../../leads/row/json.sql.ts'

type Related = { id: string; name: string }

export type ExportedLead = Record<TransferField, unknown> & {
  lists: Related[]
  status: (Related & { id_list: string })[]
  tags: Related[]
  owners: (Related & { email: string })[]
  /** Attribute id → value. */
  attributes: Record<string, unknown>
}

const exported = leadsWithFields(transferFields)

/** The leads with these ids that are still there, in this order. */
export async function selectForExport(
  db: Db,
  space: string,
  ids: string[],
): Promise<ExportedLead[]> {
  return JSON.parse(String(await selectJson(db, exported, space, ids)))
}
