// Concurrent requests that conflict: one function for each kind of conflict.
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import type { Answer } from '../test/http-client.ts'
import { Breach } from './torture.ts'

export interface Caller {
  members: string[]
  /** Returns a success, or a refusal because of a concurrent change. Anything else is a breach. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** For requests that must succeed. Returns the body. */
  done(method: string, path: string, body?: unknown): Promise<Answer['body']>
  make(path: string, body: object): Promise<string>
}

/** One round: it makes its records, sends conflicting requests at once, and checks the result. */
export type Scenario = (space: Caller, random: Random) => Promise<void>

export const scenarios: Record<string, Scenario> = {
  sameLead,
  oppositeMoves,
  listGoes,
  optionGoes,
  attributeGoes,
  tagAndStatusGo,
  leadGoes,
  oneCompany,
  sameId,
  sameSlug,
}

const times = <T>(count: number, work: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => work(index))

/** Starts them all at once, in a random order. */
async function atOnce(random: Random, work: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const order = work.map((start) => ({ start, at: random.next() })).sort((a, b) => a.at - b.at)
  return Promise.all(order.map(({ start }) => start()))
}

const makeLeads = (space: Caller, count: number, body: object = {}) =>
  Promise.all(times(count, () => space.make('/lead', body)))

/** Concurrent changes of one lead do not mix: fields that were written together stay together. */
async function sameLead(space: Caller, random: Random): Promise<void> {
  const list = await space.make('/lists', { name: 'Same' })
  const statuses = await Promise.all(
    times(4, (index) => space.make('/status', { name: `S${index}`, id_list: list })),
  )
  const [id = ''] = await makeLeads(space, 1)
  const writes = times(12, (index) => () => {
    const text = `writer ${index}`
    const change = {
      first_name: text,
      last_name: text,
      city: text,
      ...random.pick<object>([
        { status: [random.pick(statuses)] },
        { status_connect: [random.pick(statuses)] },
        { lists: [list], owners: [random.pick(space.members)] },
        { lists: [] },
      ]),
    }
    return random.chance(0.5)
      ? space.call('PATCH', `/lead/${id}`, change)
      : space.call('PATCH', '/leads/update-many', { data: change, filter: { leads: [id] } })
  })
  const answers = await atOnce(random, writes)
  if (answers.some(({ status }) => status !== 200))
    throw new Breach('The service refused a change of a lead')
  const lead = await space.done('GET', `/lead/${id}`)
  if (lead.first_name !== lead.last_name || lead.first_name !== lead.city) {
    throw new Breach(`Two changes got mixed: ${lead.first_name}, ${lead.last_name}, ${lead.city}`)
  }
}

/** Concurrent moves between three lists: in the end each lead is in exactly one of them. */
async function oppositeMoves(space: Caller, random: Random): Promise<void> {
  const names = ['Here', 'There', 'Elsewhere']
  const lists = await Promise.all(names.map((name) => space.make('/lists', { name })))
  const [here = ''] = lists
  const leads = await makeLeads(space, 12, { lists: [here] })
  const moves = times(12, (index) => () => {
    // Half of them start at the list with the leads, so that they compete for the same leads.
    const id_source = index % 2 ? here : random.pick(lists)
    const to = random.pick(lists.filter((list) => list !== id_source))
    const chosen = random.chance(0.7) ? leads : leads.filter(() => random.chance(0.5))
    return space.call('POST', `/lists/${to}/move-leads`, { id_source, filter: { leads: chosen } })
  })
  await atOnce(random, moves)
  for (const id of leads) {
    const { lists } = await space.done('GET', `/lead/${id}`)
    if (lists.length !== 1) throw new Breach(`A moved lead is in ${lists.length} lists`)
  }
}

/** A list is deleted while leads are put into it in every possible way. */
async function listGoes(space: Caller, random: Random): Promise<void> {
  const list = await space.make('/lists', { name: 'Goes' })
  const other = await space.make('/lists', { name: 'Stays' })
  const status = await space.make('/status', { name: 'Goes', id_list: list })
  const tag = await space.make('/tags', { name: 'Bound' })
  const leads = await makeLeads(space, 6, { lists: [other] })
  const filter = { leads }
  const change = (data: object) => () => space.call('PATCH', '/leads/update-many', { data, filter })
  await atOnce(random, [
    () => space.call('DELETE', `/lists/${list}`),
    () => space.call('POST', '/leads/add-list', { id_list: list, filter }),
    () => space.call('POST', `/lists/${list}/move-leads`, { id_source: other, filter }),
    () => space.call('POST', `/lists/${other}/move-leads`, { id_source: list, filter }),
    () => space.call('POST', '/lead', { lists: [list] }),
    () => space.call('POST', '/lead', { status: [status] }),
    () => space.call('POST', '/status', { name: 'Late', id_list: list }),
    () => space.call('PATCH', `/tags/${tag}`, { id_list: list }),
    change({ lists_connect: [list] }),
    change({ status_connect: [status] }),
    change({ lists: [list, other] }),
    () => space.call('PATCH', `/lead/${leads[0]}`, { status: [status] }),
  ])
}

/** Options are deleted while leads get them as values. */
async function optionGoes(space: Caller, random: Random): Promise<void> {
  const { id, select_options } = await space.done('POST', '/attributes', {
    type: 'SELECT',
    name: `Option ${random.between(0, 1e9)}`,
    isMultiSelect: random.chance(0.5),
    select_options: times(3, (index) => ({ name: `O${index}` })),
  })
  const [kept, gone, alsoGone] = select_options.map((option: { id: string }) => option.id)
  const leads = await makeLeads(space, 4, { attributes: { [id]: kept } })
  const set = (option: string) => () => {
    const attributes = { [id]: option }
    return random.pick([
      () => space.call('POST', '/lead', { attributes }),
      () => space.call('PATCH', `/lead/${random.pick(leads)}`, { attributes }),
      () => space.call('PATCH', '/leads/update-many', { data: { attributes }, filter: { leads } }),
    ])()
  }
  const keep = (options: string[]) => () =>
    space.call('PATCH', `/attributes/${id}`, {
      select_options: options.map((one) => ({ id: one })),
    })
  await atOnce(random, [
    ...times(4, () => set(gone)),
    ...times(4, () => set(alsoGone)),
    keep([kept, alsoGone]),
    keep([kept]),
  ])
}

/** An attribute that lists show is deleted while leads of the lists get values of it. */
async function attributeGoes(space: Caller, random: Random): Promise<void> {
  const id = await space.make('/attributes', {
    type: 'TEXT',
    name: `Goes ${random.between(0, 1e9)}`,
  })
  const lists = await Promise.all(times(2, () => space.make('/lists', { name: 'Shows it' })))
  for (const list of lists) {
    await space.done('PATCH', `/lists/${list}`, { attribute_definitions_order: [id] })
  }
  const leads = await makeLeads(space, 4, { attributes: { [id]: 'before' } })
  const filter = { leads }
  const attributes = { [id]: 'value' }
  await atOnce(random, [
    () => space.call('DELETE', `/attributes/${id}`),
    () => space.call('POST', '/lead', { attributes }),
    () => space.call('POST', '/lead', { attributes, lists }),
    () => space.call('POST', '/lead', { attributes, lists: lists.toReversed() }),
    () => space.call('POST', '/leads/add-list', { id_list: random.pick(lists), filter }),
    ...leads.map((lead) => () => space.call('PATCH', `/lead/${lead}`, { attributes })),
    () => space.call('PATCH', '/leads/update-many', { data: { attributes, lists }, filter }),
  ])
}

/** A tag and a status are deleted while bulk changes connect them. */
async function tagAndStatusGo(space: Caller, random: Random): Promise<void> {
  const list = await space.make('/lists', { name: 'Pipeline' })
  const tag = await space.make('/tags', { name: 'Goes' })
  const [status, next] = [
    await space.make('/status', { name: 'Goes', id_list: list }),
    await space.make('/status', { name: 'Next', id_list: list }),
  ]
  const leads = await makeLeads(space, 6, { tags: [tag], status: [next] })
  const change = (data: object) => () => {
    const filter = random.chance(0.5) ? { lists: [list] } : { leads: [...leads].reverse() }
    return space.call('PATCH', '/leads/update-many', { data, filter })
  }
  await atOnce(random, [
    () => space.call('DELETE', `/tags/${tag}`),
    () => space.call('DELETE', `/status/${status}`),
    () => space.call('POST', '/lead', { tags: [tag], status: [status] }),
    ...[
      [status, next],
      [next, status],
    ].map(
      (order) => () =>
        space.call('PATCH', '/status', {
          status: order.map((id, at) => ({ id, order: at, leads_order: leads })),
        }),
    ),
    () => space.call('PATCH', `/tags/${tag}`, { id_list: list }),
    ...times(3, () => change({ tags_connect: [tag], status_connect: [status] })),
    ...times(2, () => change({ tags: [tag], status: [status] })),
    change({ tags_disconnect: [tag], status_disconnect: [status] }),
    change({ status_connect: [next] }),
  ])
}

/** Leads are deleted while notes, reminders and relations to them are created. */
async function leadGoes(space: Caller, random: Random): Promise<void> {
  const relation = await space.make('/attributes', { type: 'RELATION', name: 'Related' })
  const leads = await makeLeads(space, 4)
  const [id_lead = '', other = ''] = leads
  const attributes = { [relation]: id_lead }
  await atOnce(random, [
    () => space.call('DELETE', `/lead/${id_lead}`),
    () => space.call('POST', '/leads/delete', { filter: { leads: leads.slice(2) } }),
    ...times(3, () => () => space.call('POST', '/notes', { id_lead, content: 'Late' })),
    () => space.call('POST', '/reminders', { id_lead, name: 'Late', cron: '0 0 1 1 *' }),
    () => space.call('PATCH', `/lead/${other}`, { attributes }),
    () => space.call('POST', '/lead', { attributes }),
    () => space.call('POST', '/leads/track-leads', { filter: { leads } }),
    () => space.call('PATCH', `/lead/${id_lead}`, { city: 'Late' }),
  ])
  if ((await space.call('GET', `/lead/${id_lead}`)).status !== 404) {
    throw new Breach('A deleted lead can still be read')
  }
  await space.done('DELETE', `/attributes/${relation}`)
}

/** Several people of a new company are created at once: the company is created once. */
async function oneCompany(space: Caller, random: Random): Promise<void> {
  const name = `Company ${newId()}`
  const spellings = [name, name.toUpperCase(), ` ${name}`, `${name}\t`]
  const answers = await atOnce(
    random,
    times(10, () => () => space.call('POST', '/lead', { company: random.pick(spellings) })),
  )
  if (answers.some(({ status }) => status !== 200))
    throw new Breach('The service refused to create a person')
  const { leads } = await space.done('POST', '/leads/list', {
    filter: { search: name.split(' ')[1], is_company: true },
  })
  if (leads.length !== 1) throw new Breach(`${leads.length} companies have the same name`)
}

/** Several creations choose the same id: one succeeds. */
async function sameId(space: Caller, random: Random): Promise<void> {
  const id = newId()
  const answers = await atOnce(
    random,
    times(
      8,
      () => () => space.call('POST', '/lead', { id, first_name: 'Same', company: `Of ${id}` }),
    ),
  )
  const made = answers.filter(({ status }) => status === 200).length
  if (made !== 1) throw new Breach(`${made} of ${answers.length} leads got the same id`)
  if (!answers.every(({ status, body }) => status === 200 || body.issues[0]?.code === 'taken')) {
    throw new Breach('A taken id was refused for another reason')
  }
}

/** Attributes with one name are created at once: each gets its own slug. One slug is chosen once. */
async function sameSlug(space: Caller, random: Random): Promise<void> {
  const name = `Slug ${random.between(0, 1e9)}`
  const slug = `chosen_${random.between(0, 1e9)}`
  const answers = await atOnce(random, [
    ...times(5, () => () => space.call('POST', '/attributes', { type: 'TEXT', name })),
    ...times(
      3,
      () => () => space.call('POST', '/attributes', { type: 'TEXT', name: 'Chosen', slug }),
    ),
  ])
  const made = answers.filter(({ status }) => status === 200).map(({ body }) => body)
  const slugs = new Set(made.map((attribute) => attribute.slug))
  if (made.length !== 6 || slugs.size !== 6) {
    throw new Breach(`${made.length} of 6 attributes were created, with ${slugs.size} slugs`)
  }
  for (const { id } of made) await space.done('DELETE', `/attributes/${id}`)
}
