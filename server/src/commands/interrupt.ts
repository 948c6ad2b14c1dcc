// How this process ends. The first request to stop lets the work under way finish; the second does
// not wait. Before the process ends it leaves its databases, so that the bundled PostgreSQL does
// not keep running without it.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorForLog } from '../db/error-for-log.ts'
import { abandonDatabases } from '../engine/open-database.ts'

/** SIGHUP: the terminal was closed. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** One Ctrl-C reaches npm and us, and npm passes its own on to us: that is still one. */
const sameSignalMs = 500
/** How long the work under way may take to finish. */
const finishMs = 15_000
/** How long leaving the databases may take. By then, PostgreSQL was asked to stop. */
const leaveMs = 1_500

const request = new AbortController()
let finishing = 0
/** Added to finishMs. */
let delayMs = 0
let isEnding = false

/**
 * Calls `first` at the first signal to stop and `again` at the second. Returns a function that stops
 * listening.
 */
export function onStopSignal(
  first: (signal: NodeJS.Signals) => void,
  again: (signal: NodeJS.Signals) => void = () => process.exit(130),
): () => void {
  let firstAt: number | undefined
  const listener = (signal: NodeJS.Signals) => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      first(signal)
    } else if (performance.now() - firstAt > sameSignalMs) {
      again(signal)
    }
  }
  for (const signal of stopSignals) process.on(signal, listener)
  return () => {
    for (const signal of stopSignals) process.off(signal, listener)
  }
}

/** For the whole life of the process, from its first moment. */
export function watchForEnd(): void {
  onStopSignal(requestStop, endNow)
  process.on('SIGQUIT', () => endNow('SIGQUIT'))
  // Otherwise the first opens a debugger, and the second ends the process without leaving its databases.
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {})
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (isLostOutput(error)) return requestStop()
    console.error(errorForLog(error))
    endNow()
  })
}

/**
 * Asks the process to stop when the reader of its output has gone. A full disk is no reason to: see the log
 * (http/log.ts).
 */
export function stopWithOutput(): void {
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error) => {
      if (isLostOutput(error)) requestStop()
    })
  }
}

function isLostOutput({ code, syscall }: NodeJS.ErrnoException): boolean {
  return (code === 'EPIPE' || code === 'EIO') && syscall === 'write'
}

/**
 * Runs work that ends on its own soon after the signal, or begins to end `afterMs` later. Other work is interrupted.
 */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  afterMs = 0,
): Promise<T> {
  finishing++
  delayMs = afterMs
  try {
    return await work(request.signal)
  } finally {
    finishing--
  }
}

/** `signal` is missing when the output was lost: only the exit status can report it. */
function requestStop(signal?: NodeJS.Signals): void {
  if (request.signal.aborted) return
  if (!signal) process.exitCode = 1
  request.abort()
  if (finishing === 0) endNow(signal)
  else setTimeout(() => endNow(signal), delayMs + finishMs).unref()
}

/** The process is ending. Errors caused by that are not reported. */
export function isEndingNow(): boolean {
  return isEnding
}

async function endNow(signal?: NodeJS.Signals): Promise<void> {
  if (isEnding) return
  isEnding = true
  await Promise.race([abandonDatabases(), sleep(leaveMs)])
  if (signal) {
    // Behind the ^C that a terminal shows.
    console.error(process.stderr.isTTY ? '\nStopped.' : 'Stopped.')
    // process.exit() would wait for file and name lookups that hang. Dying of the signal does not,
    // and tells npm and the shell what happened.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  process.exit(1)
}
