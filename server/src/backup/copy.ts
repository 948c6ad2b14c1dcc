// COPY with workarounds for the driver: when a COPY fails, the connection must still be able to roll
// back, and the caller must get the error.
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { Db } from '../db/driver.ts'

/** Passes the rows to `write` in pieces. `breakOff` cancels the COPY on the server. */
export async function copyOut(
  tx: Db,
  statement: string,
  write: (piece: Buffer) => Promise<void>,
  breakOff: () => Promise<unknown>,
): Promise<void> {
  const rows: Readable = await tx.unsafe(statement).readable()
  try {
    for await (const piece of rows.iterator({ destroyOnReturn: false })) await write(piece)
  } catch (error) {
    // The connection accepts no other statement, not even ROLLBACK, before the COPY has ended. So
    // cancel it and read the remaining rows.
    if (!rows.destroyed) {
      await breakOff().catch(() => {})
      await finished(rows.resume()).catch(() => {})
    }
    throw error
  } finally {
    // The driver pauses its socket when rows arrive faster than they are read, and resumes it on the
    // next read. After the last row there is no next read, and the next statement would wait forever.
    rows._read(0)
  }
}

export async function copyIn(
  tx: Db,
  statement: string,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const query = tx.unsafe(statement)
  const stream = await query.writable()
  // The server may refuse the rows after the last one was sent, for example because of a foreign key.
  // The driver then rejects the query. But it has already resolved it with the stream, so the error
  // would be lost. We replace the query's reject function to get the error.
  const refused = new Promise<never>((_resolve, reject) => Object.assign(query, { reject }))
  await Promise.race([pipeline(rows, stream), refused])
}
