// Whatever an operation did, an undo gives it back; whatever was changed after it, stays.
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'

const app = service()
let space: Workspace
let records: {
  tags: string[]
  lists: string[]
  status: string[]
  owners: string[]
  attribute: string
}
beforeAll(async () => {
  space = await app.workspace()
  const id = async (path: string, body: object) => (await space.post(path, body)).body.id as string
  const tags = [await id('/tags', { name: 'a' }), await id('/tags', { name: 'b' })]
  const lists = [await id('/lists', { name: 'a' }), await id('/lists', { name: 'b' })]
  const status = [
    await id('/status', { name: 'open', id_list: lists[0] }),
    await id('/status', { name: 'won', id_list: lists[0] }),
    await id('/status', { name: 'open', id_list: lists[1] }),
    await id('/status', { name: 'free' }),
  ]
  const owners = [space.owner, await app.member(space)]
  const attribute = await id('/attributes', { name: 'Size', type: 'TEXT' })
  records = { tags, lists, status, owners, attribute }
})

const some = <T>(values: () => T[]) =>
  fc.subarray([0, 1, 2, 3]).map((picks) => () => picks.flatMap((index) => values()[index] ?? []))

type Change = () => Record<string, unknown>

/** A change of fields, attributes and relations, as PATCH /lead/{id} and update-many take it. */
const change: fc.Arbitrary<Change> = fc
  .record(
    {
      city: fc.constantFrom('Rome', 'Oslo', null),
      phone: fc.constantFrom('1', '2', null),
      contract_value: fc.constantFrom(100, null),
      is_tracked: fc.boolean(),
      attribute: fc.constantFrom('small', 'large', null),
      tags: some(() => records.tags),
      tags_connect: some(() => records.tags),
      tags_disconnect: some(() => records.tags),
      lists: some(() => records.lists),
      lists_connect: some(() => records.lists),
      status: some(() => records.status),
      status_connect: some(() => records.status),
      status_disconnect: some(() => records.status),
      owners: some(() => records.owners),
      owners_disconnect: some(() => records.owners),
    },
    { requiredKeys: [] },
  )
  .map((parts) => () => {
    const { attribute, ...rest } = parts
    const body = Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [
        name,
        typeof value === 'function' ? value() : value,
      ]),
    )
    return {
      ...body,
      ...(attribute !== undefined && { attributes: { [records.attribute]: attribute } }),
    }
  })

interface Send {
  method: string
  path: string
  body: object
}

const operation: fc.Arbitrary<(filter: object) => Send> = fc.oneof(
  change.map((data) => (filter: object) => {
    return { method: 'PATCH', path: '/leads/update-many', body: { filter, data: data() } }
  }),
  fc.boolean().map((remove_tracking) => (filter: object) => {
    return { method: 'POST', path: '/leads/track-leads', body: { filter, remove_tracking } }
  }),
  fc.constantFrom(0, 1).map((index) => (filter: object) => {
    const id_list = records.lists[index]
    return { method: 'POST', path: '/leads/add-list', body: { filter, id_list } }
  }),
  fc.constantFrom(0, 1).map((index) => (filter: object) => {
    const [to, id_source] = [records.lists[index], records.lists[1 - index]]
    return { method: 'POST', path: `/lists/${to}/move-leads`, body: { filter, id_source } }
  }),
  fc.constantFrom(0, 1).map((index) => (filter: object) => {
    return { method: 'POST', path: `/lists/${records.lists[index]}/remove-leads`, body: { filter } }
  }),
  fc.constant((filter: object) => ({ method: 'POST', path: '/leads/delete', body: { filter } })),
  fc.constantFrom([0], [0, 1], [1, 0]).map((picks) => (filter: object) => {
    const owners = picks.map((index) => records.owners[index])
    return {
      method: 'POST',
      path: '/operations',
      body: { kind: 'distribute', filter, data: { owners } },
    }
  }),
  fc.constantFrom(0, 1).map((index) => (filter: object) => {
    const data = { from: records.owners[index], owners: [records.owners[1 - index]] }
    return { method: 'POST', path: '/operations', body: { kind: 'hand-over', filter, data } }
  }),
)

let batches = 0

async function makeLeads(changes: Change[]): Promise<{ ids: string[]; filter: object }> {
  const word = `round${batches++}x`
  const ids: string[] = []
  for (const change of changes) {
    const { id } = (await space.post('/lead', { last_name: word, auto_assign_owner: false })).body
    await space.patch(`/lead/${id}`, change())
    ids.push(id)
  }
  return { ids, filter: { search: word } }
}

type Fields = Record<string, unknown>

/** What a caller sees of each lead, as one flat object of values. Null: deleted. */
async function look(ids: string[]): Promise<(Fields | null)[]> {
  return Promise.all(
    ids.map(async (id) => {
      const { status, body } = await space.get(`/lead/${id}`)
      if (status === 404) return null
      const { updated_at: _, attributes, ...lead } = body
      const flat: Fields = { ...lead, size: attributes[records.attribute] ?? null }
      for (const name of ['tags', 'lists', 'owners', 'status']) delete flat[name]
      for (const name of ['tags', 'lists', 'owners'] as const) {
        const has = lead[name].map((record: { id: string }) => record.id)
        for (const id of records[name]) flat[`${name} ${id}`] = has.includes(id)
      }
      for (const list of [...records.lists, '']) {
        const found = lead.status.find((each: { id_list: string }) => each.id_list === list)
        flat[`status ${list}`] = found?.id ?? null
      }
      return flat
    }),
  )
}

async function operate({ method, path, body }: Send): Promise<string> {
  const confirm =
    path === '/operations'
      ? { confirm: (await space.post('/operations/preview', body)).body.confirm }
      : {}
  const { status, headers } = await space.call(method, path, { ...body, ...confirm })
  expect(status).toBe(200)
  return headers.get('x-operation-id') as string
}

const runs = { numRuns: 16, endOnFailure: true }

test('an operation and its undo change nothing, an undo of the undo is the operation', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      operation,
      async (leads, op) => {
        const { ids, filter } = await makeLeads(leads)
        const before = await look(ids)
        const id = await operate(op(filter))
        const after = await look(ids)
        const undo = await space.post(`/operations/${id}/undo`)
        expect(undo.body).toMatchObject({ state: 'done', kept: 0 })
        expect(await look(ids)).toEqual(before)
        const redo = await space.post(`/operations/${undo.body.id}/undo`)
        expect(redo.body).toMatchObject({ state: 'done', kept: 0 })
        expect(await look(ids)).toEqual(after)
      },
    ),
    runs,
  )
})

test('changes after the operation survive its undo', async () => {
  const edits = fc.array(fc.tuple(fc.nat(3), change), { minLength: 1, maxLength: 3 })
  const states = fc.array(change, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(states, operation, edits, async (leads, op, edits) => {
      const { ids, filter } = await makeLeads(leads)
      const before = await look(ids)
      const id = await operate(op(filter))
      const done = await look(ids)
      for (const [index, edit] of edits) {
        await space.patch(`/lead/${ids[index % ids.length]}`, edit())
      }
      const edited = await look(ids)
      await space.post(`/operations/${id}/undo`)
      const undone = await look(ids)
      for (const [index, lead] of undone.entries()) {
        const [was, set, later] = [before[index], done[index], edited[index]]
        if (!lead || !was || !set || !later) {
          expect(lead).toEqual(was)
          continue
        }
        for (const [name, value] of Object.entries(lead)) {
          if (JSON.stringify(later[name]) !== JSON.stringify(set[name])) {
            // Changed after the operation. A status goes with its list.
            const list = name.startsWith('status ') && later[`lists ${name.slice(7)}`]
            if (!name.startsWith('status ') || list)
              expect([name, value]).toEqual([name, later[name]])
          }
        }
      }
    }),
    runs,
  )
})

const mergeData = fc.record({
  survivor: fc.constantFrom('oldest', 'newest', 'fullest'),
  rule: fc.constantFrom('survivor', 'newest', 'longest'),
})

/** Merges them. Each had a note. */
async function mergeLeads(changes: Change[], data: object) {
  const { ids, filter } = await makeLeads(changes)
  for (const id_lead of ids) await space.post('/notes', { id_lead, content: id_lead })
  const before = await lookWithNotes(ids)
  const body = { kind: 'merge', filter, data }
  const id = await operate({ method: 'POST', path: '/operations', body })
  return { ids, before, id }
}

async function lookWithNotes(ids: string[]) {
  const leads = await look(ids)
  const notes = await Promise.all(ids.map((id_lead) => space.post('/notes/list', { id_lead })))
  const contents = notes.map(({ body }) => body.map((note: Fields) => note.content).sort())
  return leads.map((lead, index): Fields | null => lead && { ...lead, notes: contents[index] })
}

const several = fc.array(change, { minLength: 2, maxLength: 4 })

test('a merge and its undo change nothing, an undo of the undo is the merge', async () => {
  await fc.assert(
    fc.asyncProperty(several, mergeData, async (leads, data) => {
      const { ids, before, id } = await mergeLeads(leads, data)
      const after = await lookWithNotes(ids)
      expect(new Set(after.map((lead) => lead?.id)).size).toBe(1)
      expect(after[0]?.notes).toEqual([...ids].sort())
      const undo = await space.post(`/operations/${id}/undo`)
      expect(undo.body).toMatchObject({ state: 'done', kept: 0 })
      expect(await lookWithNotes(ids)).toEqual(before)
      const redo = await space.post(`/operations/${undo.body.id}/undo`)
      expect(redo.body).toMatchObject({ state: 'done', kept: 0 })
      expect(await lookWithNotes(ids)).toEqual(after)
    }),
    { ...runs, numRuns: 8 },
  )
})

test('changes after a merge survive its undo, and the others come back as they were', async () => {
  const edits = fc.array(fc.tuple(fc.nat(3), change), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(several, mergeData, edits, async (leads, data, edits) => {
      const { ids, before, id } = await mergeLeads(leads, data)
      const [set] = await look(ids)
      for (const [index, edit] of edits) {
        await space.patch(`/lead/${ids[index % ids.length]}`, edit())
      }
      const [later] = await look(ids)
      await space.post(`/operations/${id}/undo`)
      const undone = await lookWithNotes(ids)
      for (const [index, lead] of undone.entries()) {
        if (lead?.id !== set?.id) {
          expect(lead).toEqual(before[index])
          continue
        }
        for (const name of Object.keys(set as Fields)) {
          if (JSON.stringify(later?.[name]) === JSON.stringify(set?.[name])) continue
          const isGone = name.startsWith('status ') && !later?.[`lists ${name.slice(7)}`]
          if (!isGone) expect([name, lead?.[name]]).toEqual([name, later?.[name]])
        }
      }
    }),
    { ...runs, numRuns: 8 },
  )
})
