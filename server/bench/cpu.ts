// The time that processes have spent on a core. Only Linux tells it.
import { readdir, readFile } from 'node:fs/promises'
import type { Pool } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'

/** Milliseconds in a unit of /proc, on every usual Linux. */
const tickMs = 10

interface Process {
  parent: number
  /** Its own time, and that of its children that have ended. */
  ms: number
  endedMs: number
}

async function readProcess(pid: number | string): Promise<Process | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // After the name, which may contain spaces: state, parent, …
  const fields = text
    ?.slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  if (!fields) return undefined
  const [parent = 0, own = 0, system = 0, ended = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at],
  )
  return { parent, ms: (own + system) * tickMs, endedMs: (ended + endedSystem) * tickMs }
}

export async function cpuOf(pid: number): Promise<number> {
  return (await readProcess(pid))?.ms ?? Number.NaN
}

/** All processes of the database server. NaN if it is on another machine or system. */
export async function cpuOfServer(db: Pool): Promise<number> {
  const [row] = await run<{ pid: number }[]>(db)`select pg_backend_pid() as pid`
  const pids = await readdir('/proc').catch(() => [])
  const postmaster = row && (await readProcess(row.pid))?.parent
  if (!postmaster) return Number.NaN
  const processes = await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map(readProcess))
  const own = await readProcess(postmaster)
  const children = processes.filter((each) => each?.parent === postmaster)
  return [own, ...children].reduce((sum, each) => sum + (each?.ms ?? 0), own?.endedMs ?? 0)
}
