import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@rapport/contract/errors'
import { LeadFilter } from '@rapport/contract/leads/filter'
import { formatOfName, formats } from '@rapport/contract/transfer'
import { audit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import { validator } from '../http/validate.ts'
import { exportLeads } from '../resources/transfer/export/export-leads.ts'
import { counted } from '../words.ts'
import { oneOf } from './checks.ts'
import { anySpace, chooseSpace } from './choose-space.ts'
import { CommandError, command, requireNoMore, UsageError, withDatabase } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { showProgress } from './progress.ts'

const checkFilter = validator(LeadFilter)

export const exportCommand = command({
  summary: 'Export leads to CSV or NDJSON',
  help: `Usage: npm run rapport -- export leads [--space <name|id>] [options]

Writes all fields of the leads with their lists, statuses, tags, owners and attributes, oldest
first. "import leads" can read the result. NDJSON also has notes, reminders and whatever else the
leads need in another workspace. With --output, it writes a file, which appears once it
is complete. Otherwise, it writes to standard output (use: npm run -s rapport -- export leads).`,
  options: {
    space: anySpace,
    filter: `<json> the leads to export, as in POST /leads/list: '{"search": "byron"}' (default: all)`,
    format: `<name> ${formats.join(' or ')} (default: by the extension of the file, or csv)`,
    output: '<file> the file to write; only you can read it',
    raw: 'CSV only: write cells that a spreadsheet would run as a formula as they are. By default, they are prefixed with an apostrophe, which an import removes',
    json: 'print the number of leads as JSON; requires --output',
  },

  async run({ values, positionals }, config) {
    const [what, ...more] = positionals
    if (what !== 'leads')
      throw new UsageError('Say what to export: npm run rapport -- export leads')
    requireNoMore(more)
    const { output, json, raw } = values
    if (json && output === undefined) throw new UsageError('--json requires --output.')
    if (output === '') throw new UsageError('--output requires a file name.')
    const filter = readFilter(values.filter ?? '{}')
    const format =
      oneOf('--format', formats, values.format) ??
      (formatOfName(output ?? '') === 'ndjson' ? 'ndjson' : 'csv')

    const total = await withDatabase(config, (pool) =>
      untilInterrupted(async (signal) => {
        const { id_space: space } = await chooseSpace(pool, values.space)
        const now = new Date()
        const { total, chunks } = await exportLeads(pool, { space, now }, { filter, format, raw })
        const about = { count: total, filter, format }
        await audit(pool, authorOf('command', space, now), 'leads.exported', about)
        const progress = showProgress('leads', total)
        try {
          await write(Readable.from(chunks(progress.at)), output, signal)
        } finally {
          progress.end()
        }
        return total
      }),
    ).catch((error) => {
      throw error instanceof ApiError ? new CommandError(tell(error)) : error
    })
    if (output === undefined) return
    if (json) console.log(JSON.stringify({ leads: total, file: output, format }))
    else console.log(`Exported ${counted(total, 'lead')} to ${output}.`)
  },
})

function readFilter(text: string): LeadFilter {
  let filter: unknown
  try {
    filter = JSON.parse(text)
  } catch {
    throw new CommandError(
      `--filter is not valid JSON: ${text}\nQuote it: --filter '{"search": "byron"}'`,
    )
  }
  try {
    checkFilter(filter)
  } catch (error) {
    throw error instanceof ApiError ? new CommandError(tell(error)) : error
  }
  return filter as LeadFilter
}

function tell({ issues }: ApiError): string {
  return issues
    .map(({ path, message }) => {
      // The export has the filter among its options; the check of the filter does not.
      const place = path[0] === 'filter' ? path.slice(1) : path
      return ['--filter', ...place, message].join(': ')
    })
    .join('\n')
}

/** Writes to a temporary file first. When it is complete, it replaces the output file. */
async function write(
  content: Readable,
  output: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (output === undefined) {
    // The reader may close the pipe before the end, as `head` does.
    await pipeline(content, process.stdout, { signal, end: false }).catch((error) => {
      if (error.code !== 'EPIPE') throw stopped(error)
    })
    return
  }
  const draft = `${output}.part`
  try {
    // One that a crash has left may be readable by others.
    await rm(draft, { force: true })
    const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(content, file, { signal })
    await rename(draft, output)
  } catch (error) {
    await rm(draft, { force: true })
    throw stopped(error as NodeJS.ErrnoException)
  }
}

function stopped(error: NodeJS.ErrnoException): Error {
  if (error.name === 'AbortError') return new CommandError('Stopped. Nothing was written.')
  return error.syscall ? new CommandError(`Cannot write the output: ${error.message}`) : error
}
