// What a caller sees of an operation.
import type { Operation, OperationState } from '@rapport/contract/operations'
import { operationSpec } from '@rapport/contract/operations.values'
import type { OperationRow } from './store/operation.sql.ts'

/** A process that dies leaves its operation running. Its lease shows it. */
export function stateOf(
  { state, lease_until, kind }: Pick<OperationRow, 'state' | 'lease_until' | 'kind'>,
  now: Date,
): OperationState {
  if (state !== 'running' || lease_until === null || new Date(lease_until) > now) return state
  // An import keeps the batches that were done; every other operation is all or nothing.
  return kind === 'import' ? 'stopped' : 'failed'
}

/** Why it can never be undone, if that is so. */
export function finalReason({
  kind,
  data,
}: OperationRow): [code: string, text: string] | undefined {
  if (operationSpec(kind).isFinal) return ['erased', 'Erased leads cannot be restored']
  if (!data?.member_removed) return undefined
  return ['member_removed', 'The leads were those of a member who was removed']
}

/** Null: there is nothing to undo. */
export function undoableUntil(row: OperationRow, keepMs: number): Date | null {
  const end = row.done_at ?? row.lease_until
  return finalReason(row) || end === null ? null : new Date(Date.parse(end) + keepMs)
}

export function toOperation(row: OperationRow, now: Date, keepMs: number): Operation {
  const { id, kind, count, changed, filter, data, created_at, done_at, undo_of, undone_by } = row
  const state = stateOf(row, now)
  const until = undoableUntil(row, keepMs)
  const isUndoable =
    (state === 'done' || state === 'stopped') && !undone_by && until !== null && until > now
  const { id_member, id_key, way, request_id, undone, kept, kept_reasons } = row
  return {
    ...{ id, kind, state, count, changed },
    actor: { member: id_member, key: id_key, way, request_id },
    ...{ filter, data, created_at, done_at },
    undoable_until: isUndoable ? until.toISOString() : null,
    ...{ undo_of, undone_by },
    error: state === 'failed' ? (row.error ?? 'The service stopped. Nothing was changed.') : null,
    ...(undone !== null && { undone }),
    ...(kept !== null && { kept }),
    ...(kept_reasons !== null && { kept_reasons }),
  }
}
