// Handlers of operations: preview, run, list and undo bulk changes.
import { ApiError, notFound, notNext } from '@rapport/contract/errors'
import { dataShape } from '@rapport/contract/leads/bulk'
import {
  operations as contract,
  type Operation,
  operationLimits,
  type Preview,
} from '@rapport/contract/operations'
import { type OperationKind, previewKinds } from '@rapport/contract/operations.values'
import { Shape } from '@rapport/contract/shapes'
import { requireScope } from '../../access/narrowed.ts'
import { type Db, type Pool, transaction } from '../../db/driver.ts'
import { type Call, resource } from '../../http/handler.ts'
import { readNumber } from '../../http/read-query.ts'
import { validator } from '../../http/validate.ts'
import { isId } from '../../ids.ts'
import { undoChange } from './change.ts'
import { confirmToken, readToken, validMs } from './confirm.ts'
import { erase } from './erase.ts'
import { beginInBackground, PreviewMoved, perform } from './perform.ts'
import { lookAt, type Wanted } from './preview.ts'
import { toOperation } from './state.ts'
import { selectOperation, selectOperations } from './store/operation.sql.ts'
import { undoOperation } from './undo.ts'

/** Checks the data of an operation. Compiled once for each kind. */
const checks = new Map(
  previewKinds.map((kind) => [kind, validator(Shape('OperationData', { data: dataShape(kind) }))]),
)

type WantedCall = Call<typeof contract.routes.preview> | Call<typeof contract.routes.create>

function readWanted({ body: { kind, filter, data = {} } }: WantedCall): Wanted {
  checks.get(kind)?.({ data })
  return { kind, filter, data }
}

type Previewer = Pick<Call, 'space' | 'actor' | 'now' | 'sign' | 'scopes'>

async function preview(db: Pool, call: Previewer, wanted: Wanted): Promise<Preview> {
  const { kind } = wanted
  const { seen, ...found } = await lookAt(db, call, wanted)
  const expires = new Date(call.now.getTime() + validMs)
  const confirm = confirmToken(call.sign, wanted, seen, expires)
  return { kind, count: seen.count, ...found, confirm, expires_at: expires.toISOString() }
}

async function notConfirmed(db: Pool, call: Previewer, wanted: Wanted): Promise<ApiError> {
  // A preview shows leads.
  requireScope(call, 'read')
  const message = 'The preview is out of date. Review the new one and send its confirm token.'
  return outOfDate(message, { preview: await preview(db, call, wanted) })
}

const outOfDate = (message: string, more: object = {}) =>
  new ApiError('CONFLICT', [{ path: ['confirm'], code: 'preview', message }], { message, more })

/** The leads are others now. What was wanted may not be possible with these. */
async function moved(db: Pool, call: Previewer, wanted: Wanted): Promise<ApiError> {
  return notConfirmed(db, call, wanted).catch((error) => {
    if (!(error instanceof ApiError)) throw error
    return outOfDate(`The leads have changed since the preview. ${error.issues[0]?.message}`)
  })
}

export const operations = resource(contract, {
  async preview(db, call) {
    return preview(db, call, readWanted(call))
  },

  async create(db, call) {
    const wanted = readWanted(call)
    requireRight(call, wanted.kind)
    const { confirm, wait = true } = call.body
    const seen = readToken(call.sign, wanted, confirm, call.now)
    if (seen === undefined) throw await notConfirmed(db, call, wanted)
    if (!wait) {
      const { id, start } = await beginInBackground(db, call, wanted, seen)
      call.say('X-Operation-Id', id)
      const operation = await oneOperation(db, call, id)
      start()
      return operation
    }
    const id = await perform(db, call, wanted, seen).catch(async (error) => {
      throw error instanceof PreviewMoved ? await moved(db, call, wanted) : error
    })
    call.say('X-Operation-Id', id)
    return oneOperation(db, call, id)
  },

  async list(db, { space, query, now, settings }) {
    const limit = readNumber('limit', query.limit, operationLimits)
    const after = query.after ? await placeOf(db, space, query.after) : undefined
    const rows = await selectOperations(db, space, { after, limit })
    return {
      operations: rows.map((row) => toOperation(row, now, settings.undoKeepMs)),
      next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
    }
  },

  get(db, call) {
    return oneOperation(db, call, call.id)
  },

  async undo(db, call) {
    const id = await transaction(db, async (tx) => {
      requireRight(call, await doneByUndoing(tx, call.space, call.id))
      return undoOperation(tx, call, call.id, call.settings.undoKeepMs)
    })
    call.say('X-Operation-Id', id)
    return oneOperation(db, call, id)
  },

  async undoChange(db, call) {
    const id = await transaction(db, (tx) =>
      undoChange(tx, call, call.id, call.body.seq, call.settings.undoKeepMs),
    )
    call.say('X-Operation-Id', id)
    return oneOperation(db, call, id)
  },

  async erase(db, call) {
    const { filter, deleted, confirm } = call.body
    const data = deleted === undefined ? {} : { deleted }
    const wanted: Wanted<'erase'> = { kind: 'erase', filter, data }
    const seen = readToken(call.sign, wanted, confirm, call.now)
    if (seen === undefined) throw await notConfirmed(db, call, wanted)
    const erased = await erase(db, call, wanted, seen.count).catch(async (error) => {
      throw error instanceof PreviewMoved ? await moved(db, call, wanted) : error
    })
    call.say('X-Operation-Id', erased.id)
    return { ...erased, backups }
  },
})

/** Who may not delete leads may not make them part of others either, nor do it again. */
function requireRight(call: Pick<Call, 'scopes'>, kind: OperationKind | undefined): void {
  if (kind === 'delete' || kind === 'merge') requireScope(call, 'delete')
}

/** What the undo of this operation does: what it has undone itself, or a deletion of what it has restored or created. */
async function doneByUndoing(
  db: Db,
  space: string,
  id: string,
): Promise<OperationKind | undefined> {
  let operation = await selectOperation(db, space, id)
  let isRedo = false
  while (operation?.undo_of) {
    operation = await selectOperation(db, space, operation.undo_of)
    isRedo = !isRedo
  }
  if (isRedo) return operation?.kind
  return operation?.kind === 'restore' || operation?.kind === 'import' ? 'delete' : undefined
}

const backups =
  'Earlier backups still contain the erased leads. Delete those backups or wait until they expire.'

/** The page after an operation: the cursor is its id. */
async function placeOf(db: Pool, space: string, id: string) {
  const operation = isId(id) ? await selectOperation(db, space, id) : undefined
  if (!operation) throw notNext()
  return operation
}

async function oneOperation(
  db: Pool,
  { space, now, settings }: Pick<Call, 'space' | 'now' | 'settings'>,
  id: string,
): Promise<Operation> {
  const row = await selectOperation(db, space, id)
  if (!row) throw notFound()
  return toOperation(row, now, settings.undoKeepMs)
}
