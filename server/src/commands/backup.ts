import { backUpToFile } from '../backup/file.ts'
import { type BackupSpace, countRows, FileExists, type Header } from '../backup/format.ts'
import { selectSpaceNames } from '../backup/tables.sql.ts'
import { writeBackup } from '../backup/write.ts'
import { openDatabase } from '../engine/open-database.ts'
import { counted, printable } from '../words.ts'
import { named } from './choose-space.ts'
import { CommandError, command, json, required, requireNoMore, UsageError } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { nextCommand } from './next-command.ts'
import { type Progress, showProgress } from './progress.ts'

export const backup = command({
  summary: 'Back up everything into a file',
  help: `Usage: npm run rapport -- backup <file> [--space <name|id>] [--force] [--json]

Writes all workspaces, with their members, keys (as hashes) and data, into one file. The
file is a snapshot of the database; the service keeps running. The file gets its final name
when it is complete; until then its name ends in .partial. Keep it safe: it contains all
your customer data. Restore it with: npm run rapport -- restore <file>`,
  options: {
    '<file>': 'the file to write; - is standard output: npm run -s rapport -- backup - > file',
    space:
      '<name|id> only this workspace, to move it to another installation, without the sessions and one-time links of its members',
    force: 'replace an existing file',
    json,
  },
  more: `If BACKUP_KEY is set, the backup is encrypted with it. If BACKUP_EVERY is set, the running
server makes backups automatically; see the README.`,

  async run({ values, positionals }, config) {
    const [word, ...more] = positionals
    const file = required(word, 'the file to write')
    requireNoMore(more)
    const isOutput = file === '-'
    if (isOutput && process.stdout.isTTY) {
      throw new UsageError(
        'Refusing to write a backup to a terminal. Redirect the output to a file.',
      )
    }

    const started = Date.now()
    // No migration here: users make a backup before they upgrade.
    const database = await openDatabase({ ...config, poolSize: 2 }, (line) => console.error(line))
    const progress = rowProgress('rows')
    try {
      const { header, bytes } = await stoppable('Stopped. No backup was made.', async (signal) => {
        const { force } = values
        const spaces = values.space === undefined ? [] : await selectSpaceNames(database.pool)
        const space = chooseFrom(spaces, values.space, 'The database')?.id
        const about = { now: new Date(), space, key: config.backupKey }
        const options = { ...about, signal, onProgress: progress.at }
        if (!isOutput) {
          return backUpToFile(database.pool, file, { ...options, force }).catch((error) => {
            throw error instanceof FileExists ? new CommandError(existsAlready(file)) : error
          })
        }
        return { header: await writeBackup(database.pool, process.stdout, options), bytes: null }
      })
      progress.end()
      const result = { file, bytes, ...describe(header), seconds: (Date.now() - started) / 1000 }
      const size = bytes === null ? '' : ` to ${file} (${megabytes(bytes)})`
      const line = values.json
        ? JSON.stringify(result)
        : `Backed up ${content(header)}${size} in ${result.seconds.toFixed(1)} s.`
      if (isOutput) console.error(line)
      else console.log(line)
    } finally {
      progress.end()
      await database.close()
    }
  },
})

function existsAlready(file: string): string {
  return `${file} already exists. Choose another file name, or replace it: ${nextCommand('backup', file, '--force')}`
}

/** The workspace with this name or id, if there is one. `where` is what has them. */
export function chooseFrom(
  spaces: BackupSpace[],
  given: string | undefined,
  where: string,
): BackupSpace | undefined {
  if (given === undefined) return undefined
  const [space, ...others] = named(spaces, given, ({ id }) => id)
  if (space && others.length === 0) return space
  const list = spaces.map(({ id, name }) => `  ${id}  ${printable(name)}`)
  const why = space
    ? `${where} has several workspaces named "${given}". Choose one by id:`
    : `${where} has no workspace "${given}". It has:`
  throw new CommandError([why, ...list].join('\n'))
}

/** Runs work that Ctrl-C cancels. `told` is the message for that case. */
export function stoppable<T>(told: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return untilInterrupted((signal) =>
    work(signal).catch((error) => {
      throw signal.aborted ? new CommandError(told) : error
    }),
  )
}

/** A progress bar whose total is known only when the first rows are done. */
export function rowProgress(what: string) {
  let shown: Progress | undefined
  return {
    at(done: number, total: number): void {
      shown ??= showProgress(what, total)
      shown.at(done)
    },
    end(): void {
      shown?.end()
      shown = undefined
    },
  }
}

export function describe({ program, created_at, migrations, tables }: Header) {
  return {
    created_at,
    program,
    schema: migrations.length,
    workspaces: workspacesIn(tables),
    rows: countRows(tables),
  }
}

/** "1 workspace, 1,234 rows" */
export function content({ tables }: Header): string {
  return `${counted(workspacesIn(tables), 'workspace')}, ${counted(countRows(tables), 'row')}`
}

function workspacesIn(tables: Header['tables']): number {
  return tables.find(({ name }) => name === 'space')?.rows ?? 0
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}
