// The folder of the scheduled backups. We read and delete only files whose name matches our pattern.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { partialEnding } from './file.ts'

const ourName = /^rapport-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/

/** rapport-2026-11-15T04-00-00Z.backup: without colons, because some systems do not allow them. */
export function nameAt(time: Date): string {
  return `rapport-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`
}

export function timeOf(name: string): Date | undefined {
  const [, day, hour, minute, second] = ourName.exec(name) ?? []
  return day ? new Date(`${day}T${hour}:${minute}:${second}Z`) : undefined
}

/** Names of scheduled backups, newest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => timeOf(name) !== undefined)
    .sort()
    .reverse()
}

/**
 * Deletes all but the newest backups, and partial files that killed processes left behind. Returns the
 * names of the deleted backups.
 */
export async function prune(folder: string, keep: number): Promise<string[]> {
  const old = (await listBackups(folder)).slice(keep)
  const partial = (await readdir(folder)).filter(
    (name) => name.endsWith(partialEnding) && timeOf(name.slice(0, -partialEnding.length)),
  )
  for (const name of [...old, ...partial]) await rm(join(folder, name), { force: true })
  return old
}
