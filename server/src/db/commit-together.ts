// A transaction that reads first and writes last, in two ways to the database and back. Each statement that it does
// not send apart saves an answer, for which a lone client waits.
import { isOnCluster } from './distribute.ts'
import { type Begun, type Db, isUnavailable, type Pool } from './driver.ts'
import { join, raw, Sql, sending, sql } from './sql.ts'

/** The last statements of a transaction, and its result. */
export interface LastStatements<T> {
  /** They return no rows, and none needs to see what another one writes. */
  statements: Sql[]
  result: T
}

/** The connection was lost after COMMIT was sent: the transaction is written, or it is not. */
export class MaybeCommitted extends Error {
  readonly code = 'CONNECTION_CLOSED'
}

/** One of the last statements has failed, so COMMIT was a ROLLBACK. */
export class NotCommitted extends Error {}

/**
 * Runs the work in a transaction. It must not write anything: BEGIN goes out together with its first statements, and
 * COMMIT with the last ones, which it returns. The true error of a failed last statement is lost.
 */
export async function commitTogether<T>(
  pool: Pool,
  work: (tx: Db) => Promise<LastStatements<T>>,
): Promise<T> {
  // No Error yet: making one takes time, and it is hardly ever needed. With a code, because when the connection is
  // lost, the driver may reject the next transaction with it.
  const failure = { code: 'CONNECTION_CLOSED' }
  let isSent = false
  // Before the transaction: it may need a connection.
  const isDistributed = await isOnCluster(pool)
  try {
    const begin = async (tx: Begun) => {
      const { statements, result } = await work(tx)
      const last = isDistributed ? statements : asOne(statements)
      // Without a transaction, each statement would be written alone.
      await tx.begun
      const sent = last.map(({ text, values, sender }) => {
        const query = tx.unsafe(text, values as never[], sending({ prepare: true, sender }))
        // Otherwise the driver sends it when someone waits for the result.
        return notRepeated(query, failure).execute()
      })
      isSent = true
      return { sent, result }
    }
    const { sent, result } = await pool.begin('', begin, true)
    // COMMIT is answered, so the statements before it are too. If one has failed, COMMIT was a ROLLBACK.
    await Promise.all(sent)
    return result
  } catch (error) {
    if (error === failure) throw new NotCommitted('A statement failed')
    if (isSent && isUnavailable(error)) {
      throw new MaybeCommitted('The connection was lost at COMMIT', { cause: error })
    }
    throw error
  }
}

/**
 * The statements as parts of the first one. PostgreSQL runs that first, then the parts, the last one first. Not on a
 * cluster, where the parts of a statement may go to several nodes.
 */
function asOne([first, ...others]: Sql[]): Sql[] {
  if (!first || others.length === 0) return first ? [first] : []
  const parts = others.map((part, at) => sql`${raw(`part_${at}`)} as (${part})`)
  const { strings, values } = sql`with ${join(parts.reverse(), ', ')} ${first}`
  return [new Sql(strings, values, first.sender)]
}

/**
 * The driver repeats some statements that have failed, for example after a change of a column's type. Behind
 * COMMIT, such a statement would be written alone. A query that looks like a repeated one is not repeated: it
 * fails with the error of its first attempt, which is the given one, and the real one is lost.
 */
function notRepeated<Query extends object>(query: Query, failure: object): Query {
  return Object.assign(query, { retried: failure })
}
