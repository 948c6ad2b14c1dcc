import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'

const ours = new Set<string>()

/**
 * A path beside `final` to build it at: it takes its real name when it is complete. The process id
 * in the name tells whether its maker still lives.
 */
export function draftOf(final: string): string {
  const draft = `${final}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  ours.add(draft)
  return draft
}

/** Removes the drafts of `final` whose makers were killed. */
export async function removeDeadDrafts(final: string): Promise<void> {
  const folder = path.dirname(final)
  const prefix = `${path.basename(final)}.new-`
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    const draft = path.join(folder, name)
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    // In a container process ids repeat: a draft with our id may be one of an earlier life.
    const dead = pid === process.pid ? !ours.has(draft) : !isAlive(pid)
    // An orphan may still be writing into it. Then the next start takes it away.
    if (dead) await rm(draft, { recursive: true, force: true }).catch(() => {})
  }
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
