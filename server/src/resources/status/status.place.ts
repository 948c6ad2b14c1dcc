// Moves a lead to a status, at a given place.
import { badRequest, notFound, unknownRecord } from '@rapport/contract/errors'
import type { Db } from '../../db/driver.ts'
import { sql } from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { isId } from '../../ids.ts'
import { selectReferences } from '../../references/references.sql.ts'
import { pickLeads } from '../leads/change/pick.sql.ts'
import {
  type Column,
  journalPlace,
  lockColumn,
  selectPlace,
  selectSpot,
  writePlace,
} from '../leads/change/place.sql.ts'
import { connect, everyPair, everyStatus, setStatuses } from '../leads/change/relations.sql.ts'
import { onLead } from '../leads/row/existing.sql.ts'
import { followMerged } from '../leads/row/merged.sql.ts'

export interface Move {
  status: string
  lead: string
  /** The lead that it goes before. Undefined: it goes to the end. */
  before: string | undefined
}

/**
 * Call it in a transaction. Locks the list, the status and the lead, in this order. Returns the id of the lead, or of
 * the one that it was merged into.
 */
export async function placeLead(tx: Db, by: Author, { status, lead: given, before: beside }: Move) {
  const { space, now } = by
  const [found] = await selectReferences(tx, space, [{ kind: 'status', id: status }])
  if (!found) throw notFound()
  const column: Column = { space, status, id_list: found.id_list }
  await lockColumn(tx, column, now)
  const picked = isId(given)
    ? await onLead(tx, space, given, async (lead) => {
        const { count, ids } = await pickLeads(tx, space, sql`lead.id = ${lead}`)
        return count > 0 ? { lead, ids } : undefined
      })
    : undefined
  if (!picked) throw badRequest(unknownRecord(['id_lead'], 'lead'))
  const { lead, ids } = picked
  const before = beside && (await followMerged(tx, space, [beside]))(beside)
  const next = before === undefined ? undefined : await requirePlace(tx, column, before)
  // Before itself: where it is.
  if (before === lead) return lead
  const from = await selectSpot(tx, column, lead)
  if (column.id_list !== null) await connect(tx, by, 'lists', everyPair(ids, [column.id_list]))
  await setStatuses(tx, by, everyStatus(ids, [{ id: status, id_list: column.id_list }]))
  await writePlace(tx, column, lead, next)
  await journalPlace(tx, by, lead, from, { status, before: before ?? null })
  return lead
}

async function requirePlace(tx: Db, column: Column, id: string): Promise<Buffer> {
  const place = isId(id) ? await selectPlace(tx, column, id) : undefined
  if (place) return place
  const message = 'No such lead in this status'
  throw badRequest({ path: ['before'], code: 'unknown_record', message })
}
