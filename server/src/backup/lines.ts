// Splits a stream of bytes at line ends. It returns many whole lines at a time.

/** A backup starts with a header line. A file whose first line is longer than this is not a backup. */
const longestFirstLine = 16 * 1024 * 1024

export class Lines {
  readonly #source: AsyncIterator<Buffer>
  /** Whole lines that were not read yet. */
  #ready: Buffer = Buffer.alloc(0)
  /** The pieces of the next, incomplete line. They are joined once, when the line is complete. */
  #begun: Buffer[] = []
  #isFirst = true

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next line with its newline. Undefined at the end, and for a last line without a newline. */
  async next(): Promise<Buffer | undefined> {
    if (!(await this.#fill())) return undefined
    const end = this.#ready.indexOf(10) + 1
    return this.#take(end)
  }

  /** The lines before the next line that equals `last`. That line itself is not consumed. */
  async *until(last: string): AsyncGenerator<Buffer> {
    const inside = `\n${last}`
    while (await this.#fill()) {
      const startsWithIt = this.#ready.subarray(0, last.length).equals(Buffer.from(last))
      const at = startsWithIt ? 0 : this.#ready.indexOf(inside) + 1
      if (at > 0) yield this.#take(at)
      if (at > 0 || startsWithIt) return
      yield this.#take(this.#ready.length)
    }
  }

  #take(length: number): Buffer {
    const taken = this.#ready.subarray(0, length)
    this.#ready = this.#ready.subarray(length)
    return taken
  }

  /** Reads until at least one whole line is ready. Returns false if the source has ended. */
  async #fill(): Promise<boolean> {
    let begun = 0
    while (this.#ready.length === 0) {
      const { value, done } = await this.#source.next()
      if (done) return false
      const end = value.lastIndexOf(10) + 1
      if (end > 0) {
        this.#ready = Buffer.concat([...this.#begun, value.subarray(0, end)])
        this.#begun = []
        this.#isFirst = false
      }
      if (end < value.length) this.#begun.push(value.subarray(end))
      begun += value.length
      if (this.#isFirst && begun > longestFirstLine) return false
    }
    return true
  }
}
