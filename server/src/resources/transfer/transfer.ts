// Import and export over HTTP.
import { notFound, requestFault } from '@rapport/contract/errors'
import type { BodyOf } from '@rapport/contract/route'
import { transfer as contract, fileFormats } from '@rapport/contract/transfer'
import type { Pool } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import { type Call, Download, resource } from '../../http/handler.ts'
import { validator } from '../../http/validate.ts'
import { exportLeads } from './export/export-leads.ts'
import { rejectedName } from './file/names.ts'
import { importBody } from './import/run/import-request.ts'
import { selectImport, selectImports } from './import/run/progress.sql.ts'
import { selectRejected } from './import/run/rejected.sql.ts'

type ExportRequest = BodyOf<typeof contract.routes.export>

export const transfer = resource(contract, {
  import: importBody,

  export: (db, call) => download(db, call, call.body),

  exportByLink: (db, call) => download(db, call, readRequest(call.query.request), call.query.name),

  imports: (db, { space }) => selectImports(db, space),

  async rejected(db, { space, id }) {
    const found = await selectImport(db, space, { id })
    if (!found) throw notFound()
    const name = rejectedName(found.file || 'import', found.format)
    return new Download(fileFormats[found.format].type, name, selectRejected(db, space, id))
  },
})

async function download(
  db: Pool,
  call: Pick<Call, 'space' | 'actor' | 'now'>,
  request: ExportRequest,
  name = 'leads',
): Promise<Download> {
  const { filter = {}, format = 'csv' } = request
  const { total, chunks } = await exportLeads(db, call, { ...request, filter, format })
  await audit(db, call, 'leads.exported', { count: total, filter, format })
  return new Download(fileFormats[format].type, `${name}.${format}`, chunks())
}

const checkExport = validator(contract.routes.export.body)

function readRequest(text: string): ExportRequest {
  let request: unknown
  try {
    request = JSON.parse(text)
  } catch {
    throw requestFault('json', 'request is not valid JSON')
  }
  checkExport(request)
  return request as ExportRequest
}
