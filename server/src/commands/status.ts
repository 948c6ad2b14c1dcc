import { selectSpaces } from '../access/access.sql.ts'
import { selectAllSessions } from '../access/sessions.sql.ts'
import { examine } from '../system/checks.ts'
import { selectUsage } from '../system/system.sql.ts'
import { inBytes } from '../words.ts'
import { runningAddress } from './address.ts'
import { command, json, print, requireNoMore, withDatabase } from './command.ts'
import { asTyped } from './next-command.ts'

const columns = ['name', 'leads', 'disk', 'sessions', 'id_space']

export const status = command({
  summary: 'Show what is running, and the disk space of each workspace',
  help: `Usage: npm run rapport -- status [--json]

Shows the release, the database, the last backup, disk space and more, and for each workspace its
leads, its disk space (an estimate, with indexes) and its browser sessions. "doctor" says how to fix
problems.`,
  options: {
    json,
  },

  async run({ values, positionals }, config) {
    requireNoMore(positionals)
    const now = new Date()
    const { address, checks, workspaces } = await withDatabase(config, async (db) => {
      const usage = await selectUsage(db)
      const sessions = await selectAllSessions(db, now)
      const workspaces = (await selectSpaces(db)).map(({ id_space, name }) => ({
        ...{ id_space, name, leads: 0, bytes: null, ...usage.get(id_space) },
        sessions: sessions.filter((session) => session.id_space === id_space).length,
      }))
      const checks = await examine({ db, config, now })
      return { address: (await runningAddress(db)) ?? null, checks, workspaces }
    })
    if (values.json) return print({ address, checks, workspaces }, true, [])
    console.log(
      asTyped(
        address ? `Running at ${address}\n` : 'No running service found. Start it: npm start\n',
      ),
    )
    for (const { name, state, text } of checks) {
      console.log(`${name.padEnd(12)} ${state === 'ok' ? '' : `${state.toUpperCase()}: `}${text}`)
    }
    console.log('')
    const rows = workspaces.map(({ bytes, ...row }) => ({
      ...row,
      disk: bytes === null ? null : inBytes(bytes),
    }))
    print(rows, false, columns)
  },
})
