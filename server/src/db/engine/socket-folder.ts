import { createHash } from 'node:crypto'
import { chmod, lchown, lstat, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { DataFolder } from './data-folder.ts'
import { codeOf, EngineError } from './engine-error.ts'

export const SOCKET_PORT = 5432

/** Bytes of a socket's path the system takes (sun_path less its closing zero). */
const LONGEST = process.platform === 'linux' ? 107 : 103

/**
 * The folder of PostgreSQL's socket: in the data folder where that works, else in /tmp under a name
 * every process finds again. Whoever can open the socket is let in without a password, so the folder
 * must be closed to everybody but its owner.
 */
export async function openSocketFolder(folder: DataFolder): Promise<string> {
  const uid = folder.account?.uid ?? process.getuid?.() ?? 0
  const inside = path.join(folder.path, 'socket')
  const hash = createHash('sha256').update(folder.path).digest('hex').slice(0, 16)
  const socketFolder =
    folder.closedBy === undefined && fitsSocket(inside) ? inside : `/tmp/rapport-${uid}-${hash}`

  await mkdir(socketFolder, { mode: 0o700 }).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  const found = await lstat(socketFolder)
  // Root's own folder is one that root has just made and not handed over yet.
  const handOver = folder.account !== undefined && found.uid === 0
  if (!found.isDirectory() || (found.uid !== uid && !handOver) || (found.mode & 0o022) !== 0) {
    throw new EngineError(
      `${socketFolder} is not safe for PostgreSQL's socket (it belongs to somebody else or others may write to it): remove it and start again`,
    )
  }
  if (handOver) await lchown(socketFolder, uid, folder.account?.gid ?? 0)
  await chmod(socketFolder, 0o700)
  return socketFolder
}

/** Whether a socket can be made in this folder, and the driver takes its name as it is. */
export function fitsSocket(folder: string): boolean {
  const socket = path.join(folder, `.s.PGSQL.${SOCKET_PORT}`)
  // The driver reads a comma as a list of hosts; PostgreSQL's pid file has a line for the name.
  return Buffer.byteLength(socket) <= LONGEST && !/[,\n\r]/.test(folder)
}

/** The folder as PostgreSQL's list of socket folders wants it. */
export function quoteSocketFolder(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`
}
