import type { SpawnOptions } from 'node:child_process'
import type { DataFolder } from './data-folder.ts'

/**
 * How PostgreSQL's programs are run on `pgdata`. The working directory is entered before the rights
 * are dropped. So where the account could not reach the data by its path (below /root, say), it
 * reaches it through the working directory, and nobody's rights are widened.
 */
export function runOn(pgdata: string, folder: DataFolder): { data: string; options: SpawnOptions } {
  const { account, closedBy } = folder
  return {
    data: closedBy === undefined ? pgdata : '/proc/self/cwd',
    options: {
      cwd: pgdata,
      env: environment(),
      windowsHide: true,
      ...(account && { uid: account.uid, gid: account.gid }),
    },
  }
}

/** None of the caller's PG… variables or languages may reach the server. */
function environment(): NodeJS.ProcessEnv {
  if (process.platform !== 'win32') return { PATH: process.env.PATH, LC_ALL: 'C' }
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/i.test(name))
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}
