import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './data-folder.ts'
import { codeOf, EngineError } from './engine-error.ts'

type Unlock = () => Promise<void>

const PATIENCE_MS = 60_000

/**
 * Lets one process at a time create or start the server. PostgreSQL's own pid file is no such lock
 * after a crash: of two servers that both find a stale one, the slower removes the file of the
 * quicker. This lock is the system's, and goes away with a killed process. Undefined: it is taken.
 */
export async function tryStartLock(folder: DataFolder): Promise<Unlock | undefined> {
  const hash = createHash('sha256').update(folder.path).digest('hex')
  if (process.platform === 'linux') {
    // A name without a file. Versions of Node differ in filling up a shorter one.
    return listenAt(`\0rapport-start-${hash}`.padEnd(108, '.'))
  }
  if (process.platform === 'win32') return listenAt(`\\\\.\\pipe\\rapport-start-${hash}`)
  return lockFile(path.join(folder.path, 'start.lock'))
}

/** Waits for the lock. */
export async function withStartLock<T>(folder: DataFolder, use: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const unlock = await tryStartLock(folder)
    if (unlock) return use().finally(unlock)
    if (Date.now() > deadline) {
      throw new EngineError(
        `Another process has been starting on ${folder.path} for a minute: end it and start again`,
      )
    }
    await sleep(10)
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

/** macOS and the BSDs lock a file while opening it. Node has no name for that flag. */
async function lockFile(file: string): Promise<Unlock | undefined> {
  const O_EXLOCK = 0x20
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK
  try {
    const handle = await open(file, flags, 0o600)
    return () => handle.close()
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined
    throw error
  }
}
