// The Idempotency-Key header: a request that is repeated with the same key is answered as the first time
// and does nothing again. The answer is stored in the transaction of the work, so that there is never
// one without the other. Requests without the header pay nothing.
import { createHash } from 'node:crypto'
import { ApiError, badRequest } from '@rapport/contract/errors'
import type { FastifyRequest } from 'fastify'
import { type Db, isLostRace, type Pool, sqlState } from '../db/driver.ts'
import { insertAnswer, type Request, selectAnswer, tryLock } from './idempotency.sql.ts'
import type { Principal } from './keyring.ts'

/** How long an answer is kept. */
const keptMs = 24 * 60 * 60 * 1000
/** A longer answer is not kept, only that the request was done. */
const maxAnswerBytes = 64 * 1024
const tooLarge = JSON.stringify('Done before. The answer was too large to keep.')
/** Stands for the key of RAPPORT_API_KEY, which is not in the database. */
const noKey = '00000000-0000-0000-0000-000000000000'

export interface Repeatable {
  request: Request
  fingerprint: string
}

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
    request: { id_space: space, id_key: key ?? noKey, key: readHeader(String(header)) },
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

export interface Outcome {
  /** The body of the answer, as JSON. */
  body: string
  isReplayed: boolean
}

/**
 * Does the work in one transaction with storing its answer. `work` gets a pool whose transactions are
 * parts of that one, and returns the body of the answer.
 */
export async function once(
  pool: Pool,
  { request, fingerprint }: Repeatable,
  now: Date,
  work: (pool: Pool) => Promise<string>,
): Promise<Outcome> {
  const since = new Date(now.getTime() - keptMs)
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.begin(async (tx) => {
        if (!(await tryLock(tx, request))) throw new ApiError('CONFLICT')
        const stored = await selectAnswer(tx, request, since)
        if (stored && stored.fingerprint !== fingerprint) throw new ApiError('UNPROCESSABLE')
        if (stored) return { body: stored.answer ?? tooLarge, isReplayed: true }
        const body = await work(within(pool, tx))
        const answer = Buffer.byteLength(body) > maxAnswerBytes ? null : body
        await insertAnswer(tx, request, { fingerprint, answer }, now, since)
        return { body, isReplayed: false }
      })
    } catch (error) {
      if (!isLost(error) || attempt === 10) throw error
    }
  }
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
  }
}
