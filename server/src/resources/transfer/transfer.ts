// Import and export over HTTP.
import { requestFault } from '@rapport/contract/errors'
import { transfer as contract, type Encoding } from '@rapport/contract/transfer'
import type { Pool } from '../../db/driver.ts'
import { type Call, Download, resource } from '../../http/handler.ts'
import { exportLeads } from './export/export-leads.ts'
import { ImportError } from './file/errors.ts'
import {
  columnList,
  type ImportOptions,
  type ImportState,
  importLeads,
} from './import/import-leads.ts'
import { readMap, readSeparator } from './import/options.ts'

/** An answer lists at most this many rejected rows. It counts all of them. */
const maxRejected = 1000

export const transfer = resource(contract, {
  import: importBody,

  async export(db, { space, body: { filter = {}, format = 'csv' } }) {
    const { chunks } = await exportLeads(db, space, filter, format)
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
    return new Download(type, `leads.${format}`, chunks())
  },
})

type ImportCall = Call<typeof contract.routes.import>

async function importBody(db: Pool, call: ImportCall) {
  const rejected: { row: number; reason: string }[] = []
  let state: ImportState | undefined
  try {
    const options = readOptions(call)
    const result = await importLeads(db, call.upload.content, options, {
      done(after, rows) {
        state = after
        for (const { row, reason } of rows.slice(0, maxRejected - rejected.length)) {
          rejected.push({ row: row.number, reason })
        }
      },
    })
    const { created, updated, skipped, rejected: rejected_total } = result
    return {
      total: created + updated + skipped + rejected_total,
      ...{ created, updated, skipped, rejected_total, rejected },
      companies: result.companies,
      made: result.made,
      unknown_owners: [...result.strangers].map(([owner, rows]) => ({ owner, rows })),
      lost_relations: result.lostRelations,
      columns: columnList(result.columns).map(({ why = null, ...column }) => ({ ...column, why })),
      encoding: result.encoding,
      separator: result.separator,
      dry_run: options.dryRun,
    }
  } catch (error) {
    if (state && !call.query.dry_run) {
      const { row, created, updated } = state
      call.log.warn({ row, created, updated }, 'import broken off: the rows before stay')
    }
    if (error instanceof ImportError) throw requestFault('import', error.message)
    // The client is gone: nobody reads this, and nothing of ours is at fault.
    if ((error as Error).message === 'aborted') throw requestFault('aborted', 'The body broke off')
    throw error
  }
}

function readOptions({ space, user, query, upload, now, inTurn }: ImportCall): ImportOptions {
  const several = (value: string | string[] | undefined) => [value ?? []].flat()
  return {
    space,
    user,
    now: () => now,
    inTurn,
    format: upload.type === 'text/csv' ? 'csv' : 'ndjson',
    encoding: query.encoding ?? charsets.get(upload.charset?.toLowerCase() ?? ''),
    separator: readSeparator(query.separator),
    map: several(query.map).map(readMap),
    lists: several(query.list),
    tags: several(query.tag),
    upsertBy: query.upsert_by,
    createCompanies: query.create_companies === 'true',
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
