// Handlers that change many leads. Each is one transaction: all or nothing. Each is recorded as an
// operation, so that it can be undone.

import type { Issue } from '@rapport/contract/errors'
import type { BulkData } from '@rapport/contract/leads/bulk'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { leads as contract } from '@rapport/contract/leads/routes'
import type { BulkKind } from '@rapport/contract/operations.values'
import { type Db, type Pool, transaction } from '../../../db/driver.ts'
import type { Author } from '../../../feed/author.ts'
import type { Call, Handler } from '../../../http/handler.ts'
import { beginOperation, endOperation } from '../../operations/store/operation.sql.ts'
import { requireMembers } from './owners.ts'
import { type Places, planBulk, runPlan } from './plan.ts'

type Routes = typeof contract.routes

/** Does the work and says in the headers which operation it is. */
async function perform<K extends BulkKind>(
  db: Pool,
  call: Pick<Call, 'space' | 'actor' | 'now' | 'say'>,
  kind: K,
  filter: LeadFilter,
  data: BulkData[K],
  places: Places,
): Promise<{ count: number; changed: number }> {
  const { id, ...counts } = await transaction(db, (tx) =>
    operate(tx, call, kind, filter, data, places),
  )
  call.say('X-Operation-Id', id)
  return counts
}

async function operate<K extends BulkKind>(
  tx: Db,
  { space, actor, now }: Author,
  kind: K,
  filter: LeadFilter,
  data: BulkData[K],
  places: Places,
): Promise<{ id: string; count: number; changed: number }> {
  const by = await beginOperation(tx, { space, actor, now }, kind, { filter, data })
  const plan = await planBulk(tx, by, kind, filter, data, places)
  const counts = await runPlan(tx, by, plan)
  await endOperation(tx, by, counts)
  return { id: by.operation.id, ...counts }
}

/** Gives all leads and open reminders of a member who is removed to others. Returns the id of the operation. */
export async function handOver(
  tx: Db,
  by: Author,
  from: string,
  owners: string[],
  path: Issue['path'],
): Promise<string> {
  await requireMembers(tx, by.space, owners, path, from)
  const data = { from, owners, reminders: true, member_removed: true }
  const { id } = await operate(tx, by, 'hand-over', {}, data, { data: [] })
  return id
}

export const updateMany: Handler<Routes['updateMany']> = async (db, call) => {
  const { data, filter } = call.body
  const { count } = await perform(db, call, 'update', filter, data, { data: ['data'] })
  return `${leads(count)} updated`
}

export const track: Handler<Routes['track']> = async (db, call) => {
  const { remove_tracking = false, filter } = call.body
  const { count } = await perform(db, call, 'track', filter, { remove_tracking }, { data: [] })
  return `${leads(count)} ${remove_tracking ? 'no longer tracked' : 'tracked'}`
}

export const addToList: Handler<Routes['addToList']> = async (db, call) => {
  const { id_list, filter } = call.body
  const { changed } = await perform(db, call, 'add-list', filter, { id_list }, { data: [] })
  return `${leads(changed)} added`
}

const listInPath: Places = { data: [], listIsInPath: true }

export const moveToList: Handler<Routes['moveToList']> = async (db, call) => {
  const { id_source, filter } = call.body
  const data = { id_list: call.id, id_source }
  const { count } = await perform(db, call, 'move-leads', filter, data, listInPath)
  return `${leads(count)} moved`
}

export const removeFromList: Handler<Routes['removeFromList']> = async (db, call) => {
  const data = { id_list: call.id }
  const { count } = await perform(db, call, 'remove-leads', call.body.filter, data, listInPath)
  return `${leads(count)} removed`
}

export const removeMany: Handler<Routes['removeMany']> = async (db, call) => {
  const { count } = await perform(db, call, 'delete', call.body.filter, {}, { data: [] })
  return `${leads(count)} deleted`
}

const leads = (count: number) => `${count} ${count === 1 ? 'lead' : 'leads'}`
