// Operations on leads: each sends a request and makes the same change in the model.
import type { Actor } from './isolation.actor.ts'
import type { Lead } from './isolation.model.ts'
import { Breach } from './torture.ts'

const isIn = (actor: Actor, list: string) => (id: string) =>
  (actor.model.leads.get(id) as Lead).lists.has(list)

export async function createLead(actor: Actor): Promise<void> {
  const { model, random, space } = actor
  // An id that is taken in another workspace is free in this one.
  const id = random.chance(0.15) ? { id: actor.id('leads', 0.2) } : {}
  const auto_assign_owner = random.chance(0.5)
  const change = actor.change()
  const taken = id.id !== undefined && model.taken.has(id.id) ? ['id'] : []
  const answer = await actor.act(
    'POST',
    '/lead',
    { ...change, ...id, auto_assign_owner },
    {
      faults: [...model.faults(change), ...taken],
    },
  )
  if (!answer) return
  if (id.id) actor.own(id.id)
  const company = model.companyBeside(change)
  model.addLead(answer.body.id, {
    ...change,
    owners: [...(change.owners ?? []), ...(auto_assign_owner ? [space.owner] : [])],
  })
  if (company !== undefined) await adoptCompany(actor, company)
}

/** Creating a person may create its company. It is the one that the model does not know yet. */
async function adoptCompany(actor: Actor, company: string): Promise<void> {
  const { body } = await actor.call('POST', '/leads/list', {
    filter: { is_company: true },
    pagination: { page_size: 1000 },
  })
  const news = body.leads.filter(({ id }: { id: string }) => !actor.model.leads.has(id))
  if (news.length !== 1 || news[0].company !== company) {
    throw new Breach(`${actor.label}: ${news.length} new companies for ${company}`)
  }
  actor.model.addLead(news[0].id, { company, is_company: true })
}

export async function patchLead(actor: Actor): Promise<void> {
  const id = actor.id('leads')
  const change = actor.relinked()
  const missing = !actor.model.leads.has(id)
  const faults = actor.model.faults(change)
  if (await actor.act('PATCH', `/lead/${id}`, change, { faults, missing }))
    actor.model.change([id], change)
}

export async function updateMany(actor: Actor): Promise<void> {
  const { model } = actor
  const [filter, data] = [actor.filter(), actor.relinked()]
  const faults = [...model.filterFaults(filter), ...model.faults(data, ['data'])]
  const answer = await actor.act('PATCH', '/leads/update-many', { filter, data }, { faults })
  if (!answer) return
  const ids = model.select(filter)
  actor.count(answer, ids.length)
  model.change(ids, data)
}

export async function track(actor: Actor): Promise<void> {
  const { model, random } = actor
  const [filter, remove_tracking] = [actor.filter(), random.chance(0.4)]
  const faults = model.filterFaults(filter)
  const answer = await actor.act(
    'POST',
    '/leads/track-leads',
    { filter, remove_tracking },
    { faults },
  )
  if (!answer) return
  const ids = model.select(filter)
  actor.count(answer, ids.length)
  for (const id of ids) (model.leads.get(id) as Lead).is_tracked = !remove_tracking
}

export async function addToList(actor: Actor): Promise<void> {
  const { model } = actor
  const [filter, id_list] = [actor.filter(), actor.id('lists')]
  const faults = [...model.filterFaults(filter), ...(model.lists.has(id_list) ? [] : ['id_list'])]
  const answer = await actor.act('POST', '/leads/add-list', { filter, id_list }, { faults })
  if (!answer) return
  const ids = model.select(filter)
  actor.count(answer, ids.filter((id) => !isIn(actor, id_list)(id)).length)
  model.change(ids, { id_list })
}

export async function moveLeads(actor: Actor): Promise<void> {
  const { model } = actor
  const [filter, list, id_source] = [actor.filter(), actor.id('lists'), actor.id('lists')]
  const faults = [
    ...model.filterFaults(filter),
    ...(model.lists.has(id_source) ? [] : ['id_source']),
  ]
  const missing = !model.lists.has(list)
  const answer = await actor.act(
    'POST',
    `/lists/${list}/move-leads`,
    { filter, id_source },
    { faults, missing },
  )
  if (!answer) return
  const ids = list === id_source ? [] : model.select(filter).filter(isIn(actor, id_source))
  actor.count(answer, ids.length)
  model.change(ids, { id_list: list })
  model.leave(ids, id_source)
}

export async function removeFromList(actor: Actor): Promise<void> {
  const { model } = actor
  const [filter, list] = [actor.filter(), actor.id('lists')]
  const expected = { faults: model.filterFaults(filter), missing: !model.lists.has(list) }
  const answer = await actor.act('POST', `/lists/${list}/remove-leads`, { filter }, expected)
  if (!answer) return
  const ids = model.select(filter).filter(isIn(actor, list))
  actor.count(answer, ids.length)
  model.leave(ids, list)
}

export async function deleteLeads(actor: Actor): Promise<void> {
  const { model } = actor
  // Few at a time, so that enough leads are left.
  const filter = { ...actor.filter(), leads: actor.ids('leads', model.leads.size > 60 ? 40 : 3) }
  const faults = model.filterFaults(filter)
  const answer = await actor.act('POST', '/leads/delete', { filter }, { faults })
  if (!answer) return
  const ids = model.select(filter)
  actor.count(answer, ids.length)
  model.removeLeads(ids)
}

export async function listLeads(actor: Actor): Promise<void> {
  const { model } = actor
  const filter = actor.filter()
  const body = { filter, pagination: { page_size: 1000 }, id_only: true }
  const answer = await actor.act('POST', '/leads/list', body, {
    faults: model.filterFaults(filter),
  })
  if (!answer) return
  const found = answer.body.leads.map(({ id }: { id: string }) => id)
  const expected = model.select(filter)
  if (found.sort().join() === expected.sort().join() && answer.body.total === expected.length)
    return
  throw new Breach(
    `${actor.label}: ${JSON.stringify(filter)} selects ${found}, expected is ${expected}`,
  )
}

/** Leads of every workspace have this email. The search finds the oldest one of the own workspace. */
export async function search(actor: Actor): Promise<void> {
  const [oldest] = [...actor.model.leads].find(([, { email }]) => email !== null) ?? []
  const criteria = { email: 'shared@example.com' }
  const answer = await actor.act('POST', '/leads/search', criteria, { missing: !oldest })
  if (answer && answer.body.id !== oldest) {
    throw new Breach(`${actor.label} found ${answer.body.id}, not ${oldest}`)
  }
}
