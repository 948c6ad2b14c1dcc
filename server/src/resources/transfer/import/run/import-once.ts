// An import that is remembered by the content of its file: it continues where it was interrupted, says when
// the file was imported before, and keeps the rejected rows.
import { createHash } from 'node:crypto'
import type { Db, Pool } from '../../../../db/driver.ts'
import { newId } from '../../../../ids.ts'
import { ImportError } from '../../file/errors.ts'
import type { Input } from '../../file/spool.ts'
import { rowFormats } from '../rows/row-formats.ts'
import type { RejectedRow } from '../write/plan-batch.ts'
import {
  type ImportHooks,
  type ImportOptions,
  type ImportResult,
  type ImportState,
  importLeads,
} from './import-leads.ts'
import {
  forgetImport,
  openProgress,
  type ProgressRow,
  saveProgress,
  selectProgress,
} from './progress.sql.ts'

/** Where the rejected rows are kept. */
export interface Rejects {
  /** `isFresh`: the import is at its beginning. */
  open(id: string, header: Buffer, isFresh: boolean): Promise<void>
  /**
   * The rows of a batch up to this row, behind the bytes that are kept already. Returns how many more
   * there are then. Runs before the batch is kept, and may run again for the same batch.
   */
  write(tx: Db, id: string, lines: Buffer, row: number, bytes: number): Promise<number>
  close?(): Promise<void>
}

/** Told what is in the file, before anything is written, and each batch that is in. */
export interface OnceOptions extends Pick<ImportHooks, 'opened' | 'done'> {
  /** The name of the file. */
  file: string
  /** Also when it was imported before. */
  again: boolean
  /** With the options that the interrupted import had. */
  goOn?: boolean
  rejects: Rejects
  /** Told the row behind which it continues. */
  onResume?: ((row: number) => void) | undefined
}

export type OnceResult =
  /** The file was imported before; `isSame` says with the same options. */
  { isDone: true; before: ProgressRow; isSame: boolean } | { isDone: false; result: ImportResult }

export async function importOnce(
  pool: Pool,
  input: Input,
  given: ImportOptions,
  { file, again, goOn, rejects, onResume, ...told }: OnceOptions,
): Promise<OnceResult> {
  const { space, now } = given
  const fingerprint = await fingerprintOf(input)
  const [known] = again ? [] : await selectProgress(pool, space, fingerprint)
  const options = goOn && known ? { ...given, ...JSON.parse(known.options) } : given
  const asked = askedFor(options)
  const isSame = known?.options === asked
  if (known?.finished_at) return { isDone: true, before: known, isSame }
  if (known && known.row_number > 0 && !isSame && !options.dryRun) throw otherOptions(known)
  if (options.dryRun) {
    return { isDone: false, result: await importLeads(pool, input, options, told) }
  }

  // Made when the header is known to be good: a file that cannot be imported leaves nothing behind.
  let progress = known
  const id = known && isSame ? known.id : newId()
  let bytes = known?.rejected_bytes ?? 0
  let next = bytes
  let toLines = (_rejected: RejectedRow[]) => Buffer.alloc(0)
  if (known && known.row_number > 0) onResume?.(known.row_number)
  try {
    const result = await importLeads(pool, input, options, {
      start: { ...(known ?? noCounts), id, row: known?.row_number ?? 0 },
      async opened(opened, source) {
        await told.opened?.(opened, source)
        if (again || (known && !isSame)) await forgetImport(pool, space, { fingerprint })
        const entry = { id, fingerprint, file, options: asked }
        progress = isSame && known ? known : await openProgress(pool, space, entry, now())
        const { rejectedHeader, rejectedLine } = rowFormats[source.format]
        toLines = (rejected) =>
          Buffer.concat(
            rejected.map(({ row, reasons }) => rejectedLine(source, row, reasons.join('; '))),
          )
        await rejects.open(progress.id, rejectedHeader(source), progress.row_number === 0)
      },
      async keep(tx, after, rejected, before) {
        const { id } = progress as ProgressRow
        next = bytes
        if (rejected.length > 0) {
          next += await rejects.write(tx, id, toLines(rejected), after.row, bytes)
        }
        const row = progressRow(progress as ProgressRow, after, next, null)
        if (!(await saveProgress(tx, space, row, before.row, now()))) throw anotherProcess()
      },
      done(state, rejected) {
        bytes = next
        told.done?.(state, rejected)
      },
      async finish(tx, state) {
        const row = progressRow(progress as ProgressRow, state, bytes, now().toISOString())
        if (!(await saveProgress(tx, space, row, state.row, now()))) throw anotherProcess()
      },
    })
    return { isDone: false, result }
  } finally {
    await rejects.close?.()
  }
}

const noCounts = { created: 0, updated: 0, skipped: 0, rejected: 0 }

function otherOptions({ row_number }: ProgressRow): ImportError {
  return new ImportError(
    (name) =>
      `The import of this file was interrupted after row ${row_number} and had other options. To continue it, use the same options as before. To import the whole file with these options, add ${name('once', 'again')}. Rows that are already imported are then imported again.`,
  )
}

function anotherProcess(): ImportError {
  return new ImportError('Another process is importing this file.', 'import_running')
}

function progressRow(
  { id }: ProgressRow,
  { row, created, updated, skipped, rejected }: ImportState,
  rejected_bytes: number,
  finished_at: string | null,
) {
  return { id, row_number: row, created, updated, skipped, rejected, rejected_bytes, finished_at }
}

/** The same content is the same import, whatever is asked for. */
export async function fingerprintOf(input: Input): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of input.open()) hash.update(chunk)
  return hash.digest('hex')
}

function askedFor(options: ImportOptions): string {
  const { format, encoding, separator, map, upsertBy, lists, tags } = options
  const { createCompanies, createAttributes, dates, decimal } = options
  // Left out where it is not asked for: imports that began before it was there continue.
  const skipExisting = options.skipExisting || undefined
  const values = options.values.length > 0 ? options.values : undefined
  const { unknown, duplicates } = options
  const duplicateRows = options.duplicateRows?.length ? options.duplicateRows : undefined
  return JSON.stringify({
    ...{ format, encoding, separator, map, upsertBy, lists, tags },
    ...{ createCompanies, createAttributes, dates, decimal, skipExisting, values, unknown },
    ...{ duplicates, duplicateRows },
  })
}
