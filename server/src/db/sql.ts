// The one way to write SQL. Text and values stay apart from beginning to end, so that a value can only
// travel as a parameter.
import type { Db } from './driver.ts'

export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }

  /** The text with $1, $2, … */
  get text(): string {
    return this.strings.reduce((text, part, index) => `${text}$${index}${part}`)
  }
}

/** sql`a = ${1} and ${sql`b = ${2}`}`: pieces are built in, everything else becomes a parameter. */
export function sql(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
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
  return new Sql(texts, values)
}

/** Text that this program made, such as the name of a column; never text of a caller. */
export function raw(text: string): Sql {
  return new Sql([text], [])
}

export function join(pieces: readonly Sql[], separator: string): Sql {
  const texts = ['']
  const values: unknown[] = []
  pieces.forEach((piece, index) => {
    const [first = '', ...rest] = piece.strings
    texts[texts.length - 1] += (index > 0 ? separator : '') + first
    texts.push(...rest)
    values.push(...piece.values)
  })
  return new Sql(texts, values)
}

/** "id", "order": the names of columns, quoted. */
export function columnNames(names: readonly string[]): Sql {
  return raw(names.map((name) => `"${name}"`).join(', '))
}

/** ("id", "name") values ($1, $2), ($3, $4): rows to insert. All have the columns of the first. */
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

/** "name" = $1, "color" = $2: what an update sets. */
export function assignments(change: object): Sql {
  const sets = Object.entries(change).map(([name, value]) => sql`${columnNames([name])} = ${value}`)
  return join(sets, ', ')
}

/** A value as jsonb. Through text, because the driver would encode the JSON a second time. */
export function jsonb(value: unknown): Sql {
  return sql`${JSON.stringify(value)}::text::jsonb`
}

/**
 * The text of a statement that is made once and kept. Flattens V8's rope string: the driver hashes the
 * text for every query, which takes three times as long on a rope.
 */
export function keptText(text: string): string {
  return Buffer.from(text).toString()
}

/**
 * Sends a statement. As text: the driver's template remembers every template object it has seen, with
 * the values of its first use, and these objects are new each time.
 */
export function run<T extends object[] = Record<string, unknown>[]>(db: Db, piece: Sql) {
  return db.unsafe<T>(piece.text, piece.values as never[], { prepare: true })
}

/**
 * The same, planned anew for these values: for conditions that a caller put together. A tag may be on
 * every lead or on none, and one plan for both was measured up to a thousand times slower. Everything
 * else is planned once, the checks of foreign keys above all.
 */
export function runPlanned<T extends object[] = Record<string, unknown>[]>(db: Db, piece: Sql) {
  return db.unsafe<T>(piece.text, piece.values as never[], { prepare: false })
}
