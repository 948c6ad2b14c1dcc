// What a caller hears while an import runs, as server-sent events.

/** How often progress is reported at most. */
const everyMs = 250

/** Keeps what is newest until it is read: a slow reader misses old figures, never the end. */
export class ProgressTeller {
  #progress: object | undefined
  #end: string | undefined
  #toldAt = 0
  #wake = () => {}

  progress(progress: object): void {
    this.#progress = progress
    this.#wake()
  }

  end(event: 'result' | 'fault', data: object): void {
    this.#end = text(event, data)
    this.#wake()
  }

  async *events(): AsyncGenerator<string> {
    // Sent immediately, so that proxies and the caller know that the work has begun.
    yield ': reading\n\n'
    while (this.#end === undefined) {
      const wait = this.#toldAt + everyMs - Date.now()
      if (this.#progress && wait <= 0) {
        const progress = this.#progress
        this.#progress = undefined
        this.#toldAt = Date.now()
        yield text('progress', progress)
      } else await this.#news(this.#progress ? wait : undefined)
    }
    yield this.#end
  }

  /** Resolves when there is progress, or when the time is over. */
  #news(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      this.#wake = () => {
        if (timer && this.#end === undefined) return
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const text = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
