import { findUnreadableApps } from '../access/factors.ts'
import { NotEmpty } from '../backup/format.ts'
import type { BackupKey } from '../backup/keys.ts'
import {
  type CheckedBackup,
  checkBackup,
  type RestoreOptions,
  restoreBackup,
} from '../backup/restore.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../engine/open-database.ts'
import { withFileOf } from '../resources/transfer/file/spool.ts'
import { openSecrets } from '../secrets.ts'
import { printable } from '../words.ts'
import { chooseFrom, content, describe, rowProgress, stoppable } from './backup.ts'
import { CommandError, command, json, print, required, requireNoMore } from './command.ts'
import { commandOn, nextCommand, startCommand } from './next-command.ts'

export const restore = command({
  summary: 'Restore a backup into an empty database',
  help: `Usage: npm run rapport -- restore <file> [--space <name|id>] [--check] [--revoke-keys] [--json]

Restores a backup into a database without workspaces: a new DATA_DIR, or a new database on your own
server. This is also how you move from one to the other:

  DATABASE_URL=postgres://me@db.example/rapport npm run rapport -- restore <file>

The whole file is checked first. A damaged file is rejected before anything is written. The
restore is one transaction: if it fails, nothing is restored. A backup of an older release
is migrated to the current schema. Restore before the first start, because that creates a
workspace in an empty database.

With --space, it restores one workspace of the backup, and the database may have others. Both must
have the same schema. The workspace keeps its ids. If it already exists, nothing happens.

An encrypted backup needs its key in BACKUP_KEY or BACKUP_KEY_FILE.

Sessions and one-time links in the backup end. Its API keys work again, even those that were
revoked after it was made. They are listed, and --revoke-keys revokes them all.`,
  options: {
    '<file>': 'the backup; - is standard input',
    space: '<name|id> only this workspace of the backup',
    check: 'only check the file and print what it contains',
    'revoke-keys': 'revoke all API keys that are restored',
    json,
  },

  async run({ values, positionals }, config) {
    const [word, ...more] = positionals
    const name = required(word, 'the file to restore')
    requireNoMore(more)

    const started = Date.now()
    const revokeKeys = values['revoke-keys']
    const { header, keys, space, into, unreadable } = await stoppable(
      'Stopped. Nothing was restored.',
      (signal) =>
        withFile(name, signal, async (file) => {
          const checked = await check(file, config, signal)
          const space = chooseFrom(checked.spaces, values.space, name)
          const keys = checked.keys.filter(({ id_space }) => !space || id_space === space.id)
          const options = { signal, revokeKeys, spaces: space && [space] }
          const loaded = values.check ? undefined : await load(file, checked, config, options)
          return { ...checked, ...loaded, keys, space }
        }),
    )
    const seconds = (Date.now() - started) / 1000
    if (values.json) {
      const told = { file: name, ...describe(header), into, keys, revoked_keys: revokeKeys }
      const lost = unreadable?.length ? { unreadable_apps: unreadable } : {}
      return console.log(JSON.stringify({ ...told, ...lost, seconds }))
    }
    const origin = `made ${header.created_at} by Rapport ${header.program}`
    if (into === undefined) {
      console.log(`The backup is complete: ${content(header)}, ${origin}.`)
      return tellKeys(keys, 'API keys that work after a restore, even if revoked since')
    }
    const what = space ? `the workspace ${printable(space.name)}` : content(header)
    console.log(`Restored ${what} into ${into} in ${seconds.toFixed(1)} s.
The backup was ${origin}. Its sessions and one-time links have ended. Start with: ${startCommand()}`)
    if (unreadable?.length) console.log(aboutApps(unreadable))
    if (revokeKeys) return tellKeys(keys, 'API keys in the backup, now all revoked')
    tellKeys(keys, 'API keys that work here, even if revoked since')
    if (keys.length > 0) console.log(`Revoke one: ${nextCommand('keys', 'revoke')} <id>`)
  },
})

function tellKeys(keys: BackupKey[], what: string): void {
  if (keys.length === 0) return
  console.log(`\n${what}: ${keys.length.toLocaleString('en')}`)
  const shown = keys.map((key) => ({ ...key, name: printable(key.name) }))
  print(shown, false, ['id', 'hint', 'name', 'role', 'member', 'workspace', 'last_used_at'])
}

async function check(
  file: string,
  { backupKey: key }: Config,
  signal: AbortSignal,
): Promise<CheckedBackup> {
  const progress = rowProgress('rows checked')
  try {
    return await checkBackup(file, { key, signal, onProgress: progress.at })
  } finally {
    progress.end()
  }
}

function aboutApps(emails: string[]): string {
  const reset = nextCommand('members', 'reset-factor', '--member', emails[0] ?? '')
  return `Authenticator codes cannot be checked here because SECRET_KEY or the file secret.key is different. These members must sign in with a passkey or a recovery code and set up their app again: ${emails.join(', ')}. If they cannot: ${reset}`
}

/** Returns where the data is now, and whose authenticator app cannot be used there. */
async function load(
  file: string,
  checked: CheckedBackup,
  config: Config,
  { signal, ...how }: Pick<RestoreOptions, 'revokeKeys' | 'spaces'> & { signal: AbortSignal },
) {
  const progress = rowProgress('rows')
  const log = (line: string) => console.error(line)
  const database = await openDatabase({ ...config, poolSize: 2 }, log, { signal })
  try {
    const options = { ...how, key: config.backupKey, signal, log, onProgress: progress.at }
    await database.asOwner((owner) => restoreBackup(owner, file, checked, options))
    const unreadable = await findUnreadableApps(database.pool, await openSecrets(config))
    return { into: database.where, unreadable }
  } catch (error) {
    throw error instanceof NotEmpty ? new CommandError(elsewhere(error, file, config)) : error
  } finally {
    progress.end()
    await database.close()
  }
}

function elsewhere({ message }: NotEmpty, file: string, { databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== undefined) return message
  return `${message} For example: ${commandOn({ DATA_DIR: `${dataDir}-restored` }, 'restore', file)}`
}

/** A backup is read twice, but standard input only once. So we copy standard input to a file first. */
async function withFile<T>(
  name: string,
  signal: AbortSignal,
  use: (file: string) => Promise<T>,
): Promise<T> {
  return name === '-' ? withFileOf(process.stdin, 'standard input', use, signal) : use(name)
}
