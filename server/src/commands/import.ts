import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { encodings, formats, upsertKeys } from '@rapport/contract/transfer'
import type { Config } from '../config.ts'
import { ImportError } from '../resources/transfer/file/errors.ts'
import { type FileResult, importFile } from '../resources/transfer/import/import-file.ts'
import {
  columnList,
  type ImportOptions,
  type ImportResult,
} from '../resources/transfer/import/import-leads.ts'
import { label } from '../resources/transfer/import/match-columns.ts'
import { readMap, readSeparator } from '../resources/transfer/import/options.ts'
import { chooseSpace, spaceOption } from './choose-space.ts'
import { type Command, CommandError, parse, UsageError, withDatabase } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { showProgress } from './progress.ts'
import { oneOf } from './transfer.ts'

/** How many rejected rows are printed. All of them are in the file of rejected rows. */
const shownRejects = 10

export const importCommand: Command = {
  summary: 'Import leads from a CSV or NDJSON file',
  help: `Usage: npm run rapport -- import leads <file.csv|file.ndjson> [--space <name|id>] [options]

Columns are matched by their header: by field names, by the usual names in other systems
("First Name", "E-mail", "Company Name", "Job Title", …), and by the names of the workspace's
attributes. Columns that match nothing are listed and ignored. Tags, lists and statuses are found
by name, and created if they are missing. Owners are found by email. See docs/IMPORT.md.

Rows that cannot be imported are written to a file beside it (leads.csv: leads.rejected.csv),
with the reason in the last column. If an import is interrupted, run the same command again: it
continues where it stopped.

  --space <name|id>      ${spaceOption}
  --map 'Header=field'   sets the field of a column; may be given several times. The field is a
                         field of a lead, attribute:NAME, tags, lists, status, owners, or - to
                         ignore the column
  --list <name|id>       add every lead to this list; may be given several times
  --tag <name|id>        give every lead this tag; may be given several times
  --upsert-by <field>    if a lead with the same value exists, change it instead of creating one:
                         ${upsertKeys.join(', ')}; an empty cell changes nothing
  --create-companies     create the company of each person, unless it exists
  --dry-run              report what would happen, and write nothing
  --again                import a file again that was already imported
  --encoding <name>      ${encodings.join(', ')} (default: detected)
  --separator <sign>     separator of a CSV file: , ; tab … (default: detected in the first line)
  --format <name>        ${formats.join(' or ')} (default: by the extension of the file)
  --json                 print JSON on one line, for scripts`,

  async run(args, config) {
    const { values, positionals } = parse(args, {
      space: { type: 'string' },
      map: { type: 'string', multiple: true, default: [] },
      list: { type: 'string', multiple: true, default: [] },
      tag: { type: 'string', multiple: true, default: [] },
      'upsert-by': { type: 'string' },
      'create-companies': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      encoding: { type: 'string' },
      separator: { type: 'string' },
      format: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const [what, file, ...more] = positionals
    if (what !== 'leads') throw new UsageError('Say what to import: leads.')
    if (!file) throw new UsageError('Missing the file to import.')
    if (more.length > 0) throw new UsageError(`Too many arguments: ${more.join(' ')}.`)
    const options: Omit<ImportOptions, 'space'> = {
      format: oneOf('--format', formats, values.format) ?? formatOf(file),
      encoding: oneOf('--encoding', encodings, values.encoding),
      separator: usage(() => readSeparator(values.separator)),
      map: usage(() => values.map.map(readMap)),
      upsertBy: oneOf('--upsert-by', upsertKeys, values['upsert-by']),
      lists: values.list,
      tags: values.tag,
      createCompanies: values['create-companies'],
      dryRun: values['dry-run'],
      user: null,
      now: () => new Date(),
    }
    await importToDatabase(file, options, config, values)
  },
}

async function importToDatabase(
  file: string,
  options: Omit<ImportOptions, 'space'>,
  config: Config,
  { space, again, json }: { space?: string | undefined; again: boolean; json: boolean },
): Promise<void> {
  const { size } = await stat(file).catch((error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}`)
  })
  const started = Date.now()
  const rejects: { row: number; reason: string }[] = []
  const outcome = await withDatabase(config, (pool) =>
    untilInterrupted(async (signal) => {
      const { id_space } = await chooseSpace(pool, space)
      const progress = showProgress('KB', Math.ceil(size / 1000))
      try {
        return await importFile(
          pool,
          { ...options, space: id_space, signal },
          {
            file,
            again,
            onProgress: (bytes) => progress.at(Math.ceil(bytes / 1000)),
            onResume: (row) => console.error(`Continuing after row ${row.toLocaleString('en')}.`),
            onRejected(rows) {
              for (const { row, reason } of rows.slice(0, shownRejects - rejects.length)) {
                rejects.push({ row: row.number, reason })
              }
            },
          },
        )
      } finally {
        progress.end()
      }
    }),
  ).catch((error) => {
    throw error instanceof ImportError ? new CommandError(`${file}: ${error.message}`) : error
  })
  const seconds = (Date.now() - started) / 1000
  if (json) console.log(JSON.stringify(asJson(outcome, rejects)))
  else console.log(summary(file, outcome, rejects, options.dryRun, seconds))
  if (outcome.isDone) return
  const { created, updated, skipped, rejected, isComplete } = outcome.result
  if (!isComplete || (rejected > 0 && created + updated + skipped === 0)) process.exitCode = 1
}

function formatOf(file: string) {
  const ending = extname(file).toLowerCase()
  if (['.ndjson', '.jsonl'].includes(ending)) return 'ndjson'
  if (['.csv', '.tsv', '.txt'].includes(ending)) return 'csv'
  throw new UsageError(
    `Add --format csv or --format ndjson: the extension "${ending}" is not known.`,
  )
}

function usage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ImportError ? new UsageError(error.message) : error
  }
}

function asJson(outcome: FileResult, rejects: { row: number; reason: string }[]) {
  if (outcome.isDone) {
    const { id: _, rejected_bytes: __, row_number: ___, ...before } = outcome.before
    return { already_imported: true, ...before }
  }
  const { result, rejectedFile } = outcome
  const { created, updated, skipped, rejected } = result
  return {
    already_imported: false,
    complete: result.isComplete,
    total: created + updated + skipped + rejected,
    ...{ created, updated, skipped, rejected },
    rejected_file: rejected > 0 ? rejectedFile : null,
    rejected_rows: rejects,
    companies: result.companies,
    made: result.made,
    unknown_owners: Object.fromEntries(result.strangers),
    lost_relations: result.lostRelations,
    columns: columnList(result.columns),
    encoding: result.encoding,
    separator: result.separator,
  }
}

const count = (number: number) => number.toLocaleString('en')

function summary(
  file: string,
  outcome: FileResult,
  rejects: { row: number; reason: string }[],
  dryRun: boolean,
  seconds: number,
): string {
  if (outcome.isDone) {
    const { finished_at, created, updated } = outcome.before
    return [
      `${file} was imported already (${finished_at}): ${count(created)} leads created, ${count(updated)} updated.`,
      'Nothing was done. To import it again, add --again.',
    ].join('\n')
  }
  const { result, rejectedFile } = outcome
  const { created, updated, skipped, rejected } = result
  const would = dryRun ? 'would be ' : ''
  const lines = [
    `${file}: ${result.separator === null ? 'NDJSON' : `CSV, separator ${shownSign(result.separator)}`}, ${encodingName(result.encoding)}`,
    '',
    ...columnLines(result),
    '',
    `${count(created + updated + skipped + rejected)} rows in ${seconds.toFixed(1)} s: ${count(created)} ${would}created, ${count(updated)} ${would}updated, ${count(skipped)} skipped (already there), ${count(rejected)} rejected.`,
  ]
  if (result.companies > 0) lines.push(`${count(result.companies)} companies created for them.`)
  for (const [kind, names] of Object.entries(result.made)) {
    const word = kind === 'status' ? 'statuses' : kind
    if (names.length > 0) lines.push(`New ${word}: ${some(names)}`)
  }
  if (result.strangers.size > 0) {
    const all = [...result.strangers].map(([name, rows]) => `${name} (${count(rows)} rows)`)
    lines.push(`Owners left out, because they are not members: ${some(all)}`)
  }
  if (result.lostRelations > 0) {
    lines.push(
      `${count(result.lostRelations)} relations left out, because their leads do not exist.`,
    )
  }
  for (const { row, reason } of rejects) lines.push(`  row ${count(row)}: ${reason}`)
  if (rejected > rejects.length) lines.push(`  … and ${count(rejected - rejects.length)} more`)
  if (rejected > 0 && !dryRun) lines.push(`The rejected rows are in ${rejectedFile}.`)
  if (dryRun) lines.push('This was a dry run: nothing was written.')
  if (!result.isComplete && !dryRun) {
    lines.push(`Stopped after row ${count(result.row)}. To continue, run the same command again.`)
  }
  return lines.join('\n')
}

function columnLines({ columns }: ImportResult): string[] {
  const width = Math.min(30, Math.max(0, ...columns.map(({ header }) => header.length)))
  return columns.map(({ header, target }) =>
    target.kind === 'ignored'
      ? `  ${header.padEnd(width)}    ignored: ${target.why}`
      : `  ${header.padEnd(width)} →  ${label(target)}`,
  )
}

function encodingName(encoding: string): string {
  if (encoding === 'latin1') return 'Latin-1 (it is not valid UTF-8)'
  return encoding.toUpperCase()
}

const shownSign = (sign: string) => (sign === '\t' ? 'tab' : `"${sign}"`)

function some(names: string[]): string {
  const rest = names.length - 20
  return names.slice(0, 20).join(', ') + (rest > 0 ? ` and ${count(rest)} more` : '')
}
