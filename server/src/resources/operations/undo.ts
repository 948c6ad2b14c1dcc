// Undoes an operation. An undo is itself an operation, so it can be undone too.
import { ApiError, notFound } from '@rapport/contract/errors'
import type { Db } from '../../db/driver.ts'
import { jsonb, run } from '../../db/sql.ts'
import { audit } from '../../feed/audit.sql.ts'
import type { Author } from '../../feed/author.ts'
import type { What, WholeChange } from '../../feed/journal.sql.ts'
import { tellOwners } from '../../feed/notify.sql.ts'
import { markDeleted, markRestored } from '../leads/change/pick.sql.ts'
import { changeCount } from '../leads/row/count.sql.ts'
import { forgetImport } from '../transfer/import/run/progress.sql.ts'
import { finalReason, stateOf, undoableUntil } from './state.ts'
import { selectMade } from './store/made.sql.ts'
import {
  beginOperation,
  changeOperation,
  endOperation,
  type OperationAuthor,
  type OperationRow,
  selectOperation,
} from './store/operation.sql.ts'
import { lockFields, undoFields } from './undo.fields.sql.ts'
import { lockMade } from './undo.made.sql.ts'
import { remake, undoMade } from './undo.made.ts'
import { undoMerged, undoMoves, undoStays, undoSteps } from './undo.merge.sql.ts'
import { lockPlaces, selectSpots, undoPlaces } from './undo.place.sql.ts'
import { undoRelations } from './undo.relations.sql.ts'
import {
  countUndone,
  type Done,
  lockLeadsOf,
  selectDone,
  selectLeadsOf,
  selectUntouched,
  undoNotes,
  undoReminders,
} from './undo.sql.ts'

/** Returns the id of the undo. Call it in a transaction. */
export async function undoOperation(
  tx: Db,
  author: Author,
  id: string,
  keepMs: number,
): Promise<string> {
  const undo = await undoDone(tx, author, id, keepMs)
  await audit(tx, author, 'operation.undone', { operation: id, undo })
  return undo
}

/** The same for a change that is too small for the audit log. */
export async function undoDone(
  tx: Db,
  author: Author,
  id: string,
  keepMs: number,
): Promise<string> {
  const { space, now } = author
  const operation = await selectOperation(tx, space, id, 'lock')
  if (!operation) throw notFound()
  requireUndoable(operation, now, keepMs)
  const by = await beginOperation(tx, { ...author, undoOf: id }, 'undo', {})
  const made = await selectMade(tx, space, id)
  await lockMade(tx, space, made)
  await remake(tx, by, id)
  const done = await selectDone(tx, space, operation)
  const changed = done.find(({ what }) => what === 'fields')
  const fields = changed && (await lockFields(tx, space, changed))
  const placed = done.find(({ what }) => what === 'place')
  const moved = placed && (await lockPlaces(tx, by, placed))
  await lockLeadsOf(tx, space, id)
  const spots = await selectSpots(tx, moved ?? [])
  let counted = 0
  for (const each of done) {
    if (isWhole(each.what)) counted += await wholeChanges[each.what](tx, by, each, operation)
  }
  if (changed && fields) await undoFields(tx, by, changed, fields)
  await undoRelations(tx, by, done)
  if (placed) await undoPlaces(tx, by, placed, spots, operation.since_seq)
  const told = made.length > 0 ? await undoMade(tx, by, made) : undefined
  await changeCount(tx, space, counted)
  const { undone, kept, reasons } = await countUndone(tx, space, by.operation.id)
  const isInVain = undone === 0 && kept > 0 && !told?.removed.length
  if (!isInVain) {
    await changeOperation(tx, space, id, {
      undone_by: by.operation.id,
      ...undoneOf(operation, undone),
    })
    // The same file can be imported again, from its beginning.
    if (operation.kind === 'import') await forgetImport(tx, space, { id })
    if (await turnChain(tx, space, operation)) await tellOwners(tx, by, by.operation.id)
  }
  await endOperation(tx, by, { count: operation.changed, changed: undone })
  await run(tx)`update operation
    set undone = ${undone}, kept = ${kept}, kept_reasons = ${jsonb(reasons)},
      data = ${jsonb({ ...didOf(operation), ...told })}
    where id_space = ${space} and id = ${by.operation.id}`
  return by.operation.id
}

/** The kind of what an undo undoes, or does again. The undo of an undo from an older release does not know it. */
function didOf({ kind, data }: OperationRow): Record<string, unknown> {
  if (kind !== 'undo') return { undid: kind }
  if (data?.undid) return { redid: data.undid }
  return data?.redid ? { undid: data.redid } : {}
}

/** An undone operation says of how many leads, too. An undo says of how many it was one. */
const undoneOf = ({ kind }: OperationRow, undone: number | null) =>
  kind === 'undo' ? {} : { undone }

/**
 * An undo was undone, so the operation that it undid is in force again. If that is an undo too, what it
 * undid is not, and so on. Returns whether the first one is.
 */
async function turnChain(tx: Db, space: string, undone: OperationRow): Promise<boolean> {
  let [isInForce, undo] = [true, undone]
  while (undo.undo_of) {
    const operation = await selectOperation(tx, space, undo.undo_of, 'lock')
    if (!operation) return false
    const undone_by = isInForce ? null : (operation.undone_by ?? undo.id)
    await changeOperation(tx, space, operation.id, {
      ...{ undone_by, ...undoneOf(operation, isInForce ? null : undo.undone) },
    })
    isInForce = !isInForce
    undo = operation
  }
  return !isInForce
}

/** Throws 409 with the reason if it cannot be undone. */
export function requireUndoable(operation: OperationRow, now: Date, keepMs: number): void {
  const fault = (code: string, message: string) =>
    new ApiError('CONFLICT', [{ path: ['id'], code, message }], { message })
  const state = stateOf(operation, now)
  if (state === 'running') throw fault('running', 'The operation is still running')
  if (state === 'failed') throw fault('failed', 'The operation failed and changed nothing')
  if (operation.undone_by) throw fault('undone', 'The operation has already been undone')
  const reason = finalReason(operation)
  if (reason) throw fault(...reason)
  const until = undoableUntil(operation, keepMs)
  if (until === null || until <= now) {
    throw fault('too_old', 'The values from before the operation are no longer stored')
  }
}

type Undo = (db: Db, by: OperationAuthor, done: Done, of: OperationRow) => Promise<number>

/** Leads as a whole, notes and reminders. Each returns by how many the number of leads changes. */
const wholeChanges: Record<WholeChange, Undo> = {
  async notes(db, by, done) {
    await undoNotes(db, by, done)
    return 0
  },
  async reminders(db, by, done) {
    await undoReminders(db, by, done)
    return 0
  },
  merged: undoMerged,
  async note_leads(db, by, done) {
    await undoMoves(db, by, 'note', done)
    return 0
  },
  async reminder_leads(db, by, done) {
    await undoMoves(db, by, 'reminder', done)
    return 0
  },
  async steps(db, by, done) {
    await undoSteps(db, by, done)
    return 0
  },
  async stays(db, by, done) {
    await undoStays(db, by, done)
    return 0
  },
  async created(db, by, done, { since_seq }) {
    const leads = await selectUntouched(db, by, done, since_seq)
    if (leads.count > 0) await markDeleted(db, by, leads.ids)
    return -leads.count
  },
  async restored(db, by, done) {
    const leads = await selectLeadsOf(db, by.space, done, 'live')
    if (leads.count > 0) await markDeleted(db, by, leads.ids)
    return -leads.count
  },
  async deleted(db, by, done) {
    const leads = await selectLeadsOf(db, by.space, done, 'deleted')
    if (leads.count > 0) await markRestored(db, by, leads.ids)
    return leads.count
  },
}

const isWhole = (what: What): what is WholeChange => Object.hasOwn(wholeChanges, what)
