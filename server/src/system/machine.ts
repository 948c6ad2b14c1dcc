// What the machine knows: disks, rights of files, open files.
import { access, constants, readFile, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Bytes that this account may still write there. Undefined: not known. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const disk = await statfs(folder).catch(() => undefined)
  if (disk) return disk.bavail * disk.bsize
  // A folder of backups that is not there yet.
  return dirname(folder) === folder ? undefined : freeBytes(dirname(folder))
}

const isWindows = process.platform === 'win32'
const [readableByOthers, usableByOthers] = [0o066, 0o077]

/** Whether accounts other than the owner may read or write the file, or list the folder. */
export async function isOpenToOthers(path: string): Promise<boolean> {
  if (isWindows) return false
  const found = await stat(path).catch(() => undefined)
  if (!found) return false
  // As root, the data folder can be entered by others, but not read.
  return (found.mode & (found.isDirectory() ? readableByOthers : usableByOthers)) !== 0
}

export async function isThere(folder: string, name = ''): Promise<boolean> {
  return stat(join(folder, name)).then(
    () => true,
    () => false,
  )
}

export async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** How many files and connections this process may have open. Undefined: not known on this system. */
export async function maxOpenFiles(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, most] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return most === undefined ? undefined : Number(most)
}
