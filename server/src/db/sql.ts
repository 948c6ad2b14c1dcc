// Pieces of SQL that are put together at run time: text and values kept apart from beginning to
// end, so that a value can only ever travel as a parameter.
import type { Db } from './connect.ts'

export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }

  /** For people and tests: the text with $1, $2, … */
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

/** Text of this program's own making (a column's name, say); never anything of a caller's. */
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

/**
 * The text of a statement that is made once and kept. As one string: one that was put together from
 * pieces stays in pieces, and the driver, which looks every statement up by its text, would take three
 * times as long for it.
 */
export function keptText(text: string): string {
  return Buffer.from(text).toString()
}

type Rows<T> = T extends readonly (infer R extends object)[] ? R[] : never

/**
 * As a query. It goes to the driver as text: the driver remembers every template it has ever seen,
 * with the values of its first use, and these are made anew each time.
 */
export function run<T extends readonly object[] = Record<string, unknown>[]>(db: Db, piece: Sql) {
  return db.unsafe<Rows<T>>(piece.text, piece.values as never[], { prepare: true })
}

/**
 * The same, planned anew for the values at hand: for conditions that a caller put together. A tag may
 * be on every lead or on none; a plan that has to do for both was measured up to a thousand times
 * slower. Everything else is planned once, the checks of foreign keys above all.
 */
export function runPlanned<T extends readonly object[] = Record<string, unknown>[]>(
  db: Db,
  piece: Sql,
) {
  return db.unsafe<Rows<T>>(piece.text, piece.values as never[], { prepare: false })
}
