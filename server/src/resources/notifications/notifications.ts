// Handlers of notifications. Each member has their own: the caller sees nobody else's.
import { notifications as contract, notificationLimits } from '@rapport/contract/notifications'
import { type Db, transaction } from '../../db/driver.ts'
import { wakeInboxes } from '../../feed/notify.sql.ts'
import { resource } from '../../http/handler.ts'
import { readAfter, readNumber } from '../../http/read-query.ts'
import { isId } from '../../ids.ts'
import { selectNames } from '../leads/row/existing.sql.ts'
import { followMerged } from '../leads/row/merged.sql.ts'
import { stateOf } from '../operations/state.ts'
import {
  countUnread,
  markRead,
  type NotificationRow,
  type Reader,
  selectNotifications,
  selectSettings,
  upsertSetting,
} from './notifications.sql.ts'
import { choicesOf, rowOf, zoneOf } from './settings.ts'

export const notifications = resource(contract, {
  async list(db, call) {
    const { query } = call
    const limit = readNumber('limit', query.limit, notificationLimits)
    const before = readAfter(query.after)
    const isUnread = query.unread === 'true'
    const rows = await selectNotifications(db, call, { isUnread, before, limit })
    return {
      notifications: await toNotifications(db, call, rows),
      next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
      unread: await countUnread(db, call),
    }
  },

  async read(db, call) {
    const { space, user, body, now } = call
    const { ids = [], up_to } = body
    const upTo = isId(up_to) ? up_to : undefined
    const count = await transaction(db, async (tx) => {
      const count = await markRead(tx, call, { ids: ids.filter(isId), upTo }, now)
      if (count > 0) await wakeInboxes(tx, space, [user])
      return count
    })
    return `${count} marked as read`
  },

  async settings(db, call) {
    const [row] = await selectSettings(db, call.space, [call.user])
    return { ...choicesOf(row), time_zone: await zoneOf(db, call) }
  },

  async changeSettings(db, call) {
    const { space, user, body } = call
    return transaction(db, async (tx) => {
      const [before] = await selectSettings(tx, space, [user])
      const kinds = { ...before?.kinds, ...body.kinds }
      const row = rowOf(user, { ...choicesOf(before), ...body, kinds })
      await upsertSetting(tx, space, row)
      return { ...choicesOf(row), time_zone: await zoneOf(tx, call) }
    })
  },
})

export async function toNotifications(
  db: Db,
  { space, now }: Pick<Reader, 'space'> & { now: Date },
  rows: NotificationRow[],
) {
  const told = rows.flatMap(({ id_lead }) => id_lead ?? [])
  const follow = await followMerged(db, space, [...new Set(told)])
  const names = new Map(
    (await selectNames(db, space, [...new Set(told.map(follow))])).map((lead) => [lead.id, lead]),
  )
  return rows.map(({ id_actor, id_lead, id_record, operation, ...told }) => ({
    ...told,
    actor: id_actor,
    lead: (id_lead && names.get(follow(id_lead))) || null,
    record: id_record,
    operation: operation && { kind: operation.kind, state: stateOf(operation, now) },
  }))
}
