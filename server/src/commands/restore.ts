import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Backup } from '../backup/read.ts'
import { checkBackup, restoreBackup } from '../backup/restore.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { content, describe, rowProgress, stoppable } from './backup.ts'
import { type Command, parse, required, UsageError } from './command.ts'

export const restore: Command = {
  summary: 'Restore a backup into an empty database',
  help: `Usage: npm run rapport -- restore <file> [--check] [--json]

Restores all that a backup holds into a database without workspaces: a new DATA_DIR, or a
new database of yours. This is also the way to move from one to the other:

  DATABASE_URL=postgres://me@db.example/rapport npm run rapport -- restore <file>

The whole file is checked first; a damaged one is refused before anything is written. Then
it is all or nothing. A backup of an older release is brought up to date on the way.
Restore before the first start: starting on an empty database makes a workspace in it.

  <file>     the backup; - is standard input
  --check    only check the file, and say what is in it
  --json     print JSON on one line, for scripts`,

  async run(args, config) {
    const { values, positionals } = parse(args, {
      check: { type: 'boolean' },
      json: { type: 'boolean' },
    })
    const [word, ...more] = positionals
    const name = required(word, 'the file to restore')
    if (more.length > 0) throw new UsageError(`Too many words: ${more.join(' ')}.`)

    const started = Date.now()
    const { header, into } = await stoppable('Stopped: nothing was restored.', (signal) =>
      withFile(name, signal, async (file) => {
        const checked = await check(file, signal)
        const into = values.check ? undefined : await load(file, checked, config, signal)
        return { header: checked.header, into }
      }),
    )
    const seconds = (Date.now() - started) / 1000
    if (values.json) {
      return console.log(JSON.stringify({ file: name, ...describe(header), into, seconds }))
    }
    const origin = `made ${header.created_at} by Rapport ${header.program}`
    if (into === undefined) {
      return console.log(`The backup is whole: ${content(header)}, ${origin}.`)
    }
    console.log(`Restored ${content(header)} into ${into} in ${seconds.toFixed(1)} s.
The backup was ${origin}. Its keys work here too. Start with: npm start`)
  },
}

async function check(file: string, signal: AbortSignal): Promise<Backup> {
  const progress = rowProgress('rows checked')
  try {
    return await checkBackup(file, { signal, onProgress: progress.at })
  } finally {
    progress.end()
  }
}

/** Answers where the data is now. */
async function load(file: string, checked: Backup, config: Config, signal: AbortSignal) {
  const progress = rowProgress('rows')
  const log = (line: string) => console.error(line)
  const database = await openDatabase({ ...config, poolSize: 2 }, log, { signal })
  try {
    await restoreBackup(database.pool, file, checked, { signal, log, onProgress: progress.at })
    return database.where
  } finally {
    progress.end()
    await database.close()
  }
}

/** A backup is read twice, and standard input only once: so that one is kept in a file meanwhile. */
async function withFile<T>(
  name: string,
  signal: AbortSignal,
  use: (file: string) => Promise<T>,
): Promise<T> {
  if (name !== '-') return use(name)
  const folder = await mkdtemp(join(tmpdir(), 'rapport-restore-'))
  try {
    const file = join(folder, 'standard input')
    await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }), { signal })
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
