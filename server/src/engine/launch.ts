import { spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  fchownSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { cannotRun } from './create.ts'
import type { DataFolder } from './data-folder.ts'
import { type Address, findPostmaster } from './postmaster.ts'
import { reasonIn } from './server-output.ts'
import { memoryFound, serverSettings } from './settings.ts'
import { openSocketFolder, quoteSocketFolder, socketPort } from './socket-folder.ts'
import { runOn } from './spawn-options.ts'

export const loopback = '127.0.0.1'

const maxLogBytes = 10 * 1024 * 1024

/** The process id of the server, which is ready now; or the reason that PostgreSQL gave. */
export type Launched = { pid: number } | { failure: string }

export async function launch(
  folder: DataFolder,
  binaries: Binaries,
  address: Address,
  signal: AbortSignal,
): Promise<Launched> {
  const logFile = openLog(folder)
  const { data, options } = runOn(folder.pgdata, folder)
  const settings = {
    ...serverSettings(memoryFound(), os.availableParallelism()),
    ...listenSettings(address),
  }
  const args = ['-D', data]
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`)

  // A session of its own, so that neither Ctrl-C in the terminal nor our own end reaches it.
  const child = spawn(path.join(binaries.root, 'bin', 'postgres'), args, {
    ...options,
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  })
  closeSync(logFile.fd)
  child.unref()
  let failure: string | undefined
  child.once('error', (error) => {
    failure = cannotRun(error)
  })
  let exited = false
  child.once('exit', (_code, signal) => {
    exited = true
    if (signal) failure = `it was killed (${signal})`
  })

  // Other processes may use it as soon as it is ready. Until then it is ours to stop.
  const stop = () => child.kill('SIGINT')
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await awaitReady()
  } finally {
    signal.removeEventListener('abort', stop)
  }

  async function awaitReady(): Promise<Launched> {
    for (;;) {
      if (failure !== undefined) return { failure }
      if (exited) return { failure: reasonIn(newLines(logFile)) }
      const server = await findPostmaster(folder.pgdata)
      if (server && server.pid === child.pid && server.status === 'ready')
        return { pid: server.pid }
      await sleep(10)
    }
  }
}

function listenSettings(address: Address): Record<string, string> {
  if (address.host === loopback) {
    return {
      listen_addresses: loopback,
      port: String(address.port),
      unix_socket_directories: '',
    }
  }
  return {
    listen_addresses: '',
    port: String(address.port),
    unix_socket_directories: quoteSocketFolder(address.host),
    unix_socket_permissions: '0700',
  }
}

/** Chooses where a new server listens. */
export async function chooseAddress(
  folder: DataFolder,
  transport: 'socket' | 'loopback',
): Promise<Address> {
  if (transport === 'socket') return { host: await openSocketFolder(folder), port: socketPort }
  // The last port, because other processes may wait there for the server to come back.
  const last = lastPort(folder)
  return { host: loopback, port: (last && (await freePort(last))) || (await freePort(0)) || 0 }
}

function lastPort(folder: DataFolder): number | undefined {
  try {
    const options = readFileSync(path.join(folder.pgdata, 'postmaster.opts'), 'utf8')
    const [, port] = /"listen_addresses=127.*"port=(\d+)"/.exec(options) ?? []
    return port ? Number(port) : undefined
  } catch {
    return undefined
  }
}

function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(undefined))
    server.listen(wanted, loopback, () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}

function openLog(folder: DataFolder): { fd: number; path: string; size: number } {
  const file = path.join(folder.path, 'postgres.log')
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > maxLogBytes) renameSync(file, `${file}.1`)
  // O_NOFOLLOW: an unprivileged account may own the folder, and could lead root elsewhere by a link.
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants
  const fd = openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  if (folder.account) fchownSync(fd, folder.account.uid, folder.account.gid)
  return { fd, path: file, size: size > maxLogBytes ? 0 : size }
}

function newLines(log: { path: string; size: number }): string {
  return readFileSync(log.path).subarray(log.size).toString()
}
