import { migrateSafely } from '../backup/before-migration.ts'
import { openDatabase } from '../db/open.ts'
import { type Command, parse } from './command.ts'

export const migrateCommand: Command = {
  summary: 'Bring the database schema up to date (serve does it by itself)',
  help: `Usage: npm run rapport -- migrate

Applies the migrations that the database does not have yet, each in a transaction. Safe to
run beside other processes: each migration is applied once. Existing data in the box is
backed up before; on a server of yours that is up to you.`,

  async run(args, config) {
    parse(args, {})
    const say = (line: string) => console.error(line)
    const database = await openDatabase(config, say)
    try {
      const applied = await migrateSafely(database.pool, config, say)
      console.log(applied === 0 ? 'The schema is up to date.' : `${applied} migrations applied.`)
    } finally {
      await database.close()
    }
  },
}
