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

/** When the last scheduled backup was made. Undefined: there is none. */
export async function lastBackup(folder: string, now: Date): Promise<Date | undefined> {
  const { past } = await listBackups(folder, now).catch(() => ({ past: [] as string[] }))
  return past[0] === undefined ? undefined : timeOf(past[0])
}

const beforeMigration = /^rapport-before-(\d{4})_\w+\.backup$/
/** How many of the backups before migrations are kept. */
const keptBefore = 3

/** The name depends on the migration only: one that fails at every start does not fill the disk with backups. */
export function nameBefore(migration: string): string {
  return `rapport-before-${migration}.backup`
}

/** The newest backup that a program with this many migrations can restore, of those before migrations. */
export async function lastBefore(folder: string, migrations: number): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => [])
  const nextOf = (name: string) => Number(beforeMigration.exec(name)?.[1] ?? Number.NaN)
  return names
    .filter((name) => nextOf(name) <= migrations + 1)
    .sort()
    .at(-1)
}

export async function listBackups(folder: string, now: Date): Promise<Backups> {
  return backupsAmong(await readdir(folder), now)
}

/** Names of scheduled backups, newest first. Those from after `now` are not ours: the clock was wrong. */
export interface Backups {
  past: string[]
  future: string[]
}

export function backupsAmong(all: string[], now: Date): Backups {
  const names = all
    .filter((name) => timeOf(name) !== undefined)
    .sort()
    .reverse()
  const isFuture = (name: string) => Number(timeOf(name)) > now.getTime()
  return {
    past: names.filter((name) => !isFuture(name)),
    future: names.filter(isFuture),
  }
}

/**
 * Deletes all but the newest backups, of scheduled ones and of those before migrations, and partial files that
 * killed processes left behind. Returns the names of the deleted backups.
 */
export async function prune(folder: string, keep: number, now: Date): Promise<string[]> {
  const before = (await readdir(folder)).filter((name) => beforeMigration.test(name))
  const old = [
    ...(await listBackups(folder, now)).past.slice(keep),
    ...before.sort().reverse().slice(keptBefore),
  ]
  const partial = (await readdir(folder)).filter(
    (name) => name.endsWith(partialEnding) && timeOf(name.slice(0, -partialEnding.length)),
  )
  for (const name of [...old, ...partial]) await rm(join(folder, name), { force: true })
  return old
}
