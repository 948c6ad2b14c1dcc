// Runs a benchmark: with a folder for its databases, progress messages and a clean end. It leaves no
// process and no temporary folder behind.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onStopSignal } from '../src/commands/interrupt.ts'
import { BenchError } from './bench-error.ts'
import { endAll } from './processes.ts'

export interface Run {
  folder: string
  /** Prints progress. Throws when the run is to stop. */
  say(line: string): void
  signal: AbortSignal
}

interface RunOptions {
  /** A folder that is kept. The default is a temporary one. */
  folder?: string | undefined
  minutes: number
}

/** `work` returns whether every target was reached. The exit status is 1 if not. */
export async function run(
  { folder: kept, minutes }: RunOptions,
  work: (run: Run) => Promise<boolean>,
): Promise<void> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'rapport-bench-')))
  // When root starts PostgreSQL, it runs under another account, and that needs access.
  if (kept === undefined) await chmod(folder, 0o711)
  const stop = new AbortController()
  const stopListening = onStopSignal(() => stop.abort(new BenchError('Stopped.')))
  const tooLong = new BenchError(`Not done after ${minutes} minutes: see --minutes.`)
  const deadline = setTimeout(() => stop.abort(tooLong), minutes * 60_000)
  const started = performance.now()
  const say = (line: string) => {
    stop.signal.throwIfAborted()
    const seconds = Math.round((performance.now() - started) / 1000)
    console.error(`${String(seconds).padStart(5)} s  ${line}`)
  }
  try {
    const isReached = await work({ folder, say, signal: stop.signal })
    process.exitCode = isReached ? 0 : 1
  } catch (error) {
    // After a stop, other errors are only consequences.
    const reason = stop.signal.aborted ? stop.signal.reason : error
    console.error(reason instanceof BenchError ? reason.message : reason)
    process.exitCode = stop.signal.aborted && reason !== tooLong ? 130 : 1
  } finally {
    clearTimeout(deadline)
    await endAll()
    if (kept === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    stopListening()
  }
}
