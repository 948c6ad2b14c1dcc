import { migrateSafely } from '../backup/before-migration.ts'
import { openDatabase } from '../engine/open-database.ts'
import { counted } from '../words.ts'
import { command, requireNoMore } from './command.ts'
import { asTyped } from './next-command.ts'
import { namingWayBack } from './way-back.ts'

export const migrateCommand = command({
  summary: 'Update the database schema (the server does this when it starts)',
  help: `Usage: npm run rapport -- migrate

Applies pending migrations, each in its own transaction. This is safe while other Rapport processes
run: each migration is applied once. Data in the bundled PostgreSQL is backed up first. On your own
server (DATABASE_URL), make a backup yourself.`,

  async run({ positionals }, config) {
    requireNoMore(positionals)
    const say = (line: string) => console.error(asTyped(line))
    const database = await openDatabase(config, say, {
      waitMs: config.databaseWaitMs,
      checksSessions: true,
    })
    try {
      const applied = await namingWayBack(config, () =>
        database.asOwner((owner) => migrateSafely(owner, config, say)),
      )
      console.log(
        applied === 0 ? 'The schema is up to date.' : `${counted(applied, 'migration')} applied.`,
      )
    } finally {
      await database.close()
    }
  },
})
