// The folder of the backups that the running server makes. Only what has a name of ours is ever
// looked at, or deleted.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { partialEnding } from './file.ts'

const ourName = /^rapport-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/

/** rapport-2026-11-15T04-00-00Z.backup: no colons, which not every system allows. */
export function nameAt(time: Date): string {
  return `rapport-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`
}

export function timeOf(name: string): Date | undefined {
  const [, day, hour, minute, second] = ourName.exec(name) ?? []
  return day ? new Date(`${day}T${hour}:${minute}:${second}Z`) : undefined
}

/** Names of ours, the newest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => timeOf(name) !== undefined)
    .sort()
    .reverse()
}

/** Keeps the newest, and takes away what killed processes left. Answers the names it deleted. */
export async function prune(folder: string, keep: number): Promise<string[]> {
  const old = (await listBackups(folder)).slice(keep)
  const partial = (await readdir(folder)).filter(
    (name) => name.endsWith(partialEnding) && timeOf(name.slice(0, -partialEnding.length)),
  )
  for (const name of [...old, ...partial]) await rm(join(folder, name), { force: true })
  return old
}
