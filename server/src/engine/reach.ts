import { setTimeout as sleep } from 'node:timers/promises'
import { logIfSlow } from '../db/log-if-slow.ts'
import type { Binaries } from './binaries.ts'
import { readPassword } from './create.ts'
import type { DataFolder } from './data-folder.ts'
import { codeOf, EngineError, messageOf } from './engine-error.ts'
import { chooseAddress, type Launched, launch, loopback } from './launch.ts'
import { type Address, findPostmaster, removeStalePidFile } from './postmaster.ts'
import { register, type Session } from './session.ts'
import { tryStartLock } from './start-lock.ts'

export interface Reached {
  how: 'started' | 'attached'
  address: Address
  secret: string | undefined
  session: Session
}

type Listen = 'socket' | 'loopback' | Address

const patienceMs = 30_000

/**
 * A start that failed for one of these reasons is tried again: another process was faster, the
 * processes of a killed server are still ending, another program took the port that was free, or the
 * server was killed while it started.
 */
const passingReasons =
  /lock file .* already exists|pre-existing shared memory|Address already in use|lock file .* is empty|killed \(SIG(KILL|TERM)\)/i

/**
 * Attaches to the server that runs on this data, or starts one, and registers with it. After an abort
 * it still registers with a server that is ready, so that the caller can leave it properly.
 */
export async function reach(
  folder: DataFolder,
  binaries: Binaries,
  listen: Listen,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<Reached> {
  const starting = 'it is starting; after a crash, it first recovers its data'
  let problem = starting
  const waiting = () => `Waiting for PostgreSQL on ${folder.path}: ${problem}…`
  return logIfSlow(log, waiting, retry())

  async function retry(): Promise<Reached> {
    let deadline = Date.now() + patienceMs
    let startedPid: number | undefined
    for (;;) {
      const server = await findPostmaster(folder.pgdata)
      if (server?.status !== 'ready') signal.throwIfAborted()
      if (!server) {
        const launched = await launchAlone(folder, binaries, listen, signal)
        if (launched && 'pid' in launched) {
          startedPid = launched.pid
          continue
        }
        signal.throwIfAborted()
        if (launched) {
          problem = launched.failure
          if (!passingReasons.test(problem)) throw cannotStart(folder, problem)
          await sleep(100)
        }
      } else if (server.status === 'ready') {
        const { address } = server
        const secret = address.host === loopback ? await readPassword(folder) : undefined
        try {
          const session = await register(address, secret)
          const how = server.pid === startedPid ? 'started' : 'attached'
          return { how, address, secret, session }
        } catch (error) {
          problem = messageOf(error)
          signal.throwIfAborted()
          if (codeOf(error)?.startsWith('28')) throw cannotStart(folder, problem)
        }
      } else if (server.status === 'elsewhere') {
        problem = 'a server in another container is using this data folder; stop it first'
      } else if (server.status === 'stopping') {
        problem = `its process ${server.pid} is still stopping`
      } else {
        problem = starting
        // Recovery after a crash has no time limit.
        deadline = Date.now() + patienceMs
      }
      if (Date.now() > deadline) throw cannotStart(folder, problem)
      await sleep(10)
    }
  }
}

/** Returns undefined when another process is starting the server, or has just done so. */
async function launchAlone(
  folder: DataFolder,
  binaries: Binaries,
  listen: Listen,
  signal: AbortSignal,
): Promise<Launched | undefined> {
  const unlock = await tryStartLock(folder)
  if (!unlock) return undefined
  try {
    if (await findPostmaster(folder.pgdata)) return undefined
    removeStalePidFile(folder.pgdata)
    const address = typeof listen === 'string' ? await chooseAddress(folder, listen) : listen
    signal.throwIfAborted()
    return await launch(folder, binaries, address, signal)
  } finally {
    await unlock()
  }
}

function cannotStart(folder: DataFolder, problem: string): EngineError {
  return new EngineError(
    `PostgreSQL does not start on ${folder.path}: ${problem.trim()} (see postgres.log there). Fix that and start again, or set DATABASE_URL to your own PostgreSQL server`,
  )
}
