// POST /lead. Leads of a workspace that arrive while others are being written are written together.
import { ApiError, badRequest, unavailable } from '@rapport/contract/errors'
import { createFields } from '@rapport/contract/leads/fields'
import { leadRelations, perRelation, toldRelations } from '@rapport/contract/leads/relations'
import type { leads as contract } from '@rapport/contract/leads/routes'
import { commitTogether, MaybeCommitted, NotCommitted } from '../../../db/commit-together.ts'
import { type Db, isLockTimeout, isLostRace, type Pool, sqlState } from '../../../db/driver.ts'
import { runAll } from '../../../db/sql.ts'
import { createGroups, type Piece } from '../../../groups.ts'
import type { Call, Outcome, Repeatable } from '../../../http/handler.ts'
import { answerBefore } from '../../../idempotency/idempotency.ts'
import { isId, newId } from '../../../ids.ts'
import { selectAttributes } from '../../../references/attributes.ts'
import { nowait, untilFree } from '../../../references/references.sql.ts'
import { type References, requireReferences } from '../../../references/references.ts'
import { readFollowed, unique } from '../change/change.ts'
import { writtenColumns } from '../change/written-columns.ts'
import { idIsTaken } from '../row/existing.sql.ts'
import { trim } from '../search/match.ts'
import { type Answered, type Order, writeOrders } from './create.sql.ts'

type CreateCall = Call<typeof contract.routes.create>

/** With a request, the response is stored in the transaction that writes the lead. */
export async function createLead(
  db: Pool,
  call: CreateCall,
  request?: Repeatable,
): Promise<Outcome> {
  try {
    return await create(db, call, request)
  } catch (error) {
    // A retry gets its first response, even if the request would be refused now.
    const isRefused = error instanceof ApiError && error.code === 'BAD_REQUEST'
    const before =
      isRefused && request && (await call.inTurn(() => answerBefore(db, request, call.now)))
    if (before) return before
    throw error
  }
}

async function create(
  db: Pool,
  call: CreateCall,
  request: Repeatable | undefined,
): Promise<Outcome> {
  const { order, refs } = await planLead(db, call, request)
  for (let attempt = 0; attempt < 5; attempt++) {
    const relations = await addAttributes(db, call, order)
    const answer = await writeTogether(db, call, order)
    if (answer) {
      const created = answer()
      if (created.like?.length) call.say('X-Duplicate-Of', created.like.join())
      return created
    }
    // If everything exists now, it was created in the meantime: retry.
    await call.inTurn(() => requireRight(db, order, [...refs, ...relations]))
  }
  throw unavailable()
}

/** Throws an error that names the record that was missing, or the id that was taken. */
async function requireRight(db: Pool, { by, id, isIdGiven }: Order, refs: References[]) {
  await requireReferences(db, by.space, refs)
  if (isIdGiven && (await idIsTaken(db, by.space, id))) {
    const message = 'A lead with this id already exists'
    throw badRequest({ path: ['id'], code: 'taken', message })
  }
}

interface NewPiece extends Piece {
  order: Order
}

type Groups = ReturnType<typeof createGroups<NewPiece, Answered>>

/** Two workspaces never share a group. */
const groupsOf = new WeakMap<Pool, Groups>()

function writeTogether(db: Pool, { inTurn }: CreateCall, order: Order): Promise<Answered> {
  const { id, isIdGiven, request, fields, by } = order
  let groups = groupsOf.get(db)
  if (!groups) {
    const patienceMs = lockLimitOf(db) / 100 || undefined
    groups = createGroups((space, pieces) => writeGroup(db, space, pieces), { patienceMs })
    groupsOf.set(db, groups)
  }
  const claims = [
    ...(isIdGiven ? [`id ${id}`] : []),
    ...(request ? [`key ${request.id_key} ${request.key}`] : []),
  ]
  return groups(by.space, { order, size: JSON.stringify(fields).length, claims, inTurn })
}

/** How long a request waits for a lock, in milliseconds. 0: no limit. */
const lockLimitOf = ({ options }: Pool) => Number(options.connection.lock_timeout ?? 0)

/**
 * When the group fails, each lead is written separately: others may be the reason. The next group does not wait
 * for that.
 */
async function writeGroup(
  db: Pool,
  space: string,
  pieces: NewPiece[],
): Promise<(Answered | Promise<Answered>)[]> {
  const orders = pieces.map(({ order }) => order)
  const isAlone = orders.length === 1
  const lockLimitMs = isAlone ? 0 : lockLimitOf(db) / 50
  const started = performance.now()
  try {
    const work = (tx: Db) => writeOrders(tx, space, orders, { wait: nowait, lockLimitMs })
    return await commitTogether(db, work)
  } catch (error) {
    const hasWaited = lockLimitOf(db) > 0 && performance.now() - started >= lockLimitOf(db)
    const mayHelp = error instanceof NotCommitted || isLockTimeout(error)
    // What has failed is unknown, but it has waited as long as it may.
    if (isAlone && hasWaited && error instanceof NotCommitted) throw unavailable()
    if (isAlone && (hasWaited || !mayHelp)) throw error
    return pieces.map(({ order, inTurn }) => {
      order.mayBeWritten ||= error instanceof MaybeCommitted
      return inTurn(() => writeAlone(db, order))
    })
  }
}

const uniqueViolation = '23505'

/** Waits for locks as long as a request may. */
async function writeAlone(db: Pool, order: Order): Promise<Answered> {
  try {
    return await db.begin(async (tx) => {
      const { space } = order.by
      const { statements, result } = await writeOrders(tx, space, [order], { wait: untilFree })
      await runAll(tx, statements)
      return result[0]
    })
  } catch (error) {
    if (!isLostRace(error) && sqlState(error) !== uniqueViolation) throw error
    return undefined
  }
}

/** The fields of a new lead without the id, which clientId checks. */
const plainFields = createFields.filter((name) => name !== 'id')

/** The new lead without its attributes, and the records that it refers to. */
async function planLead(
  db: Pool,
  { space, user, actor, now, body, inTurn }: CreateCall,
  request: Repeatable | undefined,
): Promise<{ order: Order; refs: References[] }> {
  const refs = references(body)
  if (refs.some(({ ids }) => ![ids].flat().every(isId))) {
    await inTurn(() => requireReferences(db, space, refs))
  }
  const named = (...fields: string[]) =>
    unique(refs.flatMap(({ path: [field], ids }) => (fields.includes(String(field)) ? ids : [])))
  const related = perRelation(toldRelations, (name) => named(name))
  const order: Order = {
    by: { space, actor, now },
    id: clientId(body.id) ?? newId(),
    isIdGiven: Boolean(body.id),
    mayBeWritten: false,
    fields: { ...writtenColumns(body, plainFields, []), usersId: user },
    ...related,
    lists: named('lists', 'id_list'),
    ...(body.auto_assign_owner !== false && { owners: unique([...related.owners, user]) }),
    company: newCompany(body),
    attributes: [],
    relations: [],
    request,
  }
  return { order, refs }
}

function clientId(id: string | undefined): string | undefined {
  if (!id) return undefined
  if (!isId(id)) throw badRequest({ path: ['id'], code: 'format', message: 'Must be a UUID' })
  return id.toLowerCase()
}

function references(body: CreateCall['body']): References[] {
  const fields = [
    ...toldRelations.map((name) => ({ field: name, kind: leadRelations[name].record })),
    { field: 'id_list' as const, kind: leadRelations.lists.record },
  ]
  return fields.flatMap(({ field, kind }) => {
    const ids = body[field]
    return ids ? [{ kind, path: [field], ids }] : []
  })
}

function newCompany(body: CreateCall['body']): Order['company'] {
  const name = trim(body.company ?? '')
  if (!name || body.is_company || body.create_company_if_not_exists === false) return null
  const { company_avatar_url: avatar_url = null, company_linkedin_url: linkedin_url = null } = body
  return { name, avatar_url, linkedin_url }
}

/**
 * Checks the values against the current definitions and adds them to the lead. Returns the leads that
 * they refer to.
 */
async function addAttributes(
  db: Pool,
  { space, body: { attributes }, inTurn }: CreateCall,
  order: Order,
): Promise<References[]> {
  if (!attributes || Object.keys(attributes).length === 0) return []
  const { definitions, values, references } = await inTurn(async () => {
    const definitions = await selectAttributes(db, space)
    return { definitions, ...(await readFollowed(db, space, definitions, attributes, [])) }
  })
  const set = Object.entries(values).filter(([, value]) => value !== null)
  order.fields.attributes = Object.fromEntries(set)
  order.attributes = definitions.filter(({ id }) => Object.hasOwn(values, id))
  order.relations = unique(references.map(({ ids }) => ids))
  return references
}
