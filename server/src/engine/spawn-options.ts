import type { SpawnOptions } from 'node:child_process'
import type { DataFolder } from './data-folder.ts'

/**
 * How to run PostgreSQL's programs on `pgdata`. The process enters its working directory before it
 * drops its rights. So the account can use data that it cannot reach by its path (below /root, for
 * example), and no folder has to be opened for it.
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

/** The caller's PG… variables and language settings must not reach the server. */
function environment(): NodeJS.ProcessEnv {
  if (process.platform !== 'win32') return { PATH: process.env.PATH, LC_ALL: 'C' }
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/i.test(name))
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}
