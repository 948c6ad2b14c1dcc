// Checks that the records in a request about leads exist in the workspace.
import { badRequest, type Issue, unknownRecord } from '@rapport/contract/errors'
import type { Db } from '../db/driver.ts'
import { isId } from '../ids.ts'
import { type RecordKind, selectReferences } from './references.sql.ts'

/** Ids of records of one kind, and their path in the body. */
export interface References {
  kind: RecordKind
  path: Issue['path']
  /** For an array, the path of a fault includes the index. */
  ids: string[] | string
}

/**
 * Throws an error with the path of each record that does not exist. Locks the lists, including those of the
 * statuses: they cannot be deleted until the transaction ends. Returns the list of each status.
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
