// The memory of another process.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface Memory {
  /** Resident memory, in megabytes. */
  now: number
  /** The most since the process was started. Only Linux knows it; elsewhere it equals `now`. */
  peak: number
}

/** Undefined when the process has ended, or the system has neither /proc nor ps. */
export async function memoryOf(pid: number): Promise<Memory | undefined> {
  try {
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return { now: kilobytes(status, 'VmRSS') / 1024, peak: kilobytes(status, 'VmHWM') / 1024 }
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    const now = Number(stdout) / 1024
    return { now, peak: now }
  } catch {
    return undefined
  }
}

function kilobytes(status: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)
  if (!found) throw new Error(`The status has no ${name}: the process is ending`)
  return Number(found[1])
}
