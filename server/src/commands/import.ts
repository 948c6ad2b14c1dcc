import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import {
  dateOrders,
  decimals,
  encodings,
  importFormats,
  upsertKeys,
} from '@rapport/contract/transfer'
import type { Config } from '../config.ts'
import { actorOf } from '../feed/author.ts'
import { ImportError } from '../resources/transfer/file/errors.ts'
import {
  type FileOptions,
  type FileResult,
  importFile,
} from '../resources/transfer/import/import-file.ts'
import {
  columnList,
  type ImportOptions,
  type Opened,
} from '../resources/transfer/import/import-leads.ts'
import {
  readDecimal,
  readMap,
  readSeparator,
  readUpsertKey,
} from '../resources/transfer/import/options.ts'
import type { RejectedRow } from '../resources/transfer/import/plan-batch.ts'
import { chooseSpace, spaceOption } from './choose-space.ts'
import { type Command, CommandError, parse, UsageError, withDatabase } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { nextCommand } from './next-command.ts'
import { showProgress } from './progress.ts'
import { oneOf } from './transfer.ts'

/** How many rejected rows are printed. All of them are in the file of rejected rows. */
const shownRejects = 10

export const importCommand: Command = {
  summary: 'Import leads from a CSV, NDJSON or XLSX file',
  help: `Usage: npm run rapport -- import leads <file.csv|file.xlsx|file.ndjson> [--space <name|id>] [options]

Exports of HubSpot, Salesforce, Pipedrive, LinkedIn, Outlook, Google, Apollo, Zoho and Close need
no option. Columns are matched by their header (names of fields, of attributes, and the usual names
in other systems and languages) and by what stands in their cells. The import shows which column
goes into which field before it writes anything. Columns that match nothing are ignored. Tags, lists
and statuses are found by name, and created if they are missing. Owners are found by email or name.
The id in the other system is kept in an attribute. See docs/IMPORT.md.

Rows that cannot be imported are written to a file beside it (leads.csv: leads.rejected.csv), with
all reasons in the first column. Correct them there and import that file. If an import is
interrupted, run the same command again: it continues where it stopped.

  --space <name|id>      ${spaceOption}
  --map 'Header=field'   sets the field of a column; may be given several times. #3 in place of
                         the header is the third column. The field is a field of a lead,
                         attribute:NAME, tags, lists, status, owners, notes, new for a new
                         attribute (new:TYPE sets its type), or - to ignore the column
  --list <name|id>       add every lead to this list; may be given several times
  --tag <name|id>        give every lead this tag; may be given several times
  --upsert-by <field>    if a lead with the same value exists, change it instead of creating one:
                         ${upsertKeys.join(', ')} (the id in the
                         other system) or attribute:SLUG; an empty cell changes nothing
  --skip-existing        with --upsert-by: skip rows of leads that are there already
  --create-attributes    create an attribute for each column that matches nothing; its type is
                         taken from all values
  --create-companies     create the company of each person, unless it exists
  --dates <order>        ${dateOrders.join(', ')}: what comes first in dates such as 3/4/2026 (default:
                         detected; needed when a column can be read in both ways)
  --decimal <sign>       ${decimals.join(' or ')}: what stands before decimals (default: detected)
  --dry-run              report what would happen, and write nothing
  --again                import a file again that was already imported
  --encoding <name>      ${encodings.join(', ')} (default: detected)
  --separator <sign>     separator of a CSV file: , ; tab … (default: detected)
  --format <name>        ${importFormats.join(', ')} (default: by the extension of the file)
  --sheet <name>         sheet of an XLSX file (default: the first)
  --json                 print JSON on one line, for scripts`,

  async run(args, config) {
    const { values, positionals } = parse(args, {
      space: { type: 'string' },
      map: { type: 'string', multiple: true, default: [] },
      list: { type: 'string', multiple: true, default: [] },
      tag: { type: 'string', multiple: true, default: [] },
      'upsert-by': { type: 'string' },
      'skip-existing': { type: 'boolean', default: false },
      'create-companies': { type: 'boolean', default: false },
      'create-attributes': { type: 'boolean', default: false },
      dates: { type: 'string' },
      decimal: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      encoding: { type: 'string' },
      separator: { type: 'string' },
      format: { type: 'string' },
      sheet: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    const [what, file, ...more] = positionals
    if (what !== 'leads')
      throw new UsageError('Say what to import: npm run rapport -- import leads leads.csv')
    if (!file) {
      throw new UsageError('Missing the file to import: npm run rapport -- import leads leads.csv')
    }
    if (more.length > 0) throw new UsageError(`Too many arguments: ${more.join(' ')}.`)
    const format = oneOf('--format', importFormats, values.format) ?? formatOf(file)
    if (values.sheet !== undefined && format !== 'xlsx') {
      throw new UsageError('--sheet is for XLSX files only.')
    }
    const options: Omit<ImportOptions, 'space'> = {
      format: format === 'ndjson' ? 'ndjson' : 'csv',
      encoding: oneOf('--encoding', encodings, values.encoding),
      separator: usage(() => readSeparator(values.separator)),
      map: usage(() => values.map.map(readMap)),
      upsertBy: usage(() => readUpsertKey(values['upsert-by'])),
      skipExisting: values['skip-existing'],
      lists: values.list,
      tags: values.tag,
      createCompanies: values['create-companies'],
      createAttributes: values['create-attributes'],
      dates: oneOf('--dates', dateOrders, values.dates),
      decimal: readDecimal(oneOf('--decimal', decimals, values.decimal)),
      dryRun: values['dry-run'],
      actor: actorOf('import'),
      now: () => new Date(),
    }
    const workbook = format === 'xlsx' ? { sheet: values.sheet } : undefined
    await importToDatabase(file, options, config, { ...values, workbook })
  },
}

async function importToDatabase(
  file: string,
  options: Omit<ImportOptions, 'space'>,
  config: Config,
  {
    space,
    again,
    json,
    workbook,
  }: Pick<FileOptions, 'again' | 'workbook'> & { space?: string | undefined; json: boolean },
): Promise<void> {
  const { size } = await stat(file).catch((error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}`)
  })
  const started = Date.now()
  const rejects: Rejected[] = []
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
            workbook,
            onProgress: (bytes) => progress.at(Math.ceil(bytes / 1000)),
            onResume: (row) => console.error(`Continuing after row ${row.toLocaleString('en')}.`),
            // Before anything is written.
            onOpened: (opened) => json || console.log(openedText(file, opened)),
            onRejected(rows) {
              rejects.push(...rows.slice(0, shownRejects - rejects.length).map(toRejected))
            },
          },
        )
      } finally {
        progress.end()
      }
    }),
  ).catch((error) => {
    if (error.name === 'AbortError') throw new CommandError('Stopped: nothing was written.')
    throw error instanceof ImportError ? new CommandError(`${file}: ${error.message}`) : error
  })
  const seconds = (Date.now() - started) / 1000
  if (json) console.log(JSON.stringify(asJson(outcome, rejects)))
  else console.log(summary(file, outcome, rejects, options.dryRun, seconds))
  if (outcome.isDone) {
    if (!outcome.isSame) process.exitCode = 1
    return
  }
  const { created, updated, skipped, rejected, isComplete } = outcome.result
  if (!isComplete || (rejected > 0 && created + updated + skipped === 0)) process.exitCode = 1
}

interface Rejected {
  row: number
  reason: string
}

const toRejected = ({ row, reasons }: RejectedRow): Rejected => ({
  row: row.number,
  reason: reasons.join('; '),
})

function formatOf(file: string) {
  const ending = extname(file).toLowerCase()
  if (['.ndjson', '.jsonl'].includes(ending)) return 'ndjson'
  if (['.csv', '.tsv', '.txt'].includes(ending)) return 'csv'
  if (['.xlsx', '.xlsm'].includes(ending)) return 'xlsx'
  throw new UsageError(
    ending === '.xls'
      ? 'Files of old versions of Excel cannot be read. Save it as XLSX or CSV.'
      : `Add --format csv, ndjson or xlsx: the extension "${ending}" is not known.`,
  )
}

function usage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ImportError ? new UsageError(error.message) : error
  }
}

function asJson(outcome: FileResult, rejects: Rejected[]) {
  if (outcome.isDone) {
    const { id: _, rejected_bytes: __, row_number: ___, options: ____, ...before } = outcome.before
    return { already_imported: true, same_options: outcome.isSame, ...before }
  }
  const { result, rejectedFile } = outcome
  const { created, updated, skipped, rejected, mapping } = result
  return {
    already_imported: false,
    complete: result.isComplete,
    system: mapping.system?.name ?? null,
    total: created + updated + skipped + rejected,
    ...{ created, updated, skipped, rejected },
    rejected_file: rejected > 0 ? rejectedFile : null,
    rejected_rows: rejects,
    companies: result.companies,
    made: { ...result.made, attributes: mapping.toMake.map(({ name }) => name) },
    unknown_owners: Object.fromEntries(result.strangers),
    lost_relations: result.lostRelations,
    columns: columnList(result.columns),
    other_lines: result.survey.otherLines,
    encoding: result.encoding,
    separator: result.separator,
  }
}

const count = (number: number) => number.toLocaleString('en')
/** "1 lead", "2 leads". */
const counted = (number: number, one: string, several = `${one}s`) =>
  `${count(number)} ${number === 1 ? one : several}`

/** What is in the file and where it goes. */
function openedText(file: string, { mapping, survey, encoding, separator }: Opened): string {
  const form = separator === null ? 'NDJSON' : `CSV, separator ${shownSign(separator)}`
  const system = mapping.system ? `${mapping.system.name}, ` : ''
  const lines = [
    `${file}: ${system}${form}, ${encodingName(encoding)}, ${counted(survey.rows, 'row')}`,
    '',
    ...columnLines(mapping.columns),
    '',
  ]
  if (survey.otherLines > 0) {
    lines.push(
      `${counted(survey.otherLines, 'line')} before the header or after the rows left out.`,
    )
  }
  if (mapping.columns.some(({ target, why }) => target.kind === 'ignored' && why === unknown)) {
    lines.push('Columns that no field is for can be kept too: add --create-attributes.')
  }
  return lines.join('\n')
}

const unknown = 'no field has this name'

function columnLines(columns: Opened['mapping']['columns']): string[] {
  const list = columnList(columns)
  const width = Math.min(40, Math.max(0, ...list.map(({ header }) => header.length)))
  const fields = Math.min(40, Math.max(0, ...list.map(({ field }) => field?.length ?? 0)))
  return list.map(({ header, field, why, more, samples }) => {
    if (field === null) return `  ${header.padEnd(width)}    ignored: ${why}`
    const kept = more ? `  (more values: ${more})` : ''
    const shown = samples.map((sample) => sample.replaceAll('\n', ' ')).join(' | ')
    return `  ${header.padEnd(width)} →  ${field.padEnd(fields)}  ${shown}${kept}`.trimEnd()
  })
}

function summary(
  file: string,
  outcome: FileResult,
  rejects: Rejected[],
  dryRun: boolean,
  seconds: number,
): string {
  if (outcome.isDone) {
    const { finished_at, created, updated } = outcome.before
    const options = outcome.isSame ? '' : ', with other options'
    return [
      `${file} was imported already (${finished_at}${options}): ${counted(created, 'lead')} created, ${count(updated)} updated.`,
      outcome.isSame
        ? 'Nothing was done. To import it again, add --again.'
        : 'Nothing was done. To import it once more, with the options of now, add --again. Add --upsert-by too, so that leads are changed and not created twice.',
    ].join('\n')
  }
  const { result, rejectedFile } = outcome
  const { created, updated, skipped, rejected } = result
  const would = dryRun ? 'would be ' : ''
  const lines = [
    `${counted(created + updated + skipped + rejected, 'row')} in ${seconds.toFixed(1)} s: ${count(created)} ${would}created, ${count(updated)} ${would}updated, ${count(skipped)} skipped (already there, or empty), ${count(rejected)} rejected.`,
  ]
  if (result.companies > 0) {
    lines.push(`${counted(result.companies, 'company', 'companies')} created for them.`)
  }
  const attributes = result.mapping.toMake.map(({ name }) => name)
  for (const [kind, names] of Object.entries({ ...result.made, attributes })) {
    const word = kind === 'status' ? 'statuses' : kind
    if (names.length > 0) lines.push(`New ${word}: ${some(names)}`)
  }
  if (result.strangers.size > 0) {
    const all = [...result.strangers].map(([name, rows]) => `${name} (${counted(rows, 'row')})`)
    lines.push(`Owners left out, because they are not members: ${some(all)}`)
  }
  if (result.lostRelations > 0) {
    lines.push(
      `${counted(result.lostRelations, 'relation')} left out, because their leads do not exist.`,
    )
  }
  for (const { row, reason } of rejects) lines.push(`  row ${count(row)}: ${reason}`)
  if (rejected > rejects.length) lines.push(`  … and ${count(rejected - rejects.length)} more`)
  if (rejected > 0 && !dryRun) {
    const them = rejected === 1 ? 'The rejected row is' : 'The rejected rows are'
    const command = nextCommand('import', 'leads', rejectedFile)
    lines.push(`${them} in ${rejectedFile}, with the reasons. Correct there, then: ${command}`)
  }
  if (dryRun) lines.push('This was a dry run: nothing was written.')
  if (!result.isComplete && !dryRun) {
    lines.push(`Stopped after row ${count(result.row)}. To continue, run the same command again.`)
  }
  return lines.join('\n')
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
