// Undoes one change of one lead, as the change feed tells it. The change becomes an operation first: there is one
// way to undo.
import { isCut } from '@rapport/contract/cut.values'
import { ApiError, badRequest, notFound } from '@rapport/contract/errors'
import { type LeadRelation, leadRelations } from '@rapport/contract/leads/relations'
import type { OperationKind } from '@rapport/contract/operations.values'
import { requireScope } from '../../access/narrowed.ts'
import type { Db } from '../../db/driver.ts'
import type { Author } from '../../feed/author.ts'
import type { What } from '../../feed/journal.sql.ts'
import type { Call } from '../../http/handler.ts'
import { idIsTaken } from '../leads/row/existing.sql.ts'
import { survivorOf } from '../leads/row/merged.sql.ts'
import { insertSteps, type LeadChangeEvent, type Step, selectChange } from './change.sql.ts'
import {
  beginOperation,
  changeOperation,
  type OperationRow,
  selectOperation,
} from './store/operation.sql.ts'
import { undoDone } from './undo.ts'

/** Returns the id of the undo. Call it in a transaction. */
export async function undoChange(
  tx: Db,
  author: Author & Pick<Call, 'scopes'>,
  given: string,
  seq: number,
  keepMs: number,
): Promise<string> {
  const { space, now } = author
  const lead = (await survivorOf(tx, space, given)) ?? given
  const events = await selectChange(tx, space, lead, seq)
  const [first] = events
  if (!first) {
    if (!(await idIsTaken(tx, space, lead))) throw notFound()
    const message = 'The history of this lead has no such change, or it cannot be undone'
    throw badRequest({ path: ['seq'], code: 'unknown_record', message })
  }
  if (first.type === 'lead.restored') requireScope(author, 'delete')
  const steps = events.flatMap(stepsOf)
  const { id_member: member, id_key: key, way, request_id, at } = first
  const did = { space, actor: { member, key, way, request_id }, now: new Date(at) }
  const { operation } = await beginOperation(tx, did, kinds[first.type], {})
  await insertSteps(tx, space, operation.id, lead, steps)
  await changeOperation(tx, space, operation.id, {
    ...{ state: 'done', done_at: now.toISOString(), count: 1, changed: 1 },
    ...{ event_seq: first.seq, since_seq: events.at(-1)?.seq ?? seq },
  })
  const id = await undoDone(tx, author, operation.id, keepMs)
  const undo = await selectOperation(tx, space, id)
  if (!undo?.undone) throw conflict('changed', whyNot(undo))
  return id
}

const kinds: Record<LeadChangeEvent['type'], OperationKind> = {
  'lead.updated': 'update',
  'lead.deleted': 'delete',
  'lead.restored': 'restore',
}

const conflict = (code: string, message: string) =>
  new ApiError('CONFLICT', [{ path: ['seq'], code, message }], { message })

function whyNot(undo: OperationRow | undefined): string {
  const [first] = undo?.kept_reasons ?? []
  if (!first) return 'This has already been undone'
  return first.reason === 'changed since'
    ? 'This has changed again since'
    : `Cannot be restored: ${first.reason}`
}

/** The event as operations keep it. */
function stepsOf({ type, changed, kept }: LeadChangeEvent): Step[] {
  if (type !== 'lead.updated') {
    return [{ what: type === 'lead.deleted' ? 'deleted' : 'restored', old: null, new: null }]
  }
  if (kept) return kept
  const parts = new Map<What, Required<Step>>()
  for (const [name, [before, after]] of Object.entries(changed ?? {})) {
    if (isCut(before) || isCut(after)) {
      throw conflict('too_long', 'The value was too long to be kept in the change feed')
    }
    const what = isRelation(name) || name === 'place' ? name : 'fields'
    const { old, new: now } = parts.get(what) ?? { old: {}, new: {} }
    parts.set(what, { what, old: { ...old, [name]: before }, new: { ...now, [name]: after } })
  }
  if (parts.size === 0) {
    throw conflict('too_old', 'The values from before the change are no longer stored')
  }
  return [...parts.values()]
}

const isRelation = (name: string): name is LeadRelation => Object.hasOwn(leadRelations, name)
