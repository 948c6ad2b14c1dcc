// What all commands share: their interface, the parsing of options, the printing of tables.
import { parseArgs } from 'node:util'
import { migrateSafely } from '../backup/before-migration.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../db/driver.ts'
import { checkSchema, readMigrations, underStartLock } from '../db/migrate.ts'
import { openDatabase } from '../engine/open-database.ts'
import { nearest } from '../nearest.ts'
import { listed } from '../words.ts'
import { namingWayBack } from './way-back.ts'

export interface Command {
  summary: string
  help: string
  run(args: string[], config: Config): Promise<void>
}

/** The option of most commands. */
export const json = 'print JSON on one line, for scripts'

/** Incorrect usage: the user gets the message and the help text. */
export class UsageError extends Error {}
/** The command failed for a known reason: the user gets one line. */
export class CommandError extends Error {}

/**
 * The options of a command, by name, as the help shows them: '<n> how many' takes a value, '<n>… how many' any number
 * of them, and 'what it does' none. '<file>' is no option, but a word that the help explains.
 */
type Options = Record<string, string>

type Values<T extends Options> = {
  [Name in keyof T as Name extends `<${string}` ? never : Name]: ValueOf<T[Name]>
}

type ValueOf<Text extends string> = Text extends `<${string}>… ${string}` | `'${string}'… ${string}`
  ? string[]
  : Text extends `<${string}` | `'${string}`
    ? string | undefined
    : boolean

/** Makes a command. Its help begins with `help`, then come the options, then `more`. */
export function command<const T extends Options = Record<never, string>>({
  summary,
  help,
  options,
  more,
  run,
}: {
  summary: string
  help: string
  options?: T
  more?: string
  run(given: { values: Values<T>; positionals: string[] }, config: Config): Promise<void>
}): Command {
  const specs = Object.entries(options ?? {}).map(readOption)
  const texts = [help, specs.length > 0 && describeOptions(specs), more]
  return {
    summary,
    help: texts.filter(Boolean).join('\n\n'),
    run: async (args, config) => run(parse<T>(args, specs), config),
  }
}

type Spec = ReturnType<typeof readOption>

function readOption([name, text]: [string, string]) {
  const [, argument = '', isList = '', says = text] = /^(<\S+>|'[^']*')(…?) (.*)$/.exec(text) ?? []
  return { name, argument, isList: isList !== '', says: isList ? `${says}; repeatable` : says }
}

/** Parses `keys create --space …` into the action and its options. */
function parse<T extends Options>(args: string[], specs: Spec[]) {
  const options = Object.fromEntries(
    specs.map(({ name, argument, isList }) => [
      name,
      argument
        ? { type: 'string' as const, multiple: isList, ...(isList && { default: [] }) }
        : { type: 'boolean' as const, default: false },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { values: values as Values<T>, positionals }
  } catch (error) {
    throw new UsageError(tell((error as Error).message, Object.keys(options)))
  }
}

const helpWidth = 100
/** The text of a longer one begins on the next line. */
const longestShown = 22

function describeOptions(specs: Spec[]): string {
  const shown = specs.map(({ name, argument }) =>
    name.startsWith('<') ? name : `--${name} ${argument}`.trim(),
  )
  const fitting = shown.map(({ length }) => length).filter((length) => length <= longestShown)
  const margin = ' '.repeat(Math.max(...fitting) + 4)
  const ofWidth = new RegExp(`.{1,${helpWidth - margin.length}}(?: |$)`, 'g')
  const lines = specs.map(({ says }, at) => {
    const start = `  ${shown[at]}`.padEnd(margin.length)
    const text = says.replace(ofWidth, (line) => `${line.trimEnd()}\n${margin}`).trimEnd()
    return start.length > margin.length ? `${start}\n${margin}${text}` : start + text
  })
  return lines.join('\n')
}

function tell(message: string, options: string[]): string {
  const [, unknown] = /^Unknown option '--([^']*)'/.exec(message) ?? []
  if (unknown === undefined) return `${message.split('. ')[0]?.replace(/\.$/, '')}.`
  const meant = nearest(unknown, options)
  return `Unknown option --${unknown}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`
}

/** The action: the word after the command, such as `create`. */
export function actionOf<const T extends string>(
  word: string | undefined,
  actions: readonly T[],
): T {
  const found = actions.find((name) => name === word)
  if (found) return found
  const meant = word === undefined ? undefined : nearest(word, actions)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  throw new UsageError(`Missing action: ${listed([...actions], 'or')}.${hint}`)
}

export function requireNoMore(words: string[]): void {
  if (words.length > 0) throw new UsageError(`Too many arguments: ${words.join(' ')}.`)
}

export function required(value: string | undefined, option: string): string {
  if (!value) throw new UsageError(`Missing ${option}.`)
  return value
}

/** Checks an option if it was given. */
export function optional<T>(value: string | undefined, check: (text: string) => T): T | undefined {
  return value === undefined ? undefined : check(value)
}

/**
 * Opens the database, runs `work` and closes the database. It creates the schema of an empty database, but it does not
 * migrate: a server of another release may be using the database.
 */
export async function withDatabase<T>(
  config: Config,
  work: (pool: Pool) => Promise<T>,
): Promise<T> {
  const say = (line: string) => console.error(line)
  const database = await openDatabase({ ...config, poolSize: 2 }, say)
  try {
    await database.asOwner(async (owner) => {
      const migrations = readMigrations()
      const check = () => checkSchema(owner, migrations)
      // Waits for a server that is starting: it may be migrating.
      const done = await namingWayBack(config, () => underStartLock(owner, { log: say }, check))
      if (done === 0) await migrateSafely(owner, config, say)
      else if (migrations[done]) throw new CommandError(tooOld(migrations[done].name))
    })
    return await work(database.pool)
  } finally {
    await database.close()
  }
}

const tooOld = (next: string) =>
  `The database has the schema of an older release (the next migration is ${next}). Stop the server of that release and start this one (npm start), or migrate first: npm run rapport -- migrate`

/** Prints rows as a table for people, or as JSON on one line for scripts. */
export function print(rows: object | object[], json: boolean | undefined, columns: string[]): void {
  console.log(json ? JSON.stringify(rows) : table([rows].flat(), columns))
}

function table(rows: object[], columns: string[]): string {
  if (rows.length === 0) return 'None yet.'
  const cells = [
    columns,
    ...rows.map((row) => columns.map((name) => cell((row as Record<string, unknown>)[name]))),
  ]
  const widths = columns.map((_name, index) =>
    Math.max(...cells.map((line) => (line[index] ?? '').length)),
  )
  return cells
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  const text = String(value)
  return /^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, 16).replace('T', ' ') : text
}
