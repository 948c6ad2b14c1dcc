// POST /leads/deleted: the leads that can be restored, page after page.
import { notNext } from '@rapport/contract/errors'
import type { leads as contract } from '@rapport/contract/leads/routes'
import { pageSizes } from '@rapport/contract/shapes'
import { type Handler, Json } from '../../../http/handler.ts'
import { isId } from '../../../ids.ts'
import { deletedLeads, selectJson } from '../row/json.sql.ts'
import { type DeletedPlace, selectDeleted } from './deleted.sql.ts'
import { leadCondition } from './filter.ts'

export const listDeleted: Handler<typeof contract.routes.listDeleted> = async (db, call) => {
  const { space, now, body, settings } = call
  const { filter = {}, after, page_size: limit = pageSizes.otherwise } = body
  const condition = await leadCondition(db, { space, now }, filter, ['filter'])
  const place = after === undefined ? undefined : readPlace(after)
  const { rows, total } = await selectDeleted(db, space, condition, { after: place, limit })
  const ids = rows.map(({ id }) => id)
  const last = rows.length === limit ? rows.at(-1) : undefined
  const rest = {
    next: last ? `${last.at}/${last.id}` : null,
    total,
    kept_days: settings.deletedKeepMs === undefined ? null : settings.deletedKeepMs / dayMs,
  }
  const json = await selectJson(db, deletedLeads, space, ids)
  return new Json(
    Buffer.concat([
      Buffer.from('{"leads":'),
      json,
      Buffer.from(`,${JSON.stringify(rest).slice(1)}`),
    ]),
  )
}

const dayMs = 86_400_000
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** It has the time as well as the id: the lead may have been restored since. */
function readPlace(text: string): DeletedPlace {
  const [at = '', id] = text.split('/')
  if (time.test(at) && !Number.isNaN(Date.parse(at)) && isId(id)) return { at, id }
  throw notNext()
}
