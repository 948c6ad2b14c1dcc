// The Idempotency-Key header: a request that is repeated with the same key is answered as the first time
// and does nothing again. The answer is stored in the transaction of the work, so that there is never
// one without the other. Requests without the header pay nothing.
import { createHash } from 'node:crypto'
import { ApiError, badRequest } from '@rapport/contract/errors'
import type { FastifyRequest } from 'fastify'
import { type Db, isLostRace, type Pool, sqlState } from '../db/driver.ts'
import type { Repeatable } from '../http/handler.ts'
import {
  beginRequest,
  deleteAnswers,
  endRequest,
  selectAnswer,
  selectSpacesWithAnswers,
} from './idempotency.sql.ts'
import type { Principal } from './keyring.ts'

/** How long an answer is kept. */
const keptMs = 24 * 60 * 60 * 1000
const tooLarge = JSON.stringify('Done before. The answer was too large to keep.')
/** Stands for the key of RAPPORT_API_KEY, which is not in the database. */
const noKey = '00000000-0000-0000-0000-000000000000'

/** Undefined when the request has no Idempotency-Key. */
export function readIdempotencyKey(
  { headers, method, url, bodyBuffer }: FastifyRequest,
  { space, key }: Principal,
): Repeatable | undefined {
  const header = headers['idempotency-key']
  if (header === undefined) return undefined
  const hash = createHash('sha256').update(`${method} ${url}\n`)
  if (bodyBuffer) hash.update(bodyBuffer)
  return {
    ...{ id_space: space, id_key: key ?? noKey, key: readHeader(String(header)) },
    fingerprint: hash.digest('hex'),
  }
}

/** Bare, or as a quoted string: "abc". */
function readHeader(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim())
  const key = quoted ? (quoted[1] ?? '').replace(/\\(["\\])/g, '$1') : header.trim()
  if (key.length === 0 || key.length > 255) {
    const message = 'Idempotency-Key must have 1 to 255 characters'
    throw badRequest({ path: ['Idempotency-Key'], code: 'header', message })
  }
  return key
}

export interface Done {
  /** The body of the answer, as JSON. */
  body: string
  /** The operation that it was. */
  operation: string | null
}

export interface Outcome extends Done {
  isReplayed: boolean
}

/** Two ways to do the same. */
export interface Work {
  /** Gets a pool whose transactions are parts of the one in which the answer is stored. */
  inTransaction(pool: Pool): Promise<Done>
  /**
   * In one statement that also stores the answer, which saves four round trips. Returns the body of the
   * answer, or undefined when it has changed nothing.
   */
  inStatement?: (pool: Pool) => Promise<string | undefined>
}

/** Does the work and stores its answer, both or nothing. */
export async function once(
  pool: Pool,
  request: Repeatable,
  now: Date,
  { inTransaction, inStatement }: Work,
): Promise<Outcome> {
  const body = await inStatement?.(pool).catch(ifRefused)
  if (body !== undefined) return { body, operation: null, isReplayed: false }
  const since = startOfKept(now)
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.begin(async (tx) => {
        if (!(await beginRequest(tx, request, now, since))) {
          return { ...(await storedAnswer(tx, request, since)), isReplayed: true }
        }
        const done = await inTransaction(within(pool, tx))
        await endRequest(tx, request, done)
        return { ...done, isReplayed: false }
      })
    } catch (error) {
      if (!isLost(error) || attempt === 10) throw error
    }
  }
}

async function storedAnswer(tx: Db, request: Repeatable, since: Date): Promise<Done> {
  const stored = await selectAnswer(tx, request, since)
  if (!stored) throw new ApiError('CONFLICT')
  if (stored.fingerprint !== request.fingerprint) throw new ApiError('UNPROCESSABLE')
  return { body: stored.answer ?? tooLarge, operation: stored.id_operation }
}

const startOfKept = (now: Date) => new Date(now.getTime() - keptMs)

const uniqueViolation = '23505'

/**
 * The statement has changed nothing. The reason does not matter yet, because a request that was done
 * before is answered as then, even if it would be refused now.
 */
function ifRefused(error: unknown): undefined {
  const isRefused =
    error instanceof ApiError || isLostRace(error) || sqlState(error) === uniqueViolation
  if (!isRefused) throw error
}

const failedTransaction = '25P02'

/**
 * Another transaction was faster. A handler that catches that to try again meets the second code: after
 * an error PostgreSQL takes no further statement of a transaction.
 */
const isLost = (error: unknown) => isLostRace(error) || sqlState(error) === failedTransaction

/** A pool that has one connection, in a transaction. Transactions on it are savepoints. */
function within(pool: Pool, tx: Db): Pool {
  const { savepoint } = tx as Db & { savepoint<T>(work: (tx: Db) => Promise<T>): Promise<T> }
  return {
    unsafe: tx.unsafe,
    begin: ((...args: unknown[]) => savepoint(args.at(-1) as never)) as Pool['begin'],
    reserve: () => Promise.reject(new Error('There is no second connection in a transaction')),
    end: async () => {},
    options: pool.options,
    isTransaction: true,
  }
}

/** How many answers one statement deletes. */
const batchSize = 1_000

/** Deletes the answers that are kept no longer. Stops between two statements when the signal is aborted. */
export async function pruneAnswers(db: Pool, now: Date, signal: AbortSignal): Promise<void> {
  const before = startOfKept(now)
  for (const space of await selectSpacesWithAnswers(db, before)) {
    let count: number
    do {
      if (signal.aborted) return
      count = await deleteAnswers(db, space, before, batchSize)
    } while (count === batchSize)
  }
}
