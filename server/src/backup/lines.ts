// A stream of bytes as whole lines, many at a time.

/** A backup begins with a line; what has none for so long is something else. */
const longestFirstLine = 16 * 1024 * 1024

export class Lines {
  readonly #source: AsyncIterator<Buffer>
  /** Whole lines that nobody has taken yet. */
  #ready: Buffer = Buffer.alloc(0)
  /** The beginning of the next line, in pieces: they are put together once, at its end. */
  #begun: Buffer[] = []
  #isFirst = true

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next line with its newline; undefined at the end, and for a last line without newline. */
  async next(): Promise<Buffer | undefined> {
    if (!(await this.#fill())) return undefined
    const end = this.#ready.indexOf(10) + 1
    return this.#take(end)
  }

  /** The lines before the next one that equals `last`; that one stays. */
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

  /** Makes sure that there is a line to take. False: the source has ended. */
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
