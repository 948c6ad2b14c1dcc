// Checks on a cluster that a statement is one task: one node does it alone. The planner says so.
import type { Pool } from '../src/db/driver.ts'
import { acrossWorkspaces } from '../src/db/sql.ts'

/** Statements of this file and of those before it in the same worker. */
const known = new Set<string>()

const isPlanned = /^\s*(with|select|insert|update|delete)\b/i

/** Throws an error that lists the statements with more than one task. The values are those of one call. */
export async function expectOneTask(
  db: Pool,
  statements: ReadonlyMap<string, unknown[]>,
): Promise<void> {
  const faults: string[] = []
  for (const [text, values] of statements) {
    if (known.has(text) || text.includes(acrossWorkspaces.text) || !isPlanned.test(text)) continue
    known.add(text)
    const counts = await taskCounts(db, text, values).catch((error) => {
      throw new Error(`${error.message}, in: ${text}`, { cause: error })
    })
    if (counts.some((count) => count > 1)) faults.push(`${counts.join(' and ')} tasks in: ${text}`)
  }
  if (faults.length > 0) throw new Error(`Not one task:\n${faults.join('\n\n')}`)
}

/** The number of tasks of each part that is sent to nodes. */
export async function taskCounts(db: Pool, text: string, values: unknown[]): Promise<number[]> {
  // The cluster cannot explain a statement with parameters and parts.
  const withValues = text.replaceAll(/\$(\d+)/g, (_, number) => literal(values[number - 1]))
  const plan = JSON.stringify(await db.unsafe(`explain (format json) ${withValues}`))
  return [...plan.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count))
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return `'${textOf(value).replaceAll("'", "''")}'`
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function element(value: unknown): string {
  return value === null ? 'null' : `"${textOf(value).replaceAll(/["\\]/g, '\\$&')}"`
}
