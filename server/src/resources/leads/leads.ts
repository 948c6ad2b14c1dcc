// Handlers for one lead: search, read, change, delete. The other routes have a folder each.
import { createHash } from 'node:crypto'
import {
  ApiError,
  badRequest,
  notFound,
  requestFault,
  unknownRecord,
} from '@rapport/contract/errors'
import { leads as contract } from '@rapport/contract/leads/routes'
import { type Pool, transaction } from '../../db/driver.ts'
import { sql } from '../../db/sql.ts'
import type { Scope } from '../../filter/compile.ts'
import { type Call, Json, resource } from '../../http/handler.ts'
import { isId } from '../../ids.ts'
import { selectAttributes } from '../../references/attributes.ts'
import {
  addToList,
  moveToList,
  removeFromList,
  removeMany,
  track,
  updateMany,
} from './bulk/bulk.ts'
import { planChange } from './change/change.ts'
import { markDeleted, pickLeads } from './change/pick.sql.ts'
import { createLead } from './create/create.ts'
import { listDeleted } from './list/deleted.ts'
import { isSelected, leadCondition } from './list/filter.ts'
import { listLeads } from './list/list.ts'
import { changeCount } from './row/count.sql.ts'
import { onLead } from './row/existing.sql.ts'
import { selectLead } from './row/json.sql.ts'
import { findLead } from './search/find.ts'
import { readCriteria } from './search/match.ts'
import { countNotes, type History, selectStageTimes } from './stats/history.sql.ts'
import { selectStats } from './stats/stats.sql.ts'

export const leads = resource(contract, {
  create: {
    handle: async (db, call) => new Json((await createLead(db, call)).body),
    handleOnce: createLead,
  },
  list: listLeads,

  search: {
    async handle(db, { space, body, inTurn }) {
      const criteria = readCriteria(body)
      if (criteria.length === 0) {
        throw requestFault('required', 'Send at least one criterion')
      }
      const found = await findLead(db, space, criteria, inTurn)
      if (found === undefined) throw notFound()
      return new Json(found)
    },
  },

  async stats(db, { space, now, body }) {
    const { filter = {}, group_by: groupBy } = body
    const attribute = await dateAttribute(db, space, body)
    const condition = await leadCondition(db, { space, now }, filter, ['filter'])
    return new Json(
      await selectStats(db, { space, now }, { condition, filter, groupBy, attribute }),
    )
  },

  stageTimes: async (db, { space, now, body }) => ({
    stages: await selectStageTimes(db, { space, now }, await historyOf(db, { space, now }, body)),
  }),

  noteCounts: async (db, { space, now, body }) => ({
    counts: await countNotes(db, { space, now }, await historyOf(db, { space, now }, body)),
  }),

  updateMany,
  track,
  addToList,
  moveToList,
  removeFromList,

  get: oneLead,

  async update(db, call) {
    const { space, body, ifMatch } = call
    const change = (id: string) =>
      transaction(db, async (tx) => {
        const { apply } = await planChange(tx, space, body, [])
        const picked = await pickLeads(tx, space, sql`lead.id = ${id}`)
        if (picked.count === 0) return undefined
        // The lead is locked: it cannot change before the change is made.
        if (ifMatch !== undefined) requireState(await selectLead(tx, space, id), ifMatch)
        await apply(call, picked)
        return id
      })
    const id = await onLead(db, space, call.id, change)
    if (id === undefined) throw notFound()
    return oneLead(db, { ...call, id })
  },

  async remove(db, call) {
    const { space } = call
    const remove = (id: string) =>
      transaction(db, async (tx) => {
        const picked = await pickLeads(tx, space, sql`lead.id = ${id}`)
        if (picked.count === 0) return undefined
        await markDeleted(tx, call, picked.ids)
        await changeCount(tx, space, -picked.count)
        return id
      })
    if ((await onLead(db, space, call.id, remove)) === undefined) throw notFound()
    return 'Lead deleted'
  },

  removeMany,
  listDeleted,
})

async function historyOf(
  db: Pool,
  scope: Scope,
  { filter = {}, ...period }: Call<typeof contract.routes.stageTimes>['body'],
): Promise<History> {
  const condition = await leadCondition(db, scope, filter, ['filter'])
  return { ...period, isSelected: isSelected(scope.space, filter, condition) }
}

/** The attribute whose months are the groups. */
async function dateAttribute(
  db: Pool,
  space: string,
  { group_by, attribute }: Call<typeof contract.routes.stats>['body'],
): Promise<string | undefined> {
  if (attribute === undefined) return undefined
  const [found] = isId(attribute) ? await selectAttributes(db, space, [attribute]) : []
  if (!found) throw badRequest(unknownRecord(['attribute'], 'attribute'))
  if (found.type !== 'DATE') {
    const message = `${found.name} has the type ${found.type}, not DATE`
    throw badRequest({ path: ['attribute'], code: 'type', message })
  }
  return group_by === 'month' ? found.id : undefined
}

async function oneLead(db: Pool, { space, id, say }: Call): Promise<Json> {
  const json = await onLead(db, space, id, (id) => selectLead(db, space, id))
  if (json === undefined) throw notFound()
  say('ETag', etagOf(json))
  return new Json(json)
}

/** Identifies a version of the lead: another value, relation or attribute gives another text. */
function etagOf(lead: Buffer): string {
  return `"${createHash('sha1').update(lead).digest('base64url')}"`
}

/** `ifMatch` is one tag, several, or * for any. Proxies that compress mark a tag as weak. */
function requireState(lead: Buffer | undefined, ifMatch: string): void {
  const wanted = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (lead && (wanted.includes('*') || wanted.includes(etagOf(lead)))) return
  throw new ApiError('PRECONDITION_FAILED')
}
