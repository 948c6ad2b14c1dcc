// Keeps the rejected rows of an import over HTTP, in the transaction of each batch.
import type { Db, Pool } from '../../../db/driver.ts'
import type { Source } from '../file/row-source.ts'
import type { Rejects } from './import-once.ts'
import type { RejectedRow } from './plan-batch.ts'
import { headerRow, insertRejected } from './rejected.sql.ts'
import { rejectedHeader, rejectedLines } from './rejected-rows.ts'

export class RejectedStore implements Rejects {
  readonly #pool: Pool
  readonly #space: string
  #import: { source: Source; id: string } | undefined
  #bytes: number
  #next: number

  constructor(pool: Pool, space: string, bytes: number) {
    this.#pool = pool
    this.#space = space
    this.#bytes = bytes
    this.#next = bytes
  }

  async open(source: Source, id: string): Promise<void> {
    this.#import = { source, id }
    // Also when it goes on: the command line may have begun it, with a file of its own.
    await insertRejected(this.#pool, this.#space, id, headerRow, rejectedHeader(source))
  }

  async write(tx: Db, rejected: RejectedRow[], row: number): Promise<number> {
    this.#next = this.#bytes
    if (rejected.length === 0 || !this.#import) return this.#bytes
    const { source, id } = this.#import
    const content = rejectedLines(source, rejected)
    await insertRejected(tx, this.#space, id, row, content)
    this.#next = this.#bytes + content.length
    return this.#next
  }

  keep(): number {
    this.#bytes = this.#next
    return this.#bytes
  }

  async close(): Promise<void> {}
}
