import { settleRefusals } from '../access/guesses.ts'
import { selectAudit } from '../feed/audit.sql.ts'
import { checkedLimit } from './checks.ts'
import { anySpace, chooseSpace } from './choose-space.ts'
import { command, json, print, requireNoMore, withDatabase } from './command.ts'
import { openNames } from './member-names.ts'

export const audit = command({
  summary: 'Show the audit log: keys, members, exports, restores',
  help: `Usage: npm run rapport -- audit [--space <name|id>] [--limit <n>] [--json]

Shows the audit log of a workspace, newest first: keys, members, exports, restored backups, undo,
wrong passwords and bursts of wrong keys. Entries are kept as long as the workspace.`,
  options: {
    space: anySpace,
    limit: '<n> number of entries (default: 50)',
    json,
  },

  async run({ values, positionals }, config) {
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
})
