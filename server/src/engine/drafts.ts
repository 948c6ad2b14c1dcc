import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'

const ours = new Set<string>()

/**
 * Returns a path next to `final`, to build it there and rename it when it is complete. The process
 * id in the name shows whether that process still runs.
 */
export function draftOf(final: string): string {
  const draft = `${final}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  ours.add(draft)
  return draft
}

/** Removes the drafts of `final` that killed processes have left. */
export async function removeDeadDrafts(final: string): Promise<void> {
  const folder = path.dirname(final)
  const prefix = `${path.basename(final)}.new-`
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    const draft = path.join(folder, name)
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    // In a container process ids repeat: an earlier process may have had our id.
    const dead = pid === process.pid ? !ours.has(draft) : !isAlive(pid)
    // A child of the killed process may still be writing. Then the next start removes it.
    if (dead) await rm(draft, { recursive: true, force: true }).catch(() => {})
  }
}

/** Whether a process with this id exists, under any account. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
