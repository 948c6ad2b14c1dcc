// The records that a request about leads names: which of them the workspace has.
import type { Db } from '../../db/connect.ts'
import { badRequest, type Issue, unknownRecord } from '../../http/errors.ts'
import { isId } from '../../ids.ts'
import { type RefKind, selectRefs } from './leads.refs.sql.ts'

/** Ids of one kind, and where in the body they stand. */
export interface NamedRefs {
  kind: RefKind
  path: Issue['path']
  /** An array of ids is named with their index, a single one without. */
  ids: string[] | string
}

const words: Record<RefKind, string> = {
  list: 'list',
  status: 'status',
  tag: 'tag',
  member: 'member',
  campaign: 'campaign',
  lead: 'lead',
}

/**
 * Checks all of them in one statement or throws with the path of each that is missing. In a
 * transaction the lists, also those of the statuses, cannot be deleted until its end. Answers the
 * list of each status.
 */
export async function requireRefs(
  db: Db,
  space: string,
  named: NamedRefs[],
): Promise<Map<string, string | null>> {
  const entries = named.flatMap(({ kind, path, ids }) =>
    Array.isArray(ids)
      ? ids.map((id, index) => ({ kind, id: id.toLowerCase(), path: [...path, index] }))
      : [{ kind, id: ids.toLowerCase(), path }],
  )
  const wanted = entries.filter(({ id }) => isId(id))
  const found = wanted.length > 0 ? await selectRefs(db, space, wanted) : []
  const known = new Set(found.map(({ kind, id }) => `${kind} ${id}`))
  const missing = entries.filter(({ kind, id }) => !known.has(`${kind} ${id}`))
  if (missing.length > 0) {
    throw badRequest(missing.map(({ kind, path }) => unknownRecord(path, words[kind])))
  }
  return new Map(
    found.flatMap(({ kind, id, id_list }) => (kind === 'status' ? [[id, id_list]] : [])),
  )
}
