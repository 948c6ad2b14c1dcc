// The Idempotency-Key header: a retry with the same key gets the first response
// and is not executed again. The response is stored in the transaction of the work, so that there is never
// one without the other. Requests without the header pay nothing.
import { createHash } from 'node:crypto'
import { ApiError, badRequest } from '@rapport/contract/errors'
import { longestOnceKey, onceHours } from '@rapport/contract/route'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../access/keyring.ts'
import { type Db, isLostRace, type Pool, sqlState } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import type { Done, Outcome, Repeatable } from '../http/handler.ts'
import {
  deleteAnswers,
  insertAnswers,
  type StoredAnswer,
  selectAnswers,
  selectSpacesWithAnswers,
  tryLocks,
} from './idempotency.sql.ts'

/** How long a response is kept. */
const keptMs = onceHours * 60 * 60 * 1000
const tooLarge = JSON.stringify('Already done. The response was too large to store.')
/** Stands for the key of RAPPORT_API_KEY, which is not in the database. */
const noKey = '00000000-0000-0000-0000-000000000000'

/** Undefined when the request has no Idempotency-Key. */
export function readIdempotencyKey(
  { headers, method, url, bodyBuffer }: FastifyRequest,
  principal: Principal,
): Repeatable | undefined {
  const header = headers['idempotency-key']
  if (header === undefined) return undefined
  const hash = createHash('sha256').update(`${method} ${url}\n`)
  if (bodyBuffer) hash.update(bodyBuffer)
  return {
    ...repeatableOf(principal, readHeader(String(header))),
    fingerprint: hash.digest('hex'),
  }
}

/** For a request that its key fully describes. */
export function repeatableOf(
  { space, key: id_key = noKey }: Pick<Principal, 'space' | 'key'>,
  key: string,
): Repeatable {
  return { id_space: space, id_key, key, fingerprint: key }
}

/** Bare, or as a quoted string: "abc". */
function readHeader(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim())
  const key = quoted ? (quoted[1] ?? '').replace(/\\(["\\])/g, '$1') : header.trim()
  if (key.length === 0 || key.length > longestOnceKey) {
    const message = `Idempotency-Key must be 1 to ${longestOnceKey} characters long`
    throw badRequest({ path: ['Idempotency-Key'], code: 'header', message })
  }
  return key
}

/** Does the work and stores its response, both or nothing. `work` gets a pool that is the transaction. */
export async function once(
  pool: Pool,
  request: Repeatable,
  now: Date,
  work: (pool: Pool) => Promise<Done>,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.begin(async (tx) => {
        const [before] = await beginRequests(tx, request.id_space, [request], now)
        if (before) return before()
        const done = await work(within(pool, tx))
        await run(tx, insertAnswers(request.id_space, [{ request, now, done }]))
        return { ...done, isReplayed: false }
      })
    } catch (error) {
      if (!isLost(error) || attempt === 10) throw error
    }
  }
}

/** The response of the request if it was done before. */
export async function answerBefore(
  db: Db,
  request: Repeatable,
  now: Date,
): Promise<Outcome | undefined> {
  const [stored] = await selectAnswers(db, request.id_space, [request], startOfKept(now))
  return stored && replay(request, stored)
}

function replay(request: Repeatable, stored: StoredAnswer): Outcome {
  if (stored.fingerprint !== request.fingerprint) throw new ApiError('UNPROCESSABLE')
  return { body: stored.answer ?? tooLarge, operation: stored.id_operation, isReplayed: true }
}

/**
 * For work on several requests of a workspace in one transaction: locks them, without waiting. Returns for each
 * one how it is to be answered; undefined for those that are to be done, and stored with `insertAnswers`.
 */
export async function beginRequests(
  tx: Db,
  space: string,
  requests: Repeatable[],
  now: Date,
): Promise<((() => Outcome) | undefined)[]> {
  if (requests.length === 0) return []
  const [held, stored] = await Promise.all([
    tryLocks(tx, requests),
    selectAnswers(tx, space, requests, startOfKept(now)),
  ])
  return requests.map((request, at) => {
    const before = stored[at]
    if (before) return () => replay(request, before)
    if (held[at]) return undefined
    return () => {
      throw new ApiError('CONFLICT')
    }
  })
}

const startOfKept = (now: Date) => new Date(now.getTime() - keptMs)

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
    reserve: () => Promise.reject(new Error('A transaction has no second connection')),
    end: async () => {},
    options: pool.options,
  }
}

/** How many answers one statement deletes. */
const batchSize = 1_000

/** Deletes expired responses. Stops between two statements when the signal is aborted. */
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
