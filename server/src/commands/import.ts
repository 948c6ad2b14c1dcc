import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import {
  dateOrders,
  decimals,
  duplicateWays,
  encodings,
  type FileFormat,
  formatOfName,
  importFormats,
  unknownWays,
  upsertKeys,
} from '@rapport/contract/transfer'
import type { Config } from '../config.ts'
import { actorOf } from '../feed/author.ts'
import { ImportError, type NameOption } from '../resources/transfer/file/errors.ts'
import {
  type FileOptions,
  type FileResult,
  importFile,
} from '../resources/transfer/import/run/import-file.ts'
import type {
  ImportOptions,
  ImportResult,
  Opened,
} from '../resources/transfer/import/run/import-leads.ts'
import {
  readDecimal,
  readMap,
  readSeparator,
  readUpsertKey,
  readValue,
} from '../resources/transfer/import/run/options.ts'
import {
  addRejects,
  columnList,
  reportOf,
  type ShownReject,
} from '../resources/transfer/import/run/report.ts'
import { readDecidedRows } from '../resources/transfer/import/write/decided-rows.ts'
import { counted } from '../words.ts'
import { oneOf } from './checks.ts'
import { anySpace, chooseSpace } from './choose-space.ts'
import { CommandError, command, json, requireNoMore, UsageError, withDatabase } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { nextCommand } from './next-command.ts'
import { showProgress } from './progress.ts'

/** How many rejected rows are printed. All of them are in the file of rejected rows. */
const shownRejects = 10

export const importCommand = command({
  summary: 'Import leads from a CSV, NDJSON or XLSX file',
  help: `Usage: npm run rapport -- import leads <file.csv|file.xlsx|file.ndjson> [--space <name|id>] [options]

Exports from HubSpot, Salesforce, Pipedrive, LinkedIn, Outlook, Google, Apollo, Zoho and Close need
no options. Columns are matched by their header (field names, attribute names, and the usual names
in other systems and languages) and by their values. The import shows which column
goes into which field before it writes anything. Unmatched columns are ignored. Tags, lists
and statuses are looked up by name and created if missing. Owners are looked up by email or name.
The id in the other system is stored in an attribute. See docs/IMPORT.md.

Rejected rows are written to a file next to it (leads.csv: leads.rejected.csv), with
all reasons in the first column. Fix them there and import that file. If an import is
interrupted, run the same command again: it continues where it stopped.`,
  options: {
    space: anySpace,
    map: "'Header=field'… map a column to a field; #3 instead of the header means the third column. The field is a field of a lead, attribute:NAME, tags, lists, status, owners, notes, new for a new attribute (new:TYPE sets its type), or - to ignore the column",
    value:
      "'Header=Value=>Name'… what a value of a status column or a select attribute becomes: an existing status or option, + to create it, - to leave it empty, ! to reject its rows",
    unknown: `<way> other unknown statuses and options: ${unknownWays.join(', ')} (default: statuses are created, options rejected unless --create-attributes)`,
    list: '<name|id>… add every lead to this list',
    tag: '<name|id>… add this tag to every lead',
    'upsert-by': `<field> if a lead with the same value exists, update it instead of creating one: ${upsertKeys.join(', ')} (the id in the other system) or attribute:SLUG; an empty cell changes nothing`,
    'skip-existing': 'with --upsert-by: skip rows that match an existing lead',
    duplicates:
      '<way> what becomes of rows that look like an existing lead (same email, phone or LinkedIn profile): create (default), update or skip',
    'duplicate-rows': '<way=rows>… the same for single rows, such as skip=5,9-12',
    'create-attributes':
      'create an attribute for each unmatched column; its type is inferred from all values',
    'create-companies': 'create the company of each person, unless it exists',
    dates: `<order> ${dateOrders.join(', ')}: what comes first in dates such as 3/4/2026 (default: detected; required if a column is ambiguous)`,
    decimal: `<sign> ${decimals.join(' or ')}: the decimal separator (default: detected)`,
    'dry-run': 'report what would happen without writing anything',
    again: 'import a file that was already imported',
    encoding: `<name> ${encodings.join(', ')} (default: detected)`,
    separator: '<sign> separator of a CSV file: , ; tab … (default: detected)',
    format: `<name> ${importFormats.join(', ')} (default: by the extension of the file)`,
    sheet: '<name> sheet of an XLSX file (default: the first)',
    json,
  },

  async run({ values, positionals }, config) {
    const [what, file, ...more] = positionals
    if (what !== 'leads')
      throw new UsageError('Say what to import: npm run rapport -- import leads leads.csv')
    if (!file) {
      throw new UsageError('Missing the file to import: npm run rapport -- import leads leads.csv')
    }
    requireNoMore(more)
    const format = oneOf('--format', importFormats, values.format) ?? formatOf(file)
    if (values.sheet !== undefined && format !== 'xlsx') {
      throw new UsageError('--sheet is for XLSX files only.')
    }
    const options: Omit<ImportOptions, 'space' | 'format'> = {
      encoding: oneOf('--encoding', encodings, values.encoding),
      separator: usage(() => readSeparator(values.separator)),
      map: usage(() => values.map.map(readMap)),
      values: usage(() => values.value.map(readValue)),
      unknown: oneOf('--unknown', unknownWays, values.unknown),
      upsertBy: usage(() => readUpsertKey(values['upsert-by'])),
      skipExisting: values['skip-existing'],
      duplicates: oneOf('--duplicates', duplicateWays, values.duplicates),
      duplicateRows: usage(() => readDecidedRows(values['duplicate-rows'])),
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
    await importToDatabase(file, options, config, { ...values, format })
  },
})

interface DatabaseOptions extends Pick<FileOptions, 'again' | 'format' | 'sheet'> {
  space?: string | undefined
  json: boolean
}

async function importToDatabase(
  file: string,
  options: Omit<ImportOptions, 'space' | 'format'>,
  config: Config,
  { space, json, again, format, sheet }: DatabaseOptions,
): Promise<void> {
  const { size } = await stat(file).catch((error) => {
    throw new CommandError(`Cannot read ${file}: ${error.message}`)
  })
  const started = Date.now()
  const rejects: ShownReject[] = []
  const outcome = await withDatabase(config, (pool) =>
    untilInterrupted(async (signal) => {
      const { id_space } = await chooseSpace(pool, space)
      const progress = showProgress('KB', Math.ceil(size / 1000))
      try {
        return await importFile(
          pool,
          { ...options, space: id_space, signal },
          {
            ...{ file, again, format, sheet },
            onProgress: (bytes) => progress.at(Math.ceil(bytes / 1000)),
            onResume: (row) => console.error(`Continuing after row ${row.toLocaleString('en')}.`),
            // Before anything is written.
            opened: (opened) => {
              if (!json) console.log(openedText(file, opened))
            },
            done: (_state, rows) => addRejects(rejects, rows, shownRejects),
          },
        )
      } finally {
        progress.end()
      }
    }),
  ).catch((error) => {
    if (error.name === 'AbortError') throw new CommandError('Stopped. Nothing was written.')
    throw error instanceof ImportError
      ? new CommandError(`${file}: ${error.tell(onCommandLine)}`)
      : error
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

function formatOf(file: string): FileFormat {
  const format = formatOfName(file)
  if (format) return format
  const ending = extname(file).toLowerCase()
  throw new UsageError(
    ending === '.xls'
      ? 'Old Excel files are not supported. Save it as XLSX or CSV.'
      : `Unknown extension "${ending}". Add --format csv, ndjson or xlsx.`,
  )
}

/** upsert_by=email is --upsert-by email here; a flag has no value. */
const onCommandLine: NameOption = (option, value = 'true') => {
  if (option === 'once') return `--${value}`
  const name = `--${option.replaceAll('_', '-')}`
  if (value === 'true') return name
  return `${name} ${/^[\w:]+$/.test(value) ? value : `'${value}'`}`
}

function usage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ImportError ? new UsageError(error.tell(onCommandLine)) : error
  }
}

function asJson(outcome: FileResult, rejects: ShownReject[]) {
  if (outcome.isDone) {
    const { id: _, rejected_bytes: __, row_number: ___, options: ____, ...before } = outcome.before
    return { already_imported: true, same_options: outcome.isSame, ...before }
  }
  const { result, rejectedFile } = outcome
  return {
    already_imported: false,
    complete: result.isComplete,
    ...reportOf(result),
    rejected: result.rejected,
    rejected_file: result.rejected > 0 ? rejectedFile : null,
    rejected_rows: rejects,
    unknown_owners: Object.fromEntries(result.strangers),
  }
}

const count = (number: number) => number.toLocaleString('en')

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
    lines.push(`${counted(survey.otherLines, 'line')} before the header or after the rows skipped.`)
  }
  if (mapping.columns.some(({ target, why }) => target.kind === 'ignored' && why === unknown)) {
    lines.push('To keep unmatched columns as well, add --create-attributes.')
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
  rejects: ShownReject[],
  dryRun: boolean,
  seconds: number,
): string {
  if (outcome.isDone) {
    const { finished_at, created, updated } = outcome.before
    const options = outcome.isSame ? '' : ', with other options'
    return [
      `${file} was already imported (${finished_at}${options}): ${counted(created, 'lead')} created, ${count(updated)} updated.`,
      outcome.isSame
        ? 'Nothing was done. To import it again, add --again.'
        : 'Nothing was done. To import it again with the current options, add --again. Add --upsert-by too, so that leads are updated instead of created twice.',
    ].join('\n')
  }
  const { result, rejectedFile } = outcome
  const { created, updated, skipped, rejected } = result
  const would = dryRun ? 'would be ' : ''
  const lines = [
    `${counted(created + updated + skipped + rejected, 'row')} in ${seconds.toFixed(1)} s: ${count(created)} ${would}created, ${count(updated)} ${would}updated, ${count(skipped)} skipped (existing or empty), ${count(rejected)} rejected.`,
  ]
  if (result.unmatched > 0) {
    lines.push(`${counted(result.unmatched, 'row', 'rows')} without a value to find a lead by.`)
  }
  if (result.duplicates.rows > 0) {
    lines.push(
      `${counted(result.duplicates.rows, 'row')} with the email, phone number or LinkedIn profile of an existing lead (see --duplicates).`,
    )
  }
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
    lines.push(`Owners skipped because they are not members: ${some(all)}`)
  }
  if (result.lostRelations > 0) {
    lines.push(
      `${counted(result.lostRelations, 'relation')} skipped because their leads do not exist.`,
    )
  }
  lines.push(...unknownLines(result.unknownValues, dryRun))
  for (const { row, reason } of rejects) lines.push(`  row ${count(row)}: ${reason}`)
  if (rejected > rejects.length) lines.push(`  … and ${count(rejected - rejects.length)} more`)
  if (rejected > 0 && !dryRun) {
    const them = rejected === 1 ? 'The rejected row is' : 'The rejected rows are'
    const command = nextCommand('import', 'leads', rejectedFile)
    lines.push(`${them} in ${rejectedFile}, with the reasons. Fix them there, then run: ${command}`)
  }
  if (dryRun) lines.push('This was a dry run. Nothing was written.')
  if (!result.isComplete && !dryRun) {
    lines.push(`Stopped after row ${count(result.row)}. To continue, run the same command again.`)
  }
  return lines.join('\n')
}

/** A new status that resembles no existing one is expected. */
function unknownLines(values: ImportResult['unknownValues'], dryRun: boolean): string[] {
  const told = values.filter(({ nearest, field }) => dryRun || nearest || field !== 'status')
  const [first] = told
  if (!first) return []
  const lines = told.slice(0, shownRejects).map(({ header, value, rows, nearest }) => {
    const meant = nearest ? ` Did you mean "${nearest.name}"?` : ''
    return `Unknown in "${header}": "${value}" (${counted(rows, 'row')}).${meant}`
  })
  const more = told.length - lines.length
  if (more > 0) lines.push(`  … and ${count(more)} more`)
  const example = `${first.header}=${first.value}=>${first.nearest?.name ?? '+'}`
  return [...lines, `To say what becomes of a value, add --value '${example}' (see --help).`]
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
