import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { logIfSlow } from '../db/log-if-slow.ts'
import type { DataFolder } from './data-folder.ts'
import { codeOf, EngineError } from './engine-error.ts'

type Unlock = () => Promise<void>

const patienceMs = 60_000

/**
 * Lets one process at a time create or start the server. PostgreSQL's own pid file does not do that
 * after a crash: when two servers find a stale file, the slower one removes the file of the faster
 * one. This lock belongs to the operating system, which releases it when the process is killed.
 * Returns undefined when another process holds it.
 */
export async function tryStartLock(folder: DataFolder): Promise<Unlock | undefined> {
  const hash = createHash('sha256').update(folder.path).digest('hex')
  if (process.platform === 'linux') {
    // An abstract socket: a name without a file. Versions of Node pad a shorter name differently.
    return listenAt(`\0rapport-start-${hash}`.padEnd(108, '.'))
  }
  if (process.platform === 'win32') return listenAt(`\\\\.\\pipe\\rapport-start-${hash}`)
  return lockFile(path.join(folder.path, 'start.lock'))
}

/** Waits for the lock. */
export async function withStartLock<T>(
  folder: DataFolder,
  log: (line: string) => void,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const waiting = () => `Waiting for another process that is starting on ${folder.path}…`
  const unlock = await logIfSlow(log, waiting, awaitStartLock(folder, signal))
  return work().finally(unlock)
}

async function awaitStartLock(folder: DataFolder, signal: AbortSignal): Promise<Unlock> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const unlock = await tryStartLock(folder)
    if (unlock) return unlock
    if (Date.now() > deadline) {
      throw new EngineError(
        `Another process has been starting on ${folder.path} for a minute. End it and start again`,
      )
    }
    await sleep(10, undefined, { signal })
  }
}

function listenAt(name: string): Promise<Unlock | undefined> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((stranger) => stranger.destroy())
    server.once('error', (error) => {
      if (codeOf(error) === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen(name, () => resolve(() => new Promise((done) => server.close(() => done()))))
  })
}

/** macOS and the BSDs can lock a file while they open it. Node has no name for that flag. */
async function lockFile(file: string): Promise<Unlock | undefined> {
  const exclusiveLock = 0x20
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock
  try {
    const handle = await open(file, flags, 0o600)
    return () => handle.close()
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined
    throw error
  }
}
