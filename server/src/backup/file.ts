// A backup gets its name when it is complete and on the disk. What was cut short has another.
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Pool } from '../db/driver.ts'
import { BackupError, type Header } from './format.ts'
import { type WriteOptions, writeBackup } from './write.ts'

export const partialEnding = '.partial'

export interface FileOptions extends WriteOptions {
  /** Replace a file of this name. */
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
    // Errors of files have the name of a system call: a full disk, a missing folder, missing rights.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new BackupError(`${file} cannot be written: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function writeFile(pool: Pool, file: string, { force = false, ...options }: FileOptions) {
  const partial = file + partialEnding
  await refuseExisting(file, force)
  // What a killed process left.
  await rm(partial, { force: true })
  // Customers and the hashes of keys are in it: nobody else may read it.
  const handle = await open(partial, 'wx', 0o600)
  try {
    // By its number: a stream of the handle itself keeps the handle from closing.
    const sink = createWriteStream('', { fd: handle.fd, autoClose: false })
    const header = await writeBackup(pool, sink, options)
    await handle.sync()
    const { ino, size } = await handle.stat()
    if ((await stat(partial)).ino !== ino) {
      throw new BackupError(`Another backup to ${file} was begun meanwhile: this one is given up.`)
    }
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

async function refuseExisting(file: string, force: boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) throw new BackupError(`${file} is a folder: name a file.`)
  if (found && !force) {
    throw new BackupError(`${file} exists already: name another file, or add --force.`)
  }
}

/** So that the name, too, outlives a power cut. Not every system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
