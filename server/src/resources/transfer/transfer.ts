// Import and export over HTTP.
import { requestFault } from '@rapport/contract/errors'
import { transfer as contract, type Encoding } from '@rapport/contract/transfer'
import type { Pool } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import { type Call, Download, resource } from '../../http/handler.ts'
import { exportLeads } from './export/export-leads.ts'
import { ImportError } from './file/errors.ts'
import { type Spool, spool, spoolToFile } from './file/spool.ts'
import { separatorOfSheets, sheetToCsv } from './file/xlsx.ts'
import {
  columnList,
  type ImportOptions,
  type ImportState,
  importLeads,
} from './import/import-leads.ts'
import { readDecimal, readMap, readSeparator, readUpsertKey } from './import/options.ts'

/** An answer lists at most this many rejected rows. It counts all of them. */
const maxRejected = 1000

export const transfer = resource(contract, {
  import: importBody,

  async export(db, call) {
    const { filter = {}, format = 'csv' } = call.body
    const { total, chunks } = await exportLeads(db, call.space, filter, format)
    await audit(db, call, 'leads.exported', { count: total, filter, format })
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
    return new Download(type, `leads.${format}`, chunks())
  },
})

type ImportCall = Call<typeof contract.routes.import>

async function importBody(db: Pool, call: ImportCall) {
  const rejected: { row: number; reason: string }[] = []
  let state: ImportState | undefined
  let input: Spool | undefined
  try {
    const options = readOptions(call)
    input = await receive(call)
    const result = await importLeads(db, input, options, {
      done(after, rows) {
        state = after
        for (const { row, reasons } of rows.slice(0, maxRejected - rejected.length)) {
          rejected.push({ row: row.number, reason: reasons.join('; ') })
        }
      },
    })
    const { created, updated, skipped, rejected: rejected_total, mapping } = result
    if (!options.dryRun) call.say('X-Operation-Id', result.id)
    return {
      system: mapping.system?.name ?? null,
      total: created + updated + skipped + rejected_total,
      ...{ created, updated, skipped, rejected_total, rejected },
      companies: result.companies,
      made: { ...result.made, attributes: mapping.toMake.map(({ name }) => name) },
      unknown_owners: [...result.strangers].map(([owner, rows]) => ({ owner, rows })),
      lost_relations: result.lostRelations,
      columns: columnList(result.columns),
      other_lines: result.survey.otherLines,
      encoding: result.encoding,
      separator: result.separator,
      dry_run: options.dryRun,
    }
  } catch (error) {
    if (state && !call.query.dry_run) {
      const { row, created, updated } = state
      call.log.warn({ row, created, updated }, 'import broken off: the rows before stay')
    }
    if (error instanceof ImportError) throw requestFault('import', inQuery(error.message))
    // The client has closed the connection: no one reads the answer.
    if ((error as Error).message === 'aborted') throw requestFault('aborted', 'The body broke off')
    throw error
  } finally {
    await input?.close()
  }
}

/** Messages name options as the command line has them: --upsert-by is upsert_by here. */
function inQuery(message: string): string {
  return message.replace(/--([a-z]+(?:-[a-z]+)*)/g, (_, name: string) => name.replaceAll('-', '_'))
}

const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The whole body, in a form that can be read twice. */
async function receive({ upload, query }: ImportCall): Promise<Spool> {
  if (upload.type !== workbook) return spool(upload.content)
  const file = await spoolToFile(upload.content)
  try {
    return await spool(sheetToCsv(file.path, query.sheet))
  } finally {
    await file.close()
  }
}

function readOptions({ space, actor, query, upload, now, inTurn }: ImportCall): ImportOptions {
  const several = (value: string | string[] | undefined) => [value ?? []].flat()
  return {
    space,
    actor: { ...actor, way: 'import' },
    now: () => now,
    inTurn,
    format: upload.type === 'application/x-ndjson' ? 'ndjson' : 'csv',
    ...(upload.type === workbook
      ? { encoding: 'utf-8', separator: separatorOfSheets }
      : {
          encoding: query.encoding ?? charsets.get(upload.charset?.toLowerCase() ?? ''),
          separator: readSeparator(query.separator),
        }),
    map: several(query.map).map(readMap),
    lists: several(query.list),
    tags: several(query.tag),
    upsertBy: readUpsertKey(query.upsert_by),
    createCompanies: query.create_companies === 'true',
    createAttributes: query.create_attributes === 'true',
    dates: query.dates,
    decimal: readDecimal(query.decimal),
    dryRun: query.dry_run === 'true',
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
