// How far an import is, and how fast.

import type { ImportProgress } from '@rapport/contract/transfer.values'
import type { Importing } from '../../parts/bulk/importing.ts'
import type { Heard } from './send-file.ts'

const noRows: ImportProgress = { rows: 0, done: 0, created: 0, updated: 0, skipped: 0, rejected: 0 }

export class Progress {
  /** The service has imported rows. */
  hasBegun = false
  readonly #file: File
  readonly #phase: 'checking' | 'importing'
  readonly #stop: () => void
  #rows = noRows
  /** Where the rate is measured from. */
  #since: { time: number; done: number } | undefined

  constructor(file: File, phase: 'checking' | 'importing', stop: () => void) {
    this.#file = file
    this.#phase = phase
    this.#stop = stop
  }

  get done(): number {
    return this.#rows.done
  }

  start(): Importing {
    return this.#at('sending', 0)
  }

  wait(): Importing {
    this.#since = undefined
    return this.#at('waiting', this.#share())
  }

  hear(heard: Heard): Importing {
    if (heard.phase !== 'importing') {
      return this.#at(heard.phase, Math.min(1, heard.bytes / Math.max(1, this.#file.size)))
    }
    const { phase: _, ...rows } = heard
    this.#rows = rows
    if (rows.done > 0) {
      this.hasBegun = true
      this.#since ??= { time: performance.now(), done: rows.done }
    }
    return this.#at(this.#phase, this.#share())
  }

  #share(): number {
    const { rows, done } = this.#rows
    return rows > 0 ? Math.min(1, done / rows) : 0
  }

  #rate(): number | undefined {
    if (!this.#since) return undefined
    const seconds = (performance.now() - this.#since.time) / 1000
    const done = this.#rows.done - this.#since.done
    return seconds > 0.5 && done > 0 ? done / seconds : undefined
  }

  #at(phase: Importing['phase'], share: number): Importing {
    const stop = this.#stop
    return { file: this.#file.name, phase, share, ...this.#rows, rate: this.#rate(), stop }
  }
}
