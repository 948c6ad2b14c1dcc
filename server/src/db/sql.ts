// The one way to write SQL: `sql` builds a statement, `run` sends it. Text and values stay apart until
// the driver gets them, so a value can reach the database only as a parameter.
import type { Db, Sent, Statement } from './driver.ts'

export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly sender: string | undefined

  constructor(strings: readonly string[], values: readonly unknown[], sender?: string) {
    this.strings = strings
    this.values = values
    this.sender = sender
  }

  /** The text with $1, $2, … */
  get text(): string {
    return this.strings.reduce((text, part, index) => `${text}$${index}${part}`)
  }
}

type Tag<T> = (strings: TemplateStringsArray, ...inserts: unknown[]) => T

/** The function that each template is written in. It names the statement: see slow-statements.ts. */
const senders = new WeakMap<TemplateStringsArray, string>()

/**
 * `tag`: the function that the template is the text of. Looks at the stack at the first use of a template only: each
 * time, that would take longer than to send it.
 */
function senderOf(strings: TemplateStringsArray, tag: Tag<unknown>): string {
  const known = senders.get(strings)
  if (known !== undefined) return known
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_error, frames) => frames.map((frame) => frame.getFunctionName())
  const here: { stack?: unknown } = {}
  Error.captureStackTrace(here, tag)
  const names = here.stack as (string | null)[]
  Error.prepareStackTrace = prepareStackTrace
  // The build numbers names that occur twice.
  const sender = names.find((name) => name)?.replace(/\$\d+$/, '') ?? 'unknown'
  senders.set(strings, sender)
  return sender
}

/**
 * sql`a = ${1} and ${sql`b = ${2}`}`: an inserted Sql becomes part of the text, any other value a
 * parameter.
 */
export function sql(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
  return build(sql, strings, inserts)
}

function build(tag: Tag<unknown>, strings: TemplateStringsArray, inserts: unknown[]): Sql {
  const texts = [strings[0] ?? '']
  const values: unknown[] = []
  const append = (text: string) => {
    texts[texts.length - 1] += text
  }
  inserts.forEach((insert, index) => {
    if (insert instanceof Sql) {
      append(insert.strings[0] ?? '')
      texts.push(...insert.strings.slice(1))
      values.push(...insert.values)
    } else {
      values.push(insert)
      texts.push('')
    }
    append(strings[index + 1] ?? '')
  })
  return new Sql(texts, values, senderOf(strings, tag))
}

/** Text of this program, such as the name of a column. Never use it for text of a caller. */
export function raw(text: string): Sql {
  return new Sql([text], [])
}

/** The order that people expect: upper and lower case together. An ICU collation is the same on every server. */
export const alphabetical = raw('collate "und-x-icu"')

/**
 * Marks a statement that is meant for all workspaces. A test refuses any other that does not name the
 * workspace for each table.
 */
export const acrossWorkspaces = raw('/* across workspaces */')

export function join(pieces: readonly Sql[], separator: string): Sql {
  const texts = ['']
  const values: unknown[] = []
  pieces.forEach((piece, index) => {
    const [first = '', ...rest] = piece.strings
    texts[texts.length - 1] += (index > 0 ? separator : '') + first
    texts.push(...rest)
    values.push(...piece.values)
  })
  return new Sql(texts, values, pieces[0]?.sender)
}

/** Quoted names of columns: "id", "order" */
export function columnNames(names: readonly string[]): Sql {
  return raw(names.map((name) => `"${name}"`).join(', '))
}

/** Rows to insert: ("id", "name") values ($1, $2), ($3, $4). All have the columns of the first. */
export function rowValues(given: object | readonly object[]): Sql {
  const list = [given].flat() as Record<string, unknown>[]
  const names = Object.keys(list[0] ?? {})
  const tuples = list.map(
    (row) =>
      sql`(${join(
        names.map((name) => sql`${row[name]}`),
        ', ',
      )})`,
  )
  return sql`(${columnNames(names)}) values ${join(tuples, ', ')}`
}

/** The assignments of an update: "name" = $1, "color" = $2 */
export function assignments(change: object): Sql {
  const sets = Object.entries(change).map(([name, value]) => sql`${columnNames([name])} = ${value}`)
  return join(sets, ', ')
}

/** A value as jsonb. The cast to text is needed, or the driver would encode the JSON a second time. */
export function jsonb(value: unknown): Sql {
  return sql`${JSON.stringify(value)}::text::jsonb`
}

/** A value with its type, for places where PostgreSQL cannot infer it. */
export function typedAs(type: string, value: unknown): Sql {
  return sql`${toParameter(type, value)}${raw(castTo(type))}`
}

// Through text, or the driver would encode JSON a second time and bytes that are text already.
const isEncoded = (type: string) => type === 'jsonb' || type === 'bytea'
const castTo = (type: string) => (isEncoded(type) ? `::text::${type}` : `::${type}`)
const toParameter = (type: string, value: unknown) =>
  type === 'jsonb' && value != null ? JSON.stringify(value) : (value ?? null)

/**
 * Makes a function that inserts any number of rows of a workspace; `types` has the columns. A single row goes as
 * values: on a distributed database the rows of a query are copied, with a two-phase commit, which takes longer.
 */
export function rowWriter(
  table: string,
  types: Record<string, string>,
): (space: string, rows: object[]) => Sql {
  const columns = Object.entries(types)
  const into = `insert into ${table} (id_space, ${columnNames(Object.keys(types)).text})`
  const casts = ['uuid', ...Object.values(types)].map(castTo)
  const texts = [
    `${into} values (`,
    ...casts.map((cast, at) => `${cast}${at < columns.length ? ', ' : ')'}`),
  ]
  const entry = raw(columns.map(([name, type]) => `"${name}" ${type}`).join(', '))
  return (space, rows) => {
    const [row] = rows as Record<string, unknown>[]
    if (rows.length !== 1 || !row) {
      return sql`${raw(into)} select ${space}::uuid, entry.* from ${rowsOf(rows, entry)}`
    }
    const values = columns.map(([name, type]) => toParameter(type, row[name]))
    return new Sql(texts, [space, ...values])
  }
}

/**
 * Any number of rows as one parameter, which is faster than many. The table is called `entry`; `columns` names
 * its columns with their types, and a value that a row does not have is null. PostgreSQL expects 100 rows:
 * join with it only where there is only one good plan.
 */
export function rowsOf(rows: object[], columns: Sql): Sql {
  return sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as entry (${columns})`
}

/**
 * Flattens V8's rope string. Use it for the text of a statement that is built once and sent often: the
 * driver hashes the text for every query, which takes three times as long on a rope.
 */
export function flattenText(text: string): string {
  return Buffer.from(text).toString()
}

type Rows = Record<string, unknown>[]

/**
 * run(db)`select …` writes a statement as `sql` does and sends it; run(db, statement) sends one that is written
 * elsewhere. Prepared: PostgreSQL parses it once per connection and can keep its plan. It goes to the driver as text,
 * because the driver's own template keeps every template object forever, with the values of its first use, and here
 * these objects are new each time.
 */
export function run<T extends object[] = Rows>(db: Db): Tag<Sent<T>>
export function run<T extends object[] = Rows>(db: Db, statement: Statement): Sent<T>
export function run<T extends object[]>(db: Db, statement?: Statement) {
  return sendingOn<T>(db, statement, true)
}

function sendingOn<T extends object[]>(
  db: Db,
  statement: Statement | undefined,
  prepare: boolean,
): Tag<Sent<T>> | Sent<T> {
  const send = ({ text, values, sender }: Statement) =>
    db.unsafe<T>(text, values as never[], sending({ prepare, sender }))
  if (statement) return send(statement)
  const tag: Tag<Sent<T>> = (strings, ...inserts) => send(build(tag, strings, inserts))
  return tag
}

/** The same for a statement that returns one row. */
export function runOne<Row extends object>(db: Db): Tag<Promise<Row | undefined>> {
  const tag: Tag<Promise<Row | undefined>> = async (strings, ...inserts) => {
    const [row] = await run<Row[]>(db, build(tag, strings, inserts))
    return row
  }
  return tag
}

interface Sending {
  prepare: boolean
  sender: string | undefined
}

/** The driver keeps the sender with the query, although its types do not say so. */
export const sending = (options: Sending): Pick<Sending, 'prepare'> => options

/** Sends statements of a transaction together. PostgreSQL runs them in this order. */
export async function runAll(tx: Db, pieces: Statement[]): Promise<void> {
  // The driver sends a statement when someone waits for it.
  await Promise.all(pieces.map(async (piece) => void (await run(tx, piece))))
}

interface SendingText {
  /** The name of the caller. */
  sender: string
  prepare?: boolean
}

/**
 * Sends a statement whose text was built before, with $1, $2, … in it. Returns the bytes of each column of its rows,
 * undecoded. For JSON that PostgreSQL has built and the service passes on.
 */
export function runTexts(
  db: Db,
  text: string,
  values: readonly unknown[],
  { sender, prepare = true }: SendingText,
): Promise<Buffer[][]> {
  return db.unsafe(text, values as never[], sending({ prepare, sender })).raw() as never
}

/** The same for a statement with at most one row. */
export async function runText(
  ...statement: Parameters<typeof runTexts>
): Promise<Buffer[] | undefined> {
  const [row] = await runTexts(...statement)
  return row
}

/**
 * Sends a statement without preparing it: PostgreSQL plans it each time, for its values. Use it for
 * conditions that a caller has composed. A tag may be on every lead or on none, and one plan for both
 * was up to a thousand times slower. All other statements are prepared. Do not set plan_cache_mode
 * instead: it would also plan every check of a foreign key again.
 */
export function runUnprepared<T extends object[] = Rows>(db: Db): Tag<Sent<T>>
export function runUnprepared<T extends object[] = Rows>(db: Db, statement: Statement): Sent<T>
export function runUnprepared<T extends object[]>(db: Db, statement?: Statement) {
  return sendingOn<T>(db, statement, false)
}

/** Escapes text for a LIKE pattern, where % and _ are wildcards. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
