import { settleRefusals } from '../access/guesses.ts'
import { selectAudit } from '../feed/audit.sql.ts'
import { checkedLimit } from './checks.ts'
import { chooseSpace, spaceOption } from './choose-space.ts'
import { type Command, parse, print, requireNoMore, withDatabase } from './command.ts'
import { openNames } from './member-names.ts'

export const audit: Command = {
  summary: 'Show the audit log: keys, members, exports, restores',
  help: `Usage: npm run rapport -- audit [--space <name|id>] [--limit <n>] [--json]

Shows the audit log of a workspace, newest first: keys, members, exports, restored backups, undo,
wrong passwords and bursts of wrong keys. Entries are kept as long as the workspace.

  --space <name|id>  ${spaceOption}
  --limit <n>        number of entries (default: 50)
  --json             print JSON on one line, for scripts`,

  async run(args, config) {
    const { values, positionals } = parse(args, {
      space: { type: 'string' },
      limit: { type: 'string', default: '50' },
      json: { type: 'boolean' },
    })
    requireNoMore(positionals)
    const limit = checkedLimit(values.limit)
    const rows = await withDatabase(config, async (pool) => {
      const { id_space } = await chooseSpace(pool, values.space)
      const nameOf = openNames(pool, id_space)
      await settleRefusals(pool, id_space)
      const entries = await selectAudit(pool, id_space, { before: undefined, limit })
      if (values.json) return entries
      return Promise.all(
        entries.map(async ({ actor, about, ...entry }) => ({
          ...entry,
          who: await nameOf(actor),
          about: JSON.stringify(about),
        })),
      )
    })
    print(rows, values.json, ['at', 'who', 'action', 'about'])
  },
}
