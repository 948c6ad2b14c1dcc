// The import of the body of a request.
import { errorBody, requestFault, unavailable } from '@rapport/contract/errors'
import {
  type transfer as contract,
  type Encoding,
  fileFormats,
  importFormats,
} from '@rapport/contract/transfer'
import type { ImportProgress } from '@rapport/contract/transfer.values'
import type { Pool } from '../../../../db/driver.ts'
import { toApiError } from '../../../../http/errors.ts'
import { type Call, EventStream } from '../../../../http/handler.ts'
import { createFairSemaphore } from '../../../../http/semaphore.ts'
import { ImportError } from '../../file/errors.ts'
import { readers } from '../../file/readers.ts'
import { type Input, type Spool, spool, spoolToFile } from '../../file/spool.ts'
import { readDecidedRows } from '../write/decided-rows.ts'
import {
  type ImportHooks,
  type ImportOptions,
  type ImportResult,
  type ImportState,
  importLeads,
} from './import-leads.ts'
import { fingerprintOf, importOnce } from './import-once.ts'
import { readDecimal, readMap, readSeparator, readUpsertKey, readValue } from './options.ts'
import { selectImport } from './progress.sql.ts'
import { headerRow, insertRejected } from './rejected.sql.ts'
import { addRejects, reportOf, type ShownReject } from './report.ts'
import { ProgressTeller } from './tell-progress.ts'

/** A response lists at most this many rejected rows. It counts all of them. */
const maxRejected = 1000

type ImportCall = Call<typeof contract.routes.import>

export async function importBody(db: Pool, call: ImportCall) {
  const options = await inWords(() => readOptions(call))
  const input = await inWords(() => receive(call, options.signal))
  if (call.query.progress !== 'true') {
    return importInput(db, call, input, options).finally(() => input.close())
  }
  const teller = new ProgressTeller()
  // Rows are read too, but by then their number says more.
  let isReading = true
  const told = countedInput(input, (bytes) => {
    if (isReading) teller.progress({ phase: 'reading', bytes })
  })
  call.inBackground(async (pool) => {
    try {
      const result = await importInput(pool, call, told, options, (progress) => {
        isReading = false
        teller.progress({ phase: 'importing', ...progress })
      })
      teller.end('result', result)
    } catch (error) {
      const fault = toApiError(error)
      // A client that has left stopped it.
      const isFailure = fault.status >= 500 && !options.signal?.aborted
      if (isFailure) call.log.error({ err: error }, 'import failed')
      teller.end('fault', { status: fault.status, ...errorBody(fault) })
    } finally {
      await input.close()
    }
  })
  return new EventStream(teller.events())
}

async function importInput(
  db: Pool,
  call: ImportCall,
  input: Input,
  options: ImportOptions,
  onProgress?: (progress: ImportProgress) => void,
) {
  const { space, query } = call
  const rejected: ShownReject[] = []
  let state: ImportState | undefined
  let rows = 0
  const hooks: Pick<ImportHooks, 'opened' | 'done'> = {
    opened({ survey }) {
      rows = survey.rows
      onProgress?.({ rows, done: 0, created: 0, updated: 0, skipped: 0, rejected: 0 })
    },
    done(after, refused) {
      state = after
      addRejects(rejected, refused, maxRejected)
      const { created, updated, skipped } = after
      const done = created + updated + skipped + after.rejected
      onProgress?.({ rows, done, created, updated, skipped, rejected: after.rejected })
    },
  }
  const run = async (): Promise<ImportResult> => {
    if (!query.once || options.dryRun) return importLeads(db, input, options, hooks)
    const outcome = await importOnce(db, input, options, {
      file: query.file ?? '',
      again: query.once === 'again',
      goOn: query.once === 'continue',
      rejects: {
        // Also when it continues: the command line may have begun it, with a file of its own.
        open: (id, header) => insertRejected(db, space, id, headerRow, header),
        async write(tx, id, lines, row) {
          await insertRejected(tx, space, id, row, lines)
          return lines.length
        },
      },
      ...hooks,
    })
    if (outcome.isDone) {
      throw new ImportError('This file was already imported. To import it again, send once=again.')
    }
    return outcome.result
  }
  try {
    const result = await inWords(run)
    // The service stops, or the caller has left: the import can continue later.
    if (!result.isComplete) throw unavailable()
    const before = options.columnsOnly
      ? await selectImport(db, space, { fingerprint: await fingerprintOf(input) })
      : undefined
    if (!options.dryRun && !onProgress) call.say('X-Operation-Id', result.id)
    return {
      id: options.dryRun ? null : result.id,
      rows: result.survey.rows,
      ...reportOf(result),
      unknown_owners: [...result.strangers].map(([owner, rows]) => ({ owner, rows })),
      rejected_total: result.rejected,
      rejected,
      dry_run: options.dryRun,
      before: before ?? null,
    }
  } catch (error) {
    if (state && !options.dryRun) {
      const { row, created, updated } = state
      call.log.warn({ row, created, updated }, 'import interrupted; rows already saved are kept')
    }
    throw error
  }
}

/** Faults of the file and of the options, as a caller reads them. */
async function inWords<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImportError) throw requestFault(error.code, error.message)
    // The service stops, or the caller has left. Nothing is written yet.
    if ((error as Error).name === 'AbortError') throw unavailable()
    // The client has closed the connection: no one reads the response.
    if ((error as Error).message === 'aborted')
      throw requestFault('aborted', 'The body is incomplete')
    throw error
  }
}

/** The same input. Tells how many bytes of it are read. */
function countedInput(input: Input, onBytes: (bytes: number) => void): Input {
  return {
    async *open() {
      let bytes = 0
      for await (const chunk of input.open()) {
        bytes += chunk.length
        onBytes(bytes)
        yield chunk
      }
    },
  }
}

/** How many workbooks are read at a time. Each holds its texts in memory. */
const workbooks = createFairSemaphore({ slots: 3, slotsPerSpace: 2 })

function readerOf({ upload }: ImportCall) {
  const format = importFormats.find((name) => fileFormats[name].type === upload.type)
  return readers[format ?? 'csv']
}

/** The whole body, in a form that can be read several times. */
async function receive(call: ImportCall, signal?: AbortSignal): Promise<Spool> {
  const { space, user, upload, query } = call
  const { text } = readerOf(call)
  if (!text) return spool(upload.content)
  const file = await spoolToFile(upload.content)
  try {
    const read = () => spool(text.read(file.handle, query.sheet, signal))
    return await workbooks({ space, key: user }, read)
  } finally {
    await file.close()
  }
}

function readOptions(call: ImportCall): ImportOptions {
  const { space, actor, query, upload, inTurn } = call
  const { rows, text } = readerOf(call)
  const several = (value: string | string[] | undefined) => [value ?? []].flat()
  const columnsOnly = query.columns_only === 'true'
  const dryRun = columnsOnly || query.dry_run === 'true'
  return {
    space,
    actor: { ...actor, way: 'import' },
    now: call.clock,
    inTurn,
    format: rows,
    ...(text?.form ?? {
      encoding: query.encoding ?? charsets.get(upload.charset?.toLowerCase() ?? ''),
      separator: readSeparator(query.separator),
    }),
    map: several(query.map).map(readMap),
    values: several(query.value).map(readValue),
    unknown: query.unknown,
    lists: several(query.list),
    tags: several(query.tag),
    upsertBy: readUpsertKey(query.upsert_by),
    skipExisting: query.skip_existing === 'true',
    duplicates: query.duplicates,
    duplicateRows: readDecidedRows(several(query.duplicate_rows)),
    createCompanies: query.create_companies === 'true',
    createAttributes: query.create_attributes === 'true',
    dates: query.dates,
    decimal: readDecimal(query.decimal),
    dryRun,
    columnsOnly,
    // What is remembered can continue later, and no one waits for a dry run. Everything else is finished
    // without its caller.
    ...((query.once || dryRun) && { signal: call.left() }),
  }
}

/** UTF-8 is what many clients say without looking: it is found out. */
const charsets = new Map<string, Encoding>([
  ['iso-8859-1', 'latin1'],
  ['windows-1252', 'latin1'],
  ['latin1', 'latin1'],
  ['utf-16', 'utf-16'],
  ['utf-16le', 'utf-16'],
])
