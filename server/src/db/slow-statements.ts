// Statements that take long are in the log: by the name of the function that sent them, with the workspace, without
// their values.
import { isId } from '../ids.ts'
import { type Pool, watchStatements } from './driver.ts'

interface Log {
  warn(about: object, text: string): void
}

/** On this pool, and on those that are connected again from it. */
export function logSlowStatements(pool: Pool, limitMs: number, log: Log): void {
  watchStatements(pool, ({ text, values, sender, ms }) => {
    if (ms < limitMs) return
    // The others are sent by no request: by a backup, or by the driver itself.
    const statement = sender ?? (text === 'commit' ? text : undefined)
    if (statement === undefined) return
    const about = { statement, ms: Math.round(ms), id_space: spaceOf(text, values) }
    log.warn(about, `slow statement: ${statement}, ${about.ms} ms`)
  })
}

/** Every statement compares the workspace with one of its values, or inserts it first. */
const space = /\bid_space"? = \$(\d+)|\("?id_space\b[^)]*\)\s*(?:values \(|select )\$(\d+)/

function spaceOf(text: string, values: readonly unknown[]): string | undefined {
  const [, compared, inserted] = space.exec(text) ?? []
  const id_space = values[Number(compared ?? inserted) - 1]
  return typeof id_space === 'string' && isId(id_space) ? id_space : undefined
}
