// The command line: one file of commands/ for each command.

import { BackupError } from './backup/format.ts'
import { type Command, CommandError, UsageError } from './commands/command.ts'
import { isEndingNow, watchForEnd } from './commands/interrupt.ts'
import { asTyped, isCheckout } from './commands/next-command.ts'
import { readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { CannotDistribute } from './db/distribute.ts'
import { isRefused, isUnavailable, sqlState } from './db/driver.ts'
import { errorForLog } from './db/error-for-log.ts'
import { UnusableDatabase } from './db/first-connection.ts'
import { MigrationError } from './db/migrate.ts'
import { EngineError } from './engine/engine.ts'
import { nearest } from './nearest.ts'
import { version } from './version.ts'

/** Loaded when they are called: most need little of the program, and start much sooner without the rest. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  spaces: async () => (await import('./commands/spaces.ts')).spaces,
  members: async () => (await import('./commands/members.ts')).members,
  keys: async () => (await import('./commands/keys.ts')).keys,
  sessions: async () => (await import('./commands/sessions.ts')).sessions,
  'sign-in': async () => (await import('./commands/sign-in.ts')).signIn,
  campaigns: async () => (await import('./commands/campaigns.ts')).campaigns,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  duplicates: async () => (await import('./commands/duplicates.ts')).duplicates,
  operations: async () => (await import('./commands/operations.ts')).operations,
  events: async () => (await import('./commands/events.ts')).events,
  audit: async () => (await import('./commands/audit.ts')).audit,
  demo: async () => (await import('./commands/demo.ts')).demo,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  distribute: async () => (await import('./commands/distribute.ts')).distribute,
  status: async () => (await import('./commands/status.ts')).status,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  mail: async () => (await import('./commands/mail.ts')).mail,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  openapi: async () => (await import('./commands/openapi.ts')).openapiCommand,
}

/** Runs a command as this process, which ends with it. */
export async function run(args: string[]): Promise<void> {
  watchForEnd()
  await main(args)
}

export async function main(given: string[]): Promise<void> {
  // `npx rapport` starts the service.
  const args = given.length === 0 && !isCheckout ? ['serve'] : given
  const [first = 'help', ...words] = args
  if (first === '--version') return console.log(version)
  const isHelp = ['help', '--help', '-h'].includes(first)
  if (isHelp && words.length === 0) return console.log(asTyped(await usage()))
  // `help keys` is `keys --help`.
  const [name = '', ...rest] = isHelp ? [...words, '--help'] : args
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined
  try {
    if (!command) throw new UsageError(unknown(name))
    if (rest.includes('--help') || rest.includes('-h')) return console.log(asTyped(command.help))
    await command.run(rest, readConfig(process.env))
  } catch (error) {
    if (isEndingNow()) return
    console.error(asTyped(await tell(error, command)))
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

function unknown(name: string): string {
  const meant = nearest(name, Object.keys(commands))
  return `Unknown command "${name}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`
}

const insufficientPrivilege = '42501'

/** A mistake gets one line. Only a defect of the program gets its stack. */
async function tell(error: unknown, command: Command | undefined): Promise<string> {
  const { message, cause } = error as Error
  if (error instanceof UsageError) return `${message}\n\n${command?.help ?? (await usage())}`
  if ([error, cause].some((one) => sqlState(one) === insufficientPrivilege)) {
    return `${message}. Make the account of DATABASE_URL the owner of its database: alter database … owner to …`
  }
  const known = [
    ...[BackupError, CannotDistribute, CommandError, ConfigError, EngineError, MigrationError],
    UnusableDatabase,
  ]
  if (known.some((kind) => error instanceof kind)) return message
  if (isUnavailable(error)) return `Cannot reach the database: ${message}`
  if (isRefused(error)) return `The database server rejected DATABASE_URL: ${message}`
  return errorForLog(error).stack || String(error)
}

async function usage(): Promise<string> {
  const rows = await Promise.all(
    Object.entries(commands).map(
      async ([name, load]) => `  ${name.padEnd(10)} ${(await load()).summary}`,
    ),
  )
  return [
    `Rapport ${version}`,
    '',
    'Usage: npm run rapport -- <command> [options]',
    '',
    ...rows,
    '',
    'For help on a command: npm run rapport -- help <command>',
    'Settings come from the environment; the README lists them.',
  ].join('\n')
}
