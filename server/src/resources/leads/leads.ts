// One lead: created, found, read, changed, deleted. What acts on many is in leads.bulk.ts.
import { isLostRace, type Pool, transaction } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import { badRequest, type Issue, notFound, requestFault, unavailable } from '../../http/errors.ts'
import { type Call, Json, resource } from '../../http/route.ts'
import { isId, newId } from '../../ids.ts'
import { selectAttributes } from '../attributes/attributes.sql.ts'
import { readValues } from '../attributes/attributes.values.ts'
import {
  addToList,
  changeLeads,
  deleteLeads,
  moveToList,
  removeFromList,
  removeMany,
  track,
  unique,
  updateMany,
} from './leads.bulk.ts'
import { routes } from './leads.contract.ts'
import { listLeads } from './leads.list.ts'
import { type NamedRefs, requireRefs } from './leads.refs.ts'
import { readCriteria, trim } from './leads.search.ts'
import { findLead, idIsTaken, insertLead, type NewLead, selectLead } from './leads.sql.ts'
import { plainFields } from './leads.write.ts'

export const leads = resource('Leads', routes, {
  create: createLead,
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

  updateMany,
  track,
  addToList,
  moveToList,
  removeFromList,

  get(db, { space, id }) {
    return oneLead(db, space, id)
  },

  async update(db, { space, id, body, now }) {
    const count = await transaction(db, (tx) =>
      changeLeads(tx, space, sql`lead.id = ${id}`, body, [], now),
    )
    if (count === 0) throw notFound()
    return oneLead(db, space, id)
  },

  async remove(db, { space, id, now }) {
    const condition = sql`lead.id = ${id}`
    const count = await transaction(db, (tx) => deleteLeads(tx, space, condition, now))
    if (count === 0) throw notFound()
    return 'Lead deleted'
  },

  removeMany,
})

async function oneLead(db: Pool, space: string, id: string): Promise<Json> {
  const json = await selectLead(db, space, id)
  if (json === undefined) throw notFound()
  return new Json(json)
}

type CreateCall = Call<typeof routes.create>

async function createLead(db: Pool, { space, user, body, now }: CreateCall): Promise<Json> {
  const refs = namedRefs(body)
  if (refs.some(({ ids }) => ![ids].flat().every(isId))) await requireRefs(db, space, refs)
  const named = (kind: string) =>
    unique(refs.filter((ref) => ref.kind === kind).flatMap(({ ids }) => ids))
  const owners = named('member')
  const lead: NewLead = {
    id: ownId(body.id) ?? newId(),
    fields: { ...plainFields(body, []), usersId: user },
    lists: named('list'),
    status: named('status'),
    tags: named('tag'),
    owners: body.auto_assign_owner === false ? owners : unique([...owners, user]),
    company: companyBeside(body),
    attributes: [],
    relations: [],
  }

  for (let attempt = 0; attempt < 5; attempt++) {
    const relations = await addAttributes(db, space, lead, body.attributes)
    const row = await insertLead(db, space, lead, now).catch((error) => {
      if (!isLostRace(error)) throw error
      return undefined
    })
    if (row) return new Json(row)
    // Something it refers to is missing. Say what; if it is all there now, it came meanwhile.
    await requireRefs(db, space, [...refs, ...relations])
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

function ownId(id: string | undefined): string | undefined {
  if (!id) return undefined
  if (!isId(id)) throw badRequest({ path: ['id'], code: 'format', message: 'Must be a UUID' })
  return id.toLowerCase()
}

function namedRefs(body: CreateCall['body']): NamedRefs[] {
  const refs = (
    kind: NamedRefs['kind'],
    field: 'lists' | 'id_list' | 'status' | 'tags' | 'owners',
  ) => {
    const ids = body[field]
    return ids ? [{ kind, path: [field] as Issue['path'], ids }] : []
  }
  return [
    ...refs('list', 'lists'),
    ...refs('list', 'id_list'),
    ...refs('status', 'status'),
    ...refs('tag', 'tags'),
    ...refs('member', 'owners'),
  ]
}

function companyBeside(body: CreateCall['body']): NewLead['company'] {
  const name = trim(body.company ?? '')
  if (!name || body.is_company || body.create_company_if_not_exists === false) return null
  const { company_avatar_url: avatar_url = null, company_linkedin_url: linkedin_url = null } = body
  return { id: newId(), name, avatar_url, linkedin_url }
}

/** Checks the values against the definitions of now; answers the leads that they name. */
async function addAttributes(
  db: Pool,
  space: string,
  lead: NewLead,
  attributes: Record<string, unknown> | undefined,
): Promise<NamedRefs[]> {
  if (!attributes || Object.keys(attributes).length === 0) return []
  const definitions = await selectAttributes(db, space)
  const { values, relations } = readValues(definitions, attributes, ['attributes'])
  const set = Object.entries(values).filter(([, value]) => value !== null)
  lead.fields.attributes = Object.fromEntries(set)
  lead.attributes = definitions.filter(({ id }) => Object.hasOwn(values, id))
  lead.relations = unique(relations.map(({ id }) => id))
  return relations.map(({ id, path }) => ({ kind: 'lead', path, ids: id }))
}
