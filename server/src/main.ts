// The command line: one file of commands/ for each command.

import { BackupError } from './backup/format.ts'
import { audit } from './commands/audit.ts'
import { backup } from './commands/backup.ts'
import { campaigns } from './commands/campaigns.ts'
import { type Command, CommandError, UsageError } from './commands/command.ts'
import { demo } from './commands/demo.ts'
import { events } from './commands/events.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { isEndingNow, watchForEnd } from './commands/interrupt.ts'
import { keys } from './commands/keys.ts'
import { members } from './commands/members.ts'
import { migrateCommand } from './commands/migrate.ts'
import { openapiCommand } from './commands/openapi.ts'
import { operations } from './commands/operations.ts'
import { restore } from './commands/restore.ts'
import { serve } from './commands/serve.ts'
import { signIn } from './commands/sign-in.ts'
import { spaces } from './commands/spaces.ts'
import { nearest } from './commands/words.ts'
import { ConfigError, readConfig } from './config.ts'
import { isRefused, isUnavailable, sqlState } from './db/driver.ts'
import { UnusableDatabase } from './db/first-connection.ts'
import { MigrationError } from './db/migrate.ts'
import { EngineError } from './engine/engine.ts'
import { version } from './version.ts'

const commands: Record<string, Command> = {
  serve,
  migrate: migrateCommand,
  spaces,
  members,
  keys,
  'sign-in': signIn,
  campaigns,
  import: importCommand,
  export: exportCommand,
  operations,
  events,
  audit,
  demo,
  backup,
  restore,
  openapi: openapiCommand,
}

/** Runs a command as this process, which ends with it. */
export async function run(args: string[]): Promise<void> {
  watchForEnd()
  await main(args)
}

export async function main(args: string[]): Promise<void> {
  const [first = 'help', ...words] = args
  if (first === '--version') return console.log(version)
  const isHelp = ['help', '--help', '-h'].includes(first)
  if (isHelp && words.length === 0) return console.log(usage())
  // `help keys` is `keys --help`.
  const [name = '', ...rest] = isHelp ? [...words, '--help'] : args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  try {
    if (!command) throw new UsageError(unknown(name))
    if (rest.includes('--help') || rest.includes('-h')) return console.log(command.help)
    await command.run(rest, readConfig(process.env))
  } catch (error) {
    if (isEndingNow()) return
    console.error(tell(error, command))
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

function unknown(name: string): string {
  const meant = nearest(name, Object.keys(commands))
  return `There is no command "${name}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`
}

const insufficientPrivilege = '42501'

/** A mistake gets one line. Only a defect of the program gets its stack. */
function tell(error: unknown, command: Command | undefined): string {
  const { message, stack, cause } = error as Error
  if (error instanceof UsageError) return `${message}\n\n${command?.help ?? usage()}`
  if ([error, cause].some((one) => sqlState(one) === insufficientPrivilege)) {
    return `${message}. Make the account of DATABASE_URL the owner of its database: alter database … owner to …`
  }
  const known = [
    ...[BackupError, CommandError, ConfigError, EngineError, MigrationError, UnusableDatabase],
  ]
  if (known.some((kind) => error instanceof kind)) return message
  if (isUnavailable(error)) return `The database cannot be reached: ${message}`
  if (isRefused(error)) return `The database server refuses DATABASE_URL: ${message}`
  return stack ?? String(error)
}

function usage(): string {
  const rows = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`,
  )
  return [
    `Rapport ${version}`,
    '',
    'Usage: npm run rapport -- <command> [options]',
    '',
    ...rows,
    '',
    'Each command explains itself: npm run rapport -- help <command>',
    'Settings come from the environment; the README lists them.',
  ].join('\n')
}
