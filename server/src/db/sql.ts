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
  const [first = raw(''), ...rest] = pieces
  return rest.reduce((all, piece) => sql`${all}${raw(separator)}${piece}`, first)
}

/** As a query, or as a piece of one of the driver's own templates. */
export function run<T extends readonly object[] = Record<string, unknown>[]>(db: Db, piece: Sql) {
  const strings = Object.assign([...piece.strings], { raw: piece.strings })
  return db<T extends readonly (infer R extends object)[] ? R[] : never>(
    strings as unknown as TemplateStringsArray,
    ...(piece.values as never[]),
  )
}
