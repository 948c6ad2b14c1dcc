import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { readPassword } from './create.ts'
import type { DataFolder } from './data-folder.ts'
import { codeOf, EngineError, messageOf } from './engine-error.ts'
import { chooseAddress, type Launched, LOOPBACK, launch } from './launch.ts'
import { type Address, findPostmaster, removeStalePidFile } from './postmaster.ts'
import { register, type Session } from './session.ts'
import { tryStartLock } from './start-lock.ts'

export interface Reached {
  how: 'started' | 'attached'
  address: Address
  password: string | undefined
  session: Session
}

const DEADLINE_MS = 30_000

/**
 * Why a start can fail and yet be worth trying again: another process was quicker, the processes of
 * a killed server are still going away, somebody took the port we had just found free, or somebody
 * killed the server while it started.
 */
const PASSING =
  /lock file .* already exists|pre-existing shared memory|Address already in use|lock file .* is empty|killed \(SIG(KILL|TERM)\)/i

/** Takes over the server that runs on this data, or starts one, and registers with it. */
export async function reach(
  folder: DataFolder,
  binaries: Binaries,
  listen: 'socket' | 'loopback' | Address,
  log: (line: string) => void,
): Promise<Reached> {
  let deadline = Date.now() + DEADLINE_MS
  let startedPid: number | undefined
  let problem = 'it does not answer'
  for (;;) {
    const server = await findPostmaster(folder.pgdata)
    if (!server) {
      const launched = await launchAlone(folder, binaries, listen, log)
      if (launched && 'pid' in launched) {
        startedPid = launched.pid
        continue
      }
      if (launched) {
        problem = launched.failure
        if (!PASSING.test(problem)) throw cannotStart(folder, problem)
        await sleep(100)
      }
    } else if (server.status === 'ready') {
      const { address } = server
      const password = address.host === LOOPBACK ? await readPassword(folder) : undefined
      try {
        const session = await register(address, password)
        const how = server.pid === startedPid ? 'started' : 'attached'
        return { how, address, password, session }
      } catch (error) {
        problem = messageOf(error)
        if (codeOf(error)?.startsWith('28')) throw cannotStart(folder, problem)
      }
    } else if (server.status === 'elsewhere') {
      problem = 'a server in another container is using this data folder: stop that one first'
    } else if (server.status === 'stopping') {
      problem = `its process ${server.pid} is still stopping`
    } else {
      // Recovery after a crash takes the time it takes.
      deadline = Date.now() + DEADLINE_MS
    }
    if (Date.now() > deadline) throw cannotStart(folder, problem)
    await sleep(10)
  }
}

/** Undefined: another process is starting it or has just done so. */
async function launchAlone(
  folder: DataFolder,
  binaries: Binaries,
  listen: 'socket' | 'loopback' | Address,
  log: (line: string) => void,
): Promise<Launched | undefined> {
  const unlock = await tryStartLock(folder)
  if (!unlock) return undefined
  try {
    if (await findPostmaster(folder.pgdata)) return undefined
    removeStalePidFile(folder.pgdata)
    const address = typeof listen === 'string' ? await chooseAddress(folder, listen) : listen
    return await launch(folder, binaries, address, log)
  } finally {
    await unlock()
  }
}

function cannotStart(folder: DataFolder, problem: string): EngineError {
  return new EngineError(
    `PostgreSQL does not start on ${folder.path}: ${problem.trim()} (more in postgres.log there). Put that right and start again, or set DATABASE_URL to a PostgreSQL server of yours`,
  )
}
