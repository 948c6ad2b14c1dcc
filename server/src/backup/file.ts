// Writes a backup to a file. It is written under a temporary name (.partial) and gets its final name
// when it is complete, on disk, and was read again. So a file with the final name is always complete.
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Pool } from '../db/driver.ts'
import { BackupError, FileExists, type Header } from './format.ts'
import { readBackup, type UseTable } from './read.ts'
import { type WriteOptions, writeBackup } from './write.ts'

export const partialEnding = '.partial'

export interface FileOptions extends WriteOptions {
  /** Replace an existing file. */
  force?: boolean
}

export async function backUpToFile(
  pool: Pool,
  file: string,
  options: FileOptions,
): Promise<{ header: Header; bytes: number }> {
  try {
    return await writeFile(pool, file, options)
  } catch (error) {
    // Only file errors have a `syscall`: a full disk, a missing folder, missing rights.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new BackupError(`Cannot write ${file}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function writeFile(pool: Pool, file: string, { force = false, ...options }: FileOptions) {
  const partial = file + partialEnding
  await refuseExisting(file, force)
  // Remove the remains of a killed backup.
  await rm(partial, { force: true })
  // The file contains customer data and hashes of keys: only this account may read it.
  const handle = await open(partial, 'wx', 0o600)
  try {
    // We pass the file descriptor: a stream of the handle itself would keep the handle from closing.
    const sink = createWriteStream('', { fd: handle.fd, autoClose: false })
    const header = await writeBackup(pool, sink, options)
    await handle.sync()
    const { ino, size } = await handle.stat()
    if ((await stat(partial)).ino !== ino) {
      throw new BackupError(`Another backup to ${file} has started since. This one was canceled.`)
    }
    await readAgain(partial, options)
    await refuseExisting(file, force)
    await handle.close()
    await rename(partial, file)
    await syncFolder(dirname(file))
    return { header, bytes: size }
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

async function readAgain(file: string, { key, signal }: FileOptions): Promise<void> {
  const skip: UseTable = async (_table, rows) => {
    for await (const _ of rows) signal?.throwIfAborted()
  }
  await readBackup(file, skip, key).catch((error) => {
    if (!(error instanceof BackupError)) throw error
    throw new BackupError(
      `The backup could not be read back after it was written: ${error.message}`,
      {
        cause: error,
      },
    )
  })
}

async function refuseExisting(file: string, force: boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) throw new BackupError(`${file} is a folder. Choose a file name.`)
  if (found && !force) {
    throw new FileExists(`${file} already exists. Choose another file name or add --force.`)
  }
}

/** Makes the new name survive a power failure. Some systems cannot sync a folder; then we skip it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
