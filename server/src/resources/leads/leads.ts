// Handlers for one lead: create, search, read, change, delete. Bulk operations are in leads.bulk.ts.
import { createHash } from 'node:crypto'
import {
  ApiError,
  badRequest,
  notFound,
  requestFault,
  unavailable,
  unknownRecord,
} from '@rapport/contract/errors'
import { createFields } from '@rapport/contract/leads/fields'
import { leadRelations, toldRelations } from '@rapport/contract/leads/relations'
import { leads as contract } from '@rapport/contract/leads/routes'
import { isOnCluster } from '../../db/distribute.ts'
import { isLostRace, type Pool, transaction } from '../../db/driver.ts'
import { sql } from '../../db/sql.ts'
import { type Call, Json, type Repeatable, resource } from '../../http/handler.ts'
import { isId, newId } from '../../ids.ts'
import { readValues } from '../references/attribute-values.ts'
import { selectAttributes } from '../references/attributes.ts'
import { type References, requireReferences } from '../references/references.ts'
import { markDeleted, pickLeads } from './leads.bulk.sql.ts'
import {
  addToList,
  moveToList,
  removeFromList,
  removeMany,
  track,
  updateMany,
} from './leads.bulk.ts'
import { planChange, unique } from './leads.change.ts'
import { changeCount } from './leads.count.sql.ts'
import { leadCondition } from './leads.filter.ts'
import { insertLead, type NewLead } from './leads.insert.sql.ts'
import { insertLeadInSteps } from './leads.insert.steps.sql.ts'
import { listLeads } from './leads.list.ts'
import { readCriteria, trim } from './leads.match.ts'
import { findLead, idIsTaken, selectLead } from './leads.sql.ts'
import { selectStats } from './leads.stats.sql.ts'
import { writtenColumns } from './leads.write.ts'

export const leads = resource(contract, {
  create: { handle: createLead, handleOnce: createLeadOnce },
  list: listLeads,

  async search(db, { space, body }) {
    const criteria = readCriteria(body)
    if (criteria.length === 0) {
      throw requestFault('required', 'Give at least one thing to search by')
    }
    const found = await findLead(db, space, criteria)
    if (found === undefined) throw notFound()
    return new Json(found)
  },

  async stats(db, { space, body }) {
    const { filter = {}, group_by: groupBy } = body
    const attribute = await dateAttribute(db, space, body)
    const condition = await leadCondition(db, space, filter, ['filter'])
    return new Json(await selectStats(db, space, { condition, filter, groupBy, attribute }))
  },

  updateMany,
  track,
  addToList,
  moveToList,
  removeFromList,

  get: oneLead,

  async update(db, call) {
    const { space, id, body, ifMatch } = call
    const count = await transaction(db, async (tx) => {
      const { apply } = await planChange(tx, space, body, [])
      const picked = await pickLeads(tx, space, sql`lead.id = ${id}`)
      if (picked.count > 0) {
        // The lead is locked: it stays as it is until the change is made.
        if (ifMatch !== undefined) requireState(await selectLead(tx, space, id), ifMatch)
        await apply(call, picked)
      }
      return picked.count
    })
    if (count === 0) throw notFound()
    return oneLead(db, call)
  },

  async remove(db, call) {
    const { space, id } = call
    const count = await transaction(db, async (tx) => {
      const picked = await pickLeads(tx, space, sql`lead.id = ${id}`)
      if (picked.count > 0) {
        await markDeleted(tx, call, picked.ids)
        await changeCount(tx, space, -picked.count)
      }
      return picked.count
    })
    if (count === 0) throw notFound()
    return 'Lead deleted'
  },

  removeMany,
})

/** The attribute whose months are the groups of the numbers. */
async function dateAttribute(
  db: Pool,
  space: string,
  { group_by, attribute }: Call<typeof contract.routes.stats>['body'],
): Promise<string | undefined> {
  if (attribute === undefined) return undefined
  const [found] = isId(attribute) ? await selectAttributes(db, space, [attribute]) : []
  if (!found) throw badRequest(unknownRecord(['attribute'], 'attribute'))
  if (found.type !== 'DATE') {
    const message = `${found.name} is of type ${found.type}, not DATE`
    throw badRequest({ path: ['attribute'], code: 'type', message })
  }
  return group_by === 'month' ? found.id : undefined
}

async function oneLead(db: Pool, { space, id, say }: Call): Promise<Json> {
  const json = await selectLead(db, space, id)
  if (json === undefined) throw notFound()
  say('ETag', etagOf(json))
  return new Json(json)
}

/** Names a state of the lead: another value, relation or attribute gives another text. */
function etagOf(lead: Buffer): string {
  return `"${createHash('sha1').update(lead).digest('base64url')}"`
}

/** `ifMatch` is one tag, several, or * for any. Proxies that compress mark a tag as weak. */
function requireState(lead: Buffer | undefined, ifMatch: string): void {
  const wanted = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (lead && (wanted.includes('*') || wanted.includes(etagOf(lead)))) return
  throw new ApiError('PRECONDITION_FAILED')
}

type CreateCall = Call<typeof contract.routes.create>

/** The fields of a new lead without the id, which clientId checks. */
const plainFields = createFields.filter((name) => name !== 'id')

async function createLead(db: Pool, call: CreateCall): Promise<Json> {
  const { space, body } = call
  const { lead, refs } = await planLead(db, call)
  const insert = (await isOnCluster(db)) ? insertLeadInSteps : insertLead
  for (let attempt = 0; attempt < 5; attempt++) {
    const relations = await addAttributes(db, space, lead, body.attributes)
    const row = await insert(db, call, lead).catch((error) => {
      if (!isLostRace(error)) throw error
      return undefined
    })
    if (row) return new Json(row)
    // A record that the lead refers to was missing. Throw an error that names it. If everything exists
    // now, it was created in between: retry.
    await requireReferences(db, space, [...refs, ...relations])
    if (body.id && (await idIsTaken(db, space, lead.id))) {
      throw badRequest({
        path: ['id'],
        code: 'taken',
        message: 'A lead with this id exists already',
      })
    }
  }
  throw unavailable()
}

async function createLeadOnce(
  db: Pool,
  call: CreateCall,
  request: Repeatable,
): Promise<string | undefined> {
  if (await isOnCluster(db)) return undefined
  const { lead } = await planLead(db, call)
  await addAttributes(db, call.space, lead, call.body.attributes)
  return insertLead(db, call, lead, request)
}

/** The new lead without its attributes, and the records that it refers to. */
async function planLead(
  db: Pool,
  { space, user, body }: CreateCall,
): Promise<{ lead: NewLead; refs: References[] }> {
  const refs = references(body)
  if (refs.some(({ ids }) => ![ids].flat().every(isId))) await requireReferences(db, space, refs)
  const named = (kind: string) =>
    unique(refs.filter((ref) => ref.kind === kind).flatMap(({ ids }) => ids))
  const owners = named('member')
  const lead: NewLead = {
    id: clientId(body.id) ?? newId(),
    isIdGiven: Boolean(body.id),
    fields: { ...writtenColumns(body, plainFields, []), usersId: user },
    lists: named('list'),
    status: named('status'),
    tags: named('tag'),
    owners: body.auto_assign_owner === false ? owners : unique([...owners, user]),
    company: newCompany(body),
    attributes: [],
    relations: [],
  }
  return { lead, refs }
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

function newCompany(body: CreateCall['body']): NewLead['company'] {
  const name = trim(body.company ?? '')
  if (!name || body.is_company || body.create_company_if_not_exists === false) return null
  const { company_avatar_url: avatar_url = null, company_linkedin_url: linkedin_url = null } = body
  return { id: newId(), name, avatar_url, linkedin_url }
}

/**
 * Checks the values against the current definitions and adds them to the lead. Returns the leads that
 * they refer to.
 */
async function addAttributes(
  db: Pool,
  space: string,
  lead: NewLead,
  attributes: Record<string, unknown> | undefined,
): Promise<References[]> {
  if (!attributes || Object.keys(attributes).length === 0) return []
  const definitions = await selectAttributes(db, space)
  const { values, relations } = readValues(definitions, attributes, ['attributes'])
  const set = Object.entries(values).filter(([, value]) => value !== null)
  lead.fields.attributes = Object.fromEntries(set)
  lead.attributes = definitions.filter(({ id }) => Object.hasOwn(values, id))
  lead.relations = unique(relations.map(({ id }) => id))
  return relations.map(({ id, path }) => ({ kind: 'lead', path, ids: id }))
}
