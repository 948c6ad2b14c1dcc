import { effectiveSeconds } from '@rapport/contract/roles'
import { type ListedSession, revokeSessionOf, selectAllSessions } from '../access/sessions.sql.ts'
import type { Db } from '../db/driver.ts'
import { normalizeEmail } from '../email-address.ts'
import { audit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import { chooseSpace } from './choose-space.ts'
import {
  actionOf,
  CommandError,
  command,
  json,
  print,
  requireNoMore,
  UsageError,
  withDatabase,
} from './command.ts'
import { nextCommand } from './next-command.ts'

const columns = ['id', 'member', 'workspace', 'device', 'created_at', 'last_used_at', 'expires_at']

export const sessions = command({
  summary: 'List and end browser sessions',
  help: `Usage: npm run rapport -- sessions list [--space <name|id>] [--member <email>] [--json]
       npm run rapport -- sessions end <id> [--json]
       npm run rapport -- sessions end --member <email> [--space <name|id>] [--json]

Shows where people are signed in, and signs them out within ${effectiveSeconds} seconds.`,
  options: {
    '<id>': 'the id of a session (see: sessions list)',
    member: '<email> only sessions of this member; with "end": all of them',
    space: '<name|id> only this workspace (default: all workspaces)',
    json,
  },

  async run({ values, positionals }, config) {
    const [word, id, ...more] = positionals
    const action = actionOf(word, ['list', 'end'])
    requireNoMore(action === 'list' ? positionals.slice(1) : more)
    if (action === 'end' && (id === undefined) === (values.member === undefined)) {
      throw new UsageError('Name either the id of a session or a --member.')
    }
    const now = new Date()
    const rows = await withDatabase(config, async (pool) => {
      const space = values.space && (await chooseSpace(pool, values.space))
      const wanted = (await selectAllSessions(pool, now)).filter(
        (session) =>
          (!space || session.id_space === space.id_space) &&
          (values.member === undefined ||
            session.member === normalizeEmail(values.member.trim())) &&
          (id === undefined || session.id === id.toLowerCase()),
      )
      if (action === 'list') return wanted
      if (wanted.length === 0) {
        throw new CommandError(`No such session. See: ${nextCommand('sessions', 'list')}`)
      }
      await pool.begin(async (tx) => {
        for (const session of wanted) await end(tx, session)
      })
      return wanted
    })
    return print(rows, values.json, columns)

    async function end(tx: Db, { id_space, id }: ListedSession): Promise<void> {
      const id_member = await revokeSessionOf(tx, id_space, id, now)
      const by = authorOf('command', id_space, now)
      if (id_member) await audit(tx, by, 'session.ended', { session: id, id_member })
    }
  },
})
