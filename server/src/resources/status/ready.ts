// The stages that a new workspace has, and that the page offers where there are none.
import { readyStages } from '@rapport/contract/stages.values'
import type { Db } from '../../db/driver.ts'
import type { Author } from '../../feed/author.ts'
import { recordCreated } from '../../feed/record.sql.ts'
import { newId } from '../../ids.ts'
import { insertStatus, type StatusRow, selectStatuses, toStatus } from './status.sql.ts'

/** Adds those that the list does not have. Returns all of its statuses. */
export async function addReadyStages(
  tx: Db,
  by: Author,
  id_list: string | null,
): Promise<StatusRow[]> {
  const { space, now } = by
  const statuses = (await selectStatuses(tx, space)).filter((row) => row.id_list === id_list)
  for (const stage of readyStages) {
    if (statuses.some(({ name }) => name === stage.name)) continue
    const status = { id: newId(), id_list, ...stage, ai_enabled: false, order: undefined }
    const row = await insertStatus(tx, space, status, now)
    await recordCreated(tx, by, 'status', toStatus(row))
    statuses.push(row)
  }
  return statuses
}
