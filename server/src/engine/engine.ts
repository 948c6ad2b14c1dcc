import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from '../db/driver.ts'
import { logIfSlow } from '../db/log-if-slow.ts'
import { closedFolder } from './account.ts'
import { findPackage, stageBinaries } from './binaries.ts'
import { createData, hasData } from './create.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { codeOf, EngineError, messageOf } from './engine-error.ts'
import { stopPostmaster } from './postmaster.ts'
import { reach } from './reach.ts'
import { type Role, targetOf } from './roles.ts'
import type { Session } from './session.ts'
import { withStartLock } from './start-lock.ts'

export { EngineError } from './engine-error.ts'

export interface Engine {
  /** How to connect: host is the socket folder, or 127.0.0.1. */
  connections: Record<Role, Target>
  /** 'created': the first start; 'attached': a server was already running */
  how: 'created' | 'started' | 'attached'
  /** The last process to leave stops PostgreSQL and waits until it is gone. */
  leave(): Promise<void>
}

export interface EngineOptions {
  dataDir: string
  log: (line: string) => void
  transport?: 'socket' | 'loopback'
  /** Gives up opening, and leaves nothing running. */
  signal?: AbortSignal
}

const maxRetryMs = 5_000
const never = new AbortController().signal

/** Opens the built-in PostgreSQL in this data folder, and keeps it running until we leave. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  try {
    return await open(options)
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof EngineError || codeOf(error) === undefined) throw error
    throw new EngineError(
      `Cannot open the data folder ${options.dataDir} (${messageOf(error)}). Check its permissions and the disk, or set DATABASE_URL to your own PostgreSQL server`,
      { cause: error },
    )
  }
}

async function open({ dataDir, log, transport, signal = never }: EngineOptions): Promise<Engine> {
  const source = await findPackage()
  const waiting = () => `Waiting for the data folder ${dataDir}…`
  const folder = await logIfSlow(log, waiting, openDataFolder(dataDir, log))
  const data = await logIfSlow(log, waiting, hasData(folder, source.major))
  const copying = () => `Copying PostgreSQL's programs to ${folder.engine}…`
  const binaries = await logIfSlow(log, copying, stageBinaries(source, folder.engine))
  await checkReadable(folder, binaries.root)
  const creating = () => `Creating the database in ${folder.path}…`
  const created =
    !data &&
    (await withStartLock(folder, log, signal, () =>
      logIfSlow(log, creating, createData(folder, source, binaries, signal)),
    ))

  const standard = process.platform === 'win32' ? 'loopback' : 'socket'
  const first = await reach(folder, binaries, transport ?? standard, log, signal)
  const { address, secret } = first
  const leaving = new AbortController()
  let session: Session
  let comingBack = Promise.resolve()
  watch(first.session)

  function watch(current: Session): void {
    session = current
    current.lost.then(() => {
      if (!leaving.signal.aborted) comingBack = comeBack()
    })
  }

  async function comeBack(): Promise<void> {
    log('PostgreSQL stopped unexpectedly. Restarting it')
    await session.close()
    for (let delay = 100; !leaving.signal.aborted; delay = Math.min(delay * 2, maxRetryMs)) {
      try {
        // At the same address, where all connection pools look for it.
        const again = await reach(folder, binaries, address, log, leaving.signal)
        log('PostgreSQL is back')
        watch(again.session)
        return
      } catch (error) {
        if (leaving.signal.aborted) return
        log(messageOf(error))
        await sleep(delay, undefined, { signal: leaving.signal }).catch(() => {})
      }
    }
  }

  async function leave(): Promise<void> {
    leaving.abort()
    // A start under way must not outlive us.
    await comingBack
    // Without a response the server has already ended.
    const last = await session.release().catch(() => false)
    try {
      if (last) await stopPostmaster(folder.pgdata, binaries)
    } finally {
      await session.close()
    }
  }

  let left: Promise<void> | undefined
  if (signal.aborted) {
    await leave()
    signal.throwIfAborted()
  }
  return {
    connections: {
      superuser: targetOf('superuser', address, secret),
      owner: targetOf('owner', address, secret),
      service: targetOf('service', address, secret),
    },
    how: created ? 'created' : first.how,
    leave() {
      left ??= leave()
      return left
    },
  }
}

/** Every account may read root's copy of the binaries, unless a folder above it is closed. */
async function checkReadable(folder: DataFolder, binaries: string): Promise<void> {
  const closed = folder.account && (await closedFolder(folder.account, binaries))
  if (closed) {
    throw new EngineError(
      `PostgreSQL's account (id ${folder.account?.uid}) cannot enter ${closed}, where its programs are. Run "chmod a+x ${closed}" and start again`,
    )
  }
}
