import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { type Command, parse } from './command.ts'

export const migrateCommand: Command = {
  summary: 'Bring the database schema up to date (serve does it by itself)',
  help: `Usage: npm run rapport -- migrate

Applies the migrations that the database does not have yet, each in a transaction. Safe to
run beside other processes: each migration is applied once.`,

  async run(args, config) {
    parse(args, {})
    const database = await openDatabase(config, (line) => console.error(line))
    try {
      const applied = await migrate(database.pool)
      console.log(applied === 0 ? 'The schema is up to date.' : `${applied} migrations applied.`)
    } finally {
      await database.close()
    }
  },
}
