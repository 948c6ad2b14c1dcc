import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { isAlive } from './drafts.ts'
import { codeOf, EngineError } from './engine-error.ts'

/** Where a server listens: a socket folder, or 127.0.0.1, which needs a password. */
export interface Address {
  host: string
  port: number
}

export interface Postmaster {
  pid: number
  address: Address
  /** 'elsewhere': it answers, but its process is in another container or on another machine */
  status: 'starting' | 'ready' | 'stopping' | 'elsewhere'
}

const beginning: Postmaster = { pid: 0, address: { host: '', port: 0 }, status: 'starting' }

const stopSeconds = 30

/** Finds the server that runs on this data, through PostgreSQL's own postmaster.pid. */
export async function findPostmaster(pgdata: string): Promise<Postmaster | undefined> {
  const file = path.join(pgdata, 'postmaster.pid')
  const text = readIfThere(file)
  if (text === undefined) return undefined
  if (text === '') return isFresh(file) ? beginning : undefined

  // pid, data folder, start time, port, socket folder, address, shared memory, status
  const lines = text.split('\n')
  const pid = Number(lines[0])
  const socketFolder = lines[4] ?? ''
  const address = { host: socketFolder || lines[5] || '', port: Number(lines[3]) }
  if (isOurs(pid, pgdata)) {
    const status = lines[7]?.trim()
    const ready = status === 'ready' || status === 'standby'
    return { pid, address, status: ready ? 'ready' : status === 'stopping' ? status : 'starting' }
  }
  if (socketFolder && (await answers(socketFolder, address.port))) {
    return { pid, address, status: 'elsewhere' }
  }
  return undefined
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A pid file is empty while it is being written, and after a power failure. */
function isFresh(file: string): boolean {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return Date.now() - written < 5000
}

/**
 * Removes a pid file with which PostgreSQL would refuse to start: one that is empty, or whose process
 * id now belongs to another program. PostgreSQL removes other stale files itself. Call it only while
 * holding the start lock, when no server runs.
 */
export function removeStalePidFile(pgdata: string): void {
  const file = path.join(pgdata, 'postmaster.pid')
  const [pid = '', , , port, socketFolder] = readIfThere(file)?.split('\n') ?? []
  if (pid !== '' && !isAlive(Number(pid))) return
  if (socketFolder) {
    const lock = path.join(socketFolder, `.s.PGSQL.${port}.lock`)
    if (readIfThere(lock)?.split('\n')[0] === pid) rmSync(lock, { force: true })
  }
  rmSync(file, { force: true })
}

/** Whether this process is the PostgreSQL of this data, not another program with a reused id. */
function isOurs(pid: number, pgdata: string): boolean {
  if (!(pid > 1) || !isAlive(pid)) return false
  try {
    if (process.platform === 'linux') {
      // A zombie process has neither link.
      const program = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '')
      const folder = readlinkSync(`/proc/${pid}/cwd`)
      return path.basename(program) === 'postgres' && folder === realpathSync(pgdata)
    }
    if (process.platform === 'win32') {
      const list = execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'])
      return /^"postgres/i.test(list.toString())
    }
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)]).toString()
    return command.includes('postgres') && command.includes(pgdata)
  } catch {
    return false
  }
}

function answers(socketFolder: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(path.join(socketFolder, `.s.PGSQL.${port}`))
    const done = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.setTimeout(1000, () => done(true))
  })
}

/** Stops it with a fast shutdown: it rolls open transactions back, writes its data, and ends. */
export async function stopPostmaster(pgdata: string, binaries: Binaries): Promise<void> {
  const server = await findPostmaster(pgdata)
  if (!server || server.status === 'elsewhere') return
  if (process.platform === 'win32') {
    // Windows has no signals. PostgreSQL's own tool has a substitute.
    const control = path.join(binaries.root, 'bin', 'pg_ctl')
    await promisify(execFile)(control, ['kill', 'INT', String(server.pid)])
  } else {
    process.kill(server.pid, 'SIGINT')
  }
  const deadline = Date.now() + stopSeconds * 1000
  while (isOurs(server.pid, pgdata)) {
    if (Date.now() > deadline) {
      throw new EngineError(
        `PostgreSQL (process ${server.pid}) is still stopping after ${stopSeconds} seconds. It ends on its own when it has finished; see postgres.log in the data folder`,
      )
    }
    await sleep(10)
  }
}
