// The statements that the service sends, each with the function that sends it, written for readers into
// docs/sql. UPDATE_SQL=1 writes them, and a test compares them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Sql } from '../src/db/sql.ts'
import { root } from '../src/root.ts'
import { formatSql } from './format-sql.ts'

/** Text of a statement → where it was asked for. Read at the end: to read the stack takes longer than most statements. */
type Sources = Map<string, Error>

const folder = fileURLToPath(new URL('docs/sql/', root))

/** Which function asks for the text of a statement, in order to send it. */
let sources: Sources = new Map()
/** Those of the test files before. Some texts are built only once, and files of the same process share them. */
let earlier: Sources = new Map()

/** Other test files may send a statement from elsewhere: what counts from here on is who sends it now. */
export function noteAnew(): void {
  earlier = new Map([...earlier, ...sources])
  sources = new Map()
}

/** From the first test of the process on. */
function noteSources(): void {
  const { get } = Object.getOwnPropertyDescriptor(Sql.prototype, 'text') ?? {}
  Object.defineProperty(Sql.prototype, 'text', {
    get() {
      const text: string = get?.call(this)
      if (!sources.has(text)) sources.set(text, stackHere())
      return text
    },
  })
}

noteSources()

/** Proxies and helpers of the database stand above the function that is looked for. */
function stackHere(): Error {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const here = new Error()
  Error.stackTraceLimit = limit
  return here
}

/**
 * The outermost function of the file that sent the statement, as far as it did so without a pause:
 * "resources/tags/tags.sql.ts selectTags".
 */
function sourceOf({ stack = '' }: Error): string {
  const frames = [
    ...stack.matchAll(/at (?:async )?(?:(\S+) .*?)?\(?\S*server\/src\/(\S+?\.ts)[:?]/g),
  ]
    .map(([, name = '', file = '']) => ({ name: name.replace(/^Module\./, ''), file }))
    .filter(({ file }) => !/^(db|feed)\//.test(file))
  const [first] = frames
  const others = frames.findIndex(({ file }) => file !== first?.file)
  const own = frames.slice(0, others < 0 ? undefined : others)
  const name = own.findLast((frame) => frame.name && !frame.name.includes('anonymous'))?.name
  return `${first?.file ?? ''} ${name ?? ''}`.trim()
}

/** The statements of these folders are those that requests send; others come by the clock. */
const rooms = /^(resources|references|idempotency)\//

/** File below docs/sql → its content. */
function written(sent: Iterable<string>): Map<string, string> {
  const files = new Map<string, Set<string>>()
  for (const text of sent) {
    // Whether this is a cluster: once a minute, whoever comes first asks.
    if (text.includes('from pg_extension')) continue
    // A text that was built at the start (runText) has no source.
    const noted = sources.get(text) ?? earlier.get(text)
    const source = noted ? sourceOf(noted) : text.includes('id_space') ? 'resources/built.ts' : ''
    if (!rooms.test(source)) continue
    const [path = '', name = ''] = source.split(' ')
    const file = path.replace(/(\.sql)?\.ts$/, '.sql')
    const all = files.get(file) ?? new Set()
    files.set(file, all.add(`-- ${name || 'built at the start'}\n${formatSql(text)};\n`))
  }
  return new Map([...files].map(([file, texts]) => [file, [...texts].sort().join('\n')]))
}

/** Throws if docs/sql does not have exactly the statements that were sent. */
export function expectWritten(sent: Iterable<string>): void {
  const wanted = written(sent)
  if (process.env.UPDATE_SQL) {
    rmSync(folder, { recursive: true, force: true })
    for (const [file, text] of wanted) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
  }
  const there = (readdirSync(folder, { recursive: true }) as string[])
    .map((name) => name.split(sep).join(posix.sep))
    .filter((name) => name.endsWith('.sql'))
  const stale = [...new Set([...there, ...wanted.keys()])].filter(
    (file) =>
      !there.includes(file) || readFileSync(join(folder, file), 'utf8') !== wanted.get(file),
  )
  if (stale.length > 0) {
    throw new Error(
      `docs/sql is not what the service sends: ${stale.sort().join(', ')}. Write it with UPDATE_SQL=1.`,
    )
  }
}
