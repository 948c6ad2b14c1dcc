// Handlers of operations: preview, run, list and undo bulk changes.
import { ApiError, notFound } from '@rapport/contract/errors'
import { dataShape } from '@rapport/contract/leads/bulk'
import { operations as contract, type Operation, type Preview } from '@rapport/contract/operations'
import { previewKinds } from '@rapport/contract/operations.values'
import { Shape } from '@rapport/contract/shapes'
import { requireScope } from '../../access/narrowed.ts'
import { type Pool, transaction } from '../../db/driver.ts'
import { type Call, resource } from '../../http/handler.ts'
import { readNumber } from '../../http/read-number.ts'
import { validator } from '../../http/validate.ts'
import { isId } from '../../ids.ts'
import { undoChange } from './change.ts'
import { confirmToken, readToken, validMs } from './confirm.ts'
import { erase } from './erase.ts'
import { beginInBackground, CountMoved, perform } from './perform.ts'
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

type Previewer = Pick<Call, 'space' | 'actor' | 'now' | 'sign'>

async function preview(db: Pool, call: Previewer, wanted: Wanted): Promise<Preview> {
  const { kind } = wanted
  const { count, ...found } = await lookAt(db, call, wanted)
  const expires = new Date(call.now.getTime() + validMs)
  const confirm = confirmToken(call.sign, wanted, count, expires)
  return { kind, count, ...found, confirm, expires_at: expires.toISOString() }
}

async function notConfirmed(db: Pool, call: Previewer, wanted: Wanted): Promise<ApiError> {
  const message = 'The preview is out of date. Review the new one and send its confirm token.'
  return new ApiError('CONFLICT', [{ path: ['confirm'], code: 'preview', message }], {
    message,
    more: { preview: await preview(db, call, wanted) },
  })
}

export const operations = resource(contract, {
  async preview(db, call) {
    return preview(db, call, readWanted(call))
  },

  async create(db, call) {
    const wanted = readWanted(call)
    if (wanted.kind === 'delete' || wanted.kind === 'merge') requireScope(call, 'delete')
    const { confirm, wait = true } = call.body
    const count = readToken(call.sign, wanted, confirm, call.now)
    if (count === undefined) throw await notConfirmed(db, call, wanted)
    if (!wait) {
      const { id, start } = await beginInBackground(db, call, wanted, count)
      call.say('X-Operation-Id', id)
      const operation = await oneOperation(db, call, id)
      start()
      return operation
    }
    const id = await perform(db, call, wanted, count).catch(async (error) => {
      throw error instanceof CountMoved ? await notConfirmed(db, call, wanted) : error
    })
    call.say('X-Operation-Id', id)
    return oneOperation(db, call, id)
  },

  async list(db, { space, query, now, settings }) {
    const limit = readNumber('limit', query.limit, { min: 1, max: 1000, otherwise: 50 })
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
    const id = await transaction(db, (tx) =>
      undoOperation(tx, call, call.id, call.settings.undoKeepMs),
    )
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
    const count = readToken(call.sign, wanted, confirm, call.now)
    if (count === undefined) throw await notConfirmed(db, call, wanted)
    const erased = await erase(db, call, wanted, count).catch(async (error) => {
      throw error instanceof CountMoved ? await notConfirmed(db, call, wanted) : error
    })
    call.say('X-Operation-Id', erased.id)
    return { ...erased, backups }
  },
})

const backups =
  'Earlier backups still contain the erased leads. Delete those backups or wait until they expire.'

/** The page after an operation: the cursor is its id. */
async function placeOf(db: Pool, space: string, id: string) {
  const operation = isId(id) ? await selectOperation(db, space, id) : undefined
  if (!operation) {
    const message = 'Must be `next` of an earlier response'
    throw new ApiError('BAD_REQUEST', [{ path: ['after'], code: 'cursor', message }])
  }
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
