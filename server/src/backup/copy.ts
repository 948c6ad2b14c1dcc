// COPY over the driver, which has its edges: a copy that goes wrong must leave a connection that can
// still roll back, and must tell why.
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { Db } from '../db/driver.ts'

/** Hands the rows to `write` piece by piece. `breakOff` makes the server stop sending. */
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
    // Until the copy has ended the connection takes no other statement: not even the rollback.
    if (!rows.destroyed) {
      await breakOff().catch(() => {})
      await finished(rows.resume()).catch(() => {})
    }
    throw error
  } finally {
    // The driver pauses its socket when rows come faster than they are taken, and wakes it when more
    // are asked for. After the last row nobody asks, and the next statement would wait for ever.
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
  // When the server refuses rows after the last of them was sent (a foreign key, say), the driver
  // rejects the query, which it has fulfilled with the stream already: nobody would hear of it.
  const refused = new Promise<never>((_resolve, reject) => Object.assign(query, { reject }))
  await Promise.race([pipeline(rows, stream), refused])
}
