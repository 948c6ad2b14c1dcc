import { createHash } from 'node:crypto'
import { chmod, lchown, lstat, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { DataFolder } from './data-folder.ts'
import { codeOf, EngineError } from './engine-error.ts'

export const socketPort = 5432

/** The longest path of a socket, in bytes (sun_path without its closing zero). */
const maxPathBytes = process.platform === 'linux' ? 107 : 103

/**
 * Prepares the folder of PostgreSQL's socket: in the data folder if possible, or else in /tmp, under a
 * name that every process finds again. Connections through the socket need no password, so only the
 * owner may have access to the folder.
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
  // A folder that root owns was just created by root, and not given to the account yet.
  const handOver = folder.account !== undefined && found.uid === 0
  if (!found.isDirectory() || (found.uid !== uid && !handOver) || (found.mode & 0o022) !== 0) {
    throw new EngineError(
      `${socketFolder} is not safe for PostgreSQL's socket (it belongs to another account, or others can write to it). Remove it and start again`,
    )
  }
  if (handOver) await lchown(socketFolder, uid, folder.account?.gid ?? 0)
  await chmod(socketFolder, 0o700)
  return socketFolder
}

/** Whether a socket fits into this folder, and the driver can read its name. */
export function fitsSocket(folder: string): boolean {
  const socket = path.join(folder, `.s.PGSQL.${socketPort}`)
  // To the driver a comma separates hosts. PostgreSQL's pid file has one line for the name.
  return Buffer.byteLength(socket) <= maxPathBytes && !/[,\n\r]/.test(folder)
}

/** Quotes the folder for PostgreSQL's list of socket folders. */
export function quoteSocketFolder(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`
}
