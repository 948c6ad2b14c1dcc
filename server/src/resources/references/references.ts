// The records that a request about leads names: whether the workspace has them.
import { badRequest, type Issue, unknownRecord } from '@rapport/contract/errors'
import type { Db } from '../../db/driver.ts'
import { isId } from '../../ids.ts'
import { type RecordKind, selectReferences } from './references.sql.ts'

/** Ids of records of one kind, and where in the body they stand. */
export interface References {
  kind: RecordKind
  path: Issue['path']
  /** A fault in an array is told with its index. */
  ids: string[] | string
}

/**
 * Checks all of them in one statement, or throws with the path of each that is missing. Until the
 * transaction ends the lists cannot be deleted, those of the statuses included. Returns the list of
 * each status.
 */
export async function requireReferences(
  db: Db,
  space: string,
  references: References[],
): Promise<Map<string, string | null>> {
  const entries = references.flatMap(({ kind, path, ids }) =>
    Array.isArray(ids)
      ? ids.map((id, index) => ({ kind, id: id.toLowerCase(), path: [...path, index] }))
      : [{ kind, id: ids.toLowerCase(), path }],
  )
  const wanted = entries.filter(({ id }) => isId(id))
  const found = wanted.length > 0 ? await selectReferences(db, space, wanted) : []
  const known = new Set(found.map(({ kind, id }) => `${kind} ${id}`))
  const missing = entries.filter(({ kind, id }) => !known.has(`${kind} ${id}`))
  if (missing.length > 0) {
    throw badRequest(missing.map(({ kind, path }) => unknownRecord(path, kind)))
  }
  return new Map(
    found.flatMap(({ kind, id, id_list }) => (kind === 'status' ? [[id, id_list]] : [])),
  )
}
