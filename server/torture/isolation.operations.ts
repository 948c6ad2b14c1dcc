// Operations in a workspace: each sends a request and makes the same change in the model.
import { newId } from '../src/ids.ts'
import type { Actor, Kind } from './isolation.actor.ts'
import {
  addToList,
  createLead,
  deleteLeads,
  listLeads,
  moveLeads,
  patchLead,
  removeFromList,
  search,
  track,
  updateMany,
} from './isolation.leads.ts'

type Operation = (actor: Actor) => Promise<void>

async function createStatus(actor: Actor): Promise<void> {
  const { model } = actor
  const [name, id_list] = [actor.text(), actor.random.chance(0.3) ? '' : actor.id('lists')]
  const faults = id_list === '' || model.lists.has(id_list) ? [] : ['id_list']
  const answer = await actor.act('POST', '/status', { name, id_list }, { faults })
  if (answer) model.status.set(answer.body.id, { name, list: id_list })
}

async function patchStatuses(actor: Actor): Promise<void> {
  const { model } = actor
  const status = actor.ids('status').map((id) => ({ id, name: actor.text() }))
  const faults = status.flatMap(({ id }, index) =>
    model.status.has(id) ? [] : [`status.${index}.id`],
  )
  if (!(await actor.act('PATCH', '/status', { status }, { faults }))) return
  for (const { id, name } of status) Object.assign(model.status.get(id) ?? {}, { name })
}

async function createOrPatchTag(actor: Actor): Promise<void> {
  const { model, random } = actor
  const name = actor.text()
  if (random.chance(0.5)) {
    const answer = await actor.act('POST', '/tags', { name })
    if (answer) model.tags.set(answer.body.id, { name, list: '' })
    return
  }
  const [id, id_list] = [actor.id('tags'), random.chance(0.3) ? '' : actor.id('lists')]
  const faults = id_list === '' || model.lists.has(id_list) ? [] : ['id_list']
  const missing = !model.tags.has(id)
  if (await actor.act('PATCH', `/tags/${id}`, { name, id_list }, { faults, missing })) {
    model.tags.set(id, { name, list: id_list })
  }
}

async function createOrPatchList(actor: Actor): Promise<void> {
  const { model, random } = actor
  const name = actor.text()
  const id = random.chance(0.5) ? actor.id('lists') : undefined
  const answer = id
    ? await actor.act('PATCH', `/lists/${id}`, { name }, { missing: !model.lists.has(id) })
    : await actor.act('POST', '/lists', { name })
  if (answer) model.lists.set(answer.body.id, { name })
}

async function createAttribute(actor: Actor): Promise<void> {
  const { model, random } = actor
  const type = random.pick(['TEXT', 'SELECT', 'SELECT', 'RELATION'] as const)
  const multi = type === 'SELECT' && random.chance(0.5)
  const select_options = [{ name: actor.text() }, { name: actor.text() }, { name: actor.text() }]
  const answer = await actor.act('POST', '/attributes', {
    type,
    name: actor.text(),
    ...(type === 'SELECT' && { isMultiSelect: multi, select_options }),
  })
  const options = answer?.body.select_options.map(({ id }: { id: string }) => id)
  if (answer) model.attributes.set(answer.body.id, { type, multi, options })
}

async function dropOption(actor: Actor): Promise<void> {
  const { model, random } = actor
  const selects = (whose: Actor) =>
    [...whose.model.attributes].filter(([, { type }]) => type === 'SELECT')
  const [id, { options }] = random.pick([
    ...selects(actor),
    ...selects(random.pick(actor.others)),
  ]) ?? [newId(), { options: [] }]
  const kept = options.filter(() => random.chance(0.6))
  const own = model.attributes.get(id)
  const foreign = random.chance(0.2)
    ? [actor.value(random.pick(selects(random.pick(actor.others)))?.[0] ?? '')]
    : []
  const select_options = [...new Set([...kept, ...foreign])].map((option) => ({ id: option }))
  const faults = select_options.flatMap((option, index) =>
    own?.options.includes(option.id) ? [] : [`select_options.${index}.id`],
  )
  const answer = await actor.act(
    'PATCH',
    `/attributes/${id}`,
    { select_options },
    own ? { faults } : { missing: true },
  )
  if (answer)
    model.keepOptions(
      id,
      select_options.map((option) => option.id),
    )
}

async function createNote(actor: Actor): Promise<void> {
  const { model, random } = actor
  const content = actor.text()
  const [lead, parent] = [
    random.chance(0.6) ? actor.id('leads') : '',
    random.chance(0.4) ? actor.id('notes') : '',
  ]
  const thread = random.chance(0.3) || (!lead && !parent) ? 'thread' : ''
  const faults = [
    ...(lead && !model.leads.has(lead) ? ['id_lead'] : []),
    ...(parent && !model.notes.has(parent) ? ['id_parent'] : []),
  ]
  const body = { content, id_lead: lead, id_parent: parent, thread_id: thread }
  const answer = await actor.act('POST', '/notes', body, { faults })
  const above = model.notes.get(parent)
  if (answer) {
    model.notes.set(answer.body.id, {
      content,
      lead: lead || above?.lead || '',
      thread: thread || above?.thread || '',
    })
  }
}

async function patchNote(actor: Actor): Promise<void> {
  const [id, content] = [actor.id('notes'), actor.text()]
  const note = actor.model.notes.get(id)
  const answer = await actor.act('PATCH', `/notes/${id}`, { content }, { missing: !note })
  if (answer && note) note.content = content
}

async function createOrPatchReminder(actor: Actor): Promise<void> {
  const { model, random } = actor
  const id = random.chance(0.5) ? actor.id('reminders') : undefined
  const before = id === undefined ? undefined : model.reminders.get(id)
  const [name, lead, users] = [
    actor.text(),
    random.chance(0.7) ? actor.id('leads') : '',
    actor.ids('members'),
  ]
  const faults = [
    ...(lead && !model.leads.has(lead) ? ['id_lead'] : []),
    ...users.flatMap((user, index) => (model.members.has(user) ? [] : [`users.${index}`])),
  ]
  const done = id !== undefined && random.chance(0.5)
  const body = { name, id_lead: lead, users, date: '2090-01-01T00:00:00Z' }
  const answer = id
    ? await actor.act(
        'PATCH',
        `/reminders/${id}`,
        { ...body, is_done: done },
        { faults: before ? faults : [], missing: !before },
      )
    : await actor.act('POST', '/reminders', body, { faults })
  if (answer) model.reminders.set(answer.body.id, { name, lead, done, users: [...users].sort() })
}

/** Deletes a record, often of another workspace. */
function remove(kind: Kind, path: string, forget: (actor: Actor, id: string) => void): Operation {
  return async (actor) => {
    const id = actor.id(kind, 0.5)
    const missing = !actor.model[kind].has(id)
    if (await actor.act('DELETE', `${path}/${id}`, undefined, { missing })) forget(actor, id)
  }
}

/** A deletion removes much else with it. So it is rare, unless there are many records. */
const rarely =
  (kind: Kind, operation: Operation, most: number): Operation =>
  async (actor) => {
    if (actor.model[kind].size > most || actor.random.chance(0.15)) await operation(actor)
  }

const deleting: Operation[] = [
  rarely(
    'leads',
    remove('leads', '/lead', ({ model }, id) => model.removeLeads([id])),
    60,
  ),
  rarely('leads', deleteLeads, 60),
  rarely(
    'lists',
    remove('lists', '/lists', ({ model }, id) => model.removeList(id)),
    6,
  ),
  rarely(
    'status',
    remove('status', '/status', ({ model }, id) => model.removeStatus(id)),
    10,
  ),
  rarely(
    'tags',
    remove('tags', '/tags', ({ model }, id) => model.removeTag(id)),
    6,
  ),
  rarely(
    'attributes',
    remove('attributes', '/attributes', ({ model }, id) => model.removeAttribute(id)),
    6,
  ),
  rarely(
    'notes',
    remove('notes', '/notes', ({ model }, id) => model.notes.delete(id)),
    30,
  ),
  rarely(
    'reminders',
    remove('reminders', '/reminders', ({ model }, id) => model.reminders.delete(id)),
    30,
  ),
]

const writing: Operation[] = [
  ...[createLead, createLead, createLead, createLead, patchLead, patchLead, updateMany, updateMany],
  ...[track, addToList, moveLeads, moveLeads, removeFromList, listLeads, listLeads, search],
  ...[
    createStatus,
    patchStatuses,
    createOrPatchTag,
    createOrPatchList,
    createAttribute,
    dropOption,
  ],
  ...[createNote, patchNote, createOrPatchReminder],
]

export const operations: Operation[] = [...writing, ...deleting]
