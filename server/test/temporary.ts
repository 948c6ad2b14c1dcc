// The temporary files of the tests are in memory, where there is room: copying a data folder on a disk takes ten times
// as long. They are in one folder, which is removed after the tests.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'rapport-tests-'
/** The tests take a little more than 1 GB. */
const enough = 6 * 2 ** 30

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!isFit()) return undefined
  await removeLeft()
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  // As the usual one: started by root, PostgreSQL runs under another account.
  chmodSync(folder, 0o1777)
  // What stays for the next run, such as the browser, is there.
  process.env.RAPPORT_KEPT = tmpdir()
  process.env.TMPDIR = folder
  return () => rm(folder, { recursive: true, force: true, maxRetries: 9 })
}

function isFit(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [, , , options = ''] =
      mounts.find((line) => line.includes(` ${memory} `))?.split(' ') ?? []
    const { bavail, bsize } = statfsSync(memory)
    const room = Math.min(bavail * bsize, process.availableMemory())
    return options.startsWith('rw') && !options.includes('noexec') && room > enough
  } catch {
    return false
  }
}

/** What tests left that were killed. Another account's stays, and what is still mounted. */
async function removeLeft(): Promise<void> {
  const names = readdirSync(memory).filter((name) => name.startsWith(prefix))
  for (const name of names.filter(
    (each) => !isRunning(Number.parseInt(each.slice(prefix.length), 10)),
  )) {
    await rm(join(memory, name), { recursive: true, force: true }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
