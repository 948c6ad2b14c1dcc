import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EngineError } from './engine-error.ts'

const run = promisify(execFile)

/** The account that PostgreSQL runs as, if it is not our own. */
export interface Account {
  uid: number
  gid: number
}

const accountName = 'rapport'

/**
 * PostgreSQL refuses to run as root, so root chooses an unprivileged account for it: the owner of
 * the data, or else `rapport` (created if it is missing), or else `nobody`.
 */
export async function accountForRoot(
  owner: Account | undefined,
  log: (line: string) => void,
): Promise<Account> {
  if (process.platform !== 'linux') {
    throw new EngineError(
      'PostgreSQL refuses to run as root. Start Rapport from an ordinary account',
    )
  }
  if (owner && owner.uid !== 0) return owner

  const existing = await lookUp(accountName)
  if (existing) return existing

  const created = await createAccount()
  if (created) {
    log(`PostgreSQL refuses to run as root. Created the system account "${accountName}" for it`)
    return created
  }
  const nobody = await lookUp('nobody')
  if (nobody) {
    log(
      `PostgreSQL refuses to run as root, and "${accountName}" could not be created. It runs as "nobody"`,
    )
    return nobody
  }
  throw new EngineError(
    `PostgreSQL refuses to run as root. Create a system account "${accountName}" or start Rapport from an ordinary account`,
  )
}

async function lookUp(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function createAccount(): Promise<Account | undefined> {
  const home = ['--no-create-home', '--home-dir', '/nonexistent']
  const commands: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', ...home, '--shell', '/usr/sbin/nologin', accountName]],
    // Alpine and other busybox systems
    ['adduser', ['-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', accountName]],
  ]
  for (const [command, args] of commands) {
    // Another process may be creating it now, and hold the lock on the account files.
    for (let attempt = 0; attempt < 20; attempt++) {
      const problem = await run(command, args).then(
        () => undefined,
        (error: { code?: unknown; stderr?: string }) => error,
      )
      const account = await lookUp(accountName)
      if (account) return account
      if (!/lock/.test(problem?.stderr ?? '')) break
      await sleep(100)
    }
  }
  return undefined
}

/** Returns the first folder of the path, itself included, that the account may not enter. */
export async function closedFolder(account: Account, folder: string): Promise<string | undefined> {
  const parents: string[] = []
  for (let at = folder; ; at = path.dirname(at)) {
    parents.unshift(at)
    if (at === path.dirname(at)) break
  }
  for (const parent of parents) {
    const { mode, uid, gid } = await stat(parent)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return parent
  }
  return undefined
}
