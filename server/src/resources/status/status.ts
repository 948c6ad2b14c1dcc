// Handlers of statuses. PATCH changes several statuses: all or none.
import { badRequest, type Issue, notFound, unknownRecord } from '@rapport/contract/errors'
import { status as contract } from '@rapport/contract/status'
import { transaction } from '../../db/driver.ts'
import { recordAllUpdated, recordCreated, recordDeleted } from '../../feed/record.sql.ts'
import { Json, resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { isId, newId } from '../../ids.ts'
import { requireList } from '../../references/lists.ts'
import { requireRoom } from '../../references/room.ts'
import { arrange } from '../leads/change/place.sql.ts'
import { selectLead } from '../leads/row/json.sql.ts'
import { followMerged } from '../leads/row/merged.sql.ts'
import { addReadyStages } from './ready.ts'
import { placeLead } from './status.place.ts'
import {
  deleteStatus,
  insertStatus,
  lockStatuses,
  type StatusChange,
  selectStatuses,
  toStatus,
  updateStatuses,
} from './status.sql.ts'

export const status = resource(contract, {
  async create(db, call) {
    const { space, body, now } = call
    const { name, color = '', success_rate = 0, ai_enabled = false, order, type = null } = body
    const row = { id: newId(), name, color, success_rate, ai_enabled, order, type }
    return transaction(db, async (tx) => {
      const id_list = await requireList(tx, space, body.id_list ?? null, ['id_list'])
      const status = toStatus(await insertStatus(tx, space, { ...row, id_list }, now))
      await requireRoom(tx, space, 'status')
      await recordCreated(tx, call, 'status', status)
      return status
    })
  },

  async createReady(db, call) {
    const { space, body } = call
    return transaction(db, async (tx) => {
      const id_list = await requireList(tx, space, body.id_list ?? null, ['id_list'])
      const stages = await addReadyStages(tx, call, id_list)
      await requireRoom(tx, space, 'status')
      return stages.map(toStatus)
    })
  },

  async update(db, call) {
    const { space, body, now } = call
    const fields = ['order', 'leads_order', 'success_rate', 'name', 'type', 'color'] as const
    const changes: StatusChange[] = body.status.map((entry) => ({
      ...pick(entry, fields),
      id: entry.id.toLowerCase(),
    }))
    const faults = idFaults(changes)
    if (faults.length > 0) throw badRequest(faults)
    if (changes.length > 0) {
      await transaction(db, async (tx) => {
        const ids = changes.map(({ id }) => id)
        const before = await lockStatuses(tx, space, ids)
        const known = new Set(before.map(({ id }) => id))
        const missing = ids.flatMap((id, index) => (known.has(id) ? [] : [unknown(index)]))
        if (missing.length > 0) throw badRequest(missing)
        const listed = changes.flatMap(({ leads_order }) => leads_order ?? [])
        const follow = await followMerged(tx, space, listed.filter(isText))
        for (const change of changes) {
          change.leads_order &&= change.leads_order.map((id) => (isText(id) ? follow(id) : id))
        }
        const after = await updateStatuses(tx, space, changes, now)
        await requireRoom(tx, space, 'status')
        await recordAllUpdated(tx, call, 'status', before, after)
        const arranged = changes.filter(({ leads_order }) => leads_order !== undefined)
        if (arranged.length > 0)
          await arrange(
            tx,
            space,
            arranged.map(({ id }) => id),
          )
      })
    }
    return `${changes.length} ${changes.length === 1 ? 'status' : 'statuses'} updated`
  },

  async list(db, { space }) {
    return (await selectStatuses(db, space)).map(toStatus)
  },

  async place(db, call) {
    const { space, id, body } = call
    const before = body.before?.toLowerCase() || undefined
    const lead = await transaction(db, (tx) =>
      placeLead(tx, call, { status: id, lead: body.id_lead.toLowerCase(), before }),
    )
    const json = await selectLead(db, space, lead)
    if (json === undefined) throw notFound()
    return new Json(json)
  },

  async remove(db, call) {
    await transaction(db, async (tx) => {
      const deleted = await deleteStatus(tx, call.space, call.id)
      if (!deleted) throw notFound()
      await recordDeleted(tx, call, 'status', deleted)
    })
    return 'Status deleted'
  },
})

const isText = (value: unknown) => typeof value === 'string'

const unknown = (index: number) => unknownRecord(['status', index, 'id'], 'status')

function idFaults(changes: StatusChange[]): Issue[] {
  const seen = new Set<string>()
  return changes.flatMap(({ id }, index): Issue[] => {
    if (!isId(id)) return [unknown(index)]
    if (seen.has(id)) {
      const message = 'This status is already in the array'
      return [{ path: ['status', index, 'id'], code: 'duplicate', message }]
    }
    seen.add(id)
    return []
  })
}
