import { beforeAll, describe, expect, test } from 'vitest'
import { writtenEvents } from '../../../test/events.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import { insertLead } from '../../../test/insert-lead.ts'
import { run } from '../../db/sql.ts'

const app = service()
let space: Workspace
let lead: string
beforeAll(async () => {
  space = await app.workspace()
  lead = await newLead(space)
})

const newLead = (by: Workspace) => insertLead(app, by)

const deleteLead = (id: string) => run(app.db)`update lead set is_deleted = true where id = ${id}`
const leadOf = async (id: string) =>
  (await space.post('/leads/list', { filter: { leads: [id] } })).body.leads[0]
const write = async (body: object, by = space) => (await by.post('/notes', body)).body
const contents = async (body: object, by = space) =>
  (await by.post('/notes/list', body)).body.map((note: { content: string }) => note.content)
const unknownId = '01920000-0000-7000-8000-0000000000ff'

describe('POST /notes', () => {
  test('returns the whole note', async () => {
    const { status, body } = await space.post('/notes', { id_lead: lead, content: ' Called. ' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      content: ' Called. ',
      created_at: app.clock.now.toISOString(),
      updated_at: app.clock.now.toISOString(),
      is_edited_at: null,
      is_pinned_at: null,
      thread_id: null,
      message_id: null,
      id_parent: null,
      id_lead: lead,
      id_space: space.id_space,
      is_deleted: false,
      is_edited: false,
      is_pinned: false,
      kind: 'note',
      happened_at: null,
      duration: null,
      outcome: null,
      id_author: space.owner,
      mentions: [],
    })
  })

  test('a call needs no text, and has a time, a duration and an outcome', async () => {
    const own = await newLead(space)
    const last = async () => (await leadOf(own)).last_interaction_at
    const now = app.clock.now.toISOString()
    const earlier = new Date(app.clock.now.getTime() - 86_400_000).toISOString()
    const call = await write({
      ...{ id_lead: own, kind: 'call', happened_at: earlier, duration: 20, outcome: 'no_answer' },
    })
    expect(call).toMatchObject({
      ...{ kind: 'call', content: '', happened_at: earlier, duration: 20, outcome: 'no_answer' },
    })
    expect(await last()).toBe(earlier)
    const meeting = await write({ id_lead: own, kind: 'meeting', content: 'On site' })
    expect(meeting).toMatchObject({ happened_at: now, duration: null, outcome: null })
    expect(await last()).toBe(now)
    app.clock.advance(1000)
    const later = app.clock.now.toISOString()
    const change = async (id: string, body: object) =>
      (await space.patch(`/notes/${id}`, body)).body
    expect(await change(meeting.id, { happened_at: later, outcome: 'held' })).toMatchObject({
      ...{ content: 'On site', happened_at: later, outcome: 'held', is_edited: false },
    })
    expect(await last()).toBe(later)
    // Details of one kind are not those of another.
    expect(await change(meeting.id, { kind: 'call', duration: 5 })).toMatchObject({
      ...{ kind: 'call', duration: 5, outcome: null },
    })
    expect(await change(meeting.id, { kind: 'note' })).toMatchObject({
      ...{ kind: 'note', happened_at: null, duration: null, outcome: null },
    })
    expect((await space.patch(`/notes/${call.id}`, { kind: 'note' })).body.issues).toMatchObject([
      { path: ['content'], code: 'required' },
    ])
  })

  test('mentions members of the workspace by their ids', async () => {
    const foreign = await app.workspace()
    const content = `<@${space.owner.toUpperCase()}> and <@${foreign.owner}> and <@${space.owner}>`
    const note = await write({ id_lead: lead, content })
    expect(note).toMatchObject({ content, mentions: [space.owner] })
    const { body } = await space.patch(`/notes/${note.id}`, { content: 'nobody' })
    expect(body.mentions).toEqual([])
  })

  test('sets last_interaction_at of the lead, but never back', async () => {
    const own = await newLead(space)
    const last = async () => (await leadOf(own)).last_interaction_at
    expect(await last()).toBeNull()
    await write({ id_lead: own, content: 'a' })
    const first = app.clock.now.toISOString()
    expect(await last()).toBe(first)
    app.clock.advance(-60_000)
    const reply = await write({
      id_parent: (await write({ id_lead: own, content: 'b' })).id,
      content: 'c',
    })
    expect(reply.id_lead).toBe(own)
    expect(await last()).toBe(first)
    app.clock.advance(120_000)
    await write({ id_lead: own, content: 'd' })
    expect(await last()).toBe(app.clock.now.toISOString())
  })

  test('a reply gets the lead and the thread of its parent, unless it has its own', async () => {
    const parent = await write({ id_lead: lead, thread_id: 't-1', content: 'a' })
    const place = async (body: object) => {
      const { id_lead, thread_id, id_parent } = await write({
        content: 'b',
        id_parent: parent.id,
        ...body,
      })
      return [id_lead, thread_id, id_parent]
    }
    const other = await newLead(space)
    expect(await place({})).toEqual([lead, 't-1', parent.id])
    expect(await place({ id_lead: '', thread_id: null })).toEqual([lead, 't-1', parent.id])
    expect(await place({ thread_id: 't-2' })).toEqual([lead, 't-2', parent.id])
    expect(await place({ id_lead: other.toUpperCase() })).toEqual([other, 't-1', parent.id])
  })

  test('a note with a thread needs no lead', async () => {
    expect(await write({ thread_id: 'only', content: 'a' })).toMatchObject({
      id_lead: null,
      thread_id: 'only',
    })
  })

  test.each([
    [{ id_lead: unknownId }, ['content'], 'required'],
    [{ thread_id: 't', content: ' \n' }, ['content'], 'pattern'],
    [{ thread_id: 't', content: null }, ['content'], 'type'],
    [{ content: 'a' }, ['id_lead'], 'required'],
    [{ content: 'a', id_lead: '', thread_id: '', id_parent: null }, ['id_lead'], 'required'],
    [{ content: 'a', id_lead: unknownId }, ['id_lead'], 'unknown_record'],
    [{ content: 'a', id_lead: 'nonsense' }, ['id_lead'], 'unknown_record'],
    [{ content: 'a', id_parent: unknownId }, ['id_parent'], 'unknown_record'],
    [{ content: 'a', id_parent: 'nonsense' }, ['id_parent'], 'unknown_record'],
    [{ content: 'a', thread_id: 't', kind: 'visit' }, ['kind'], 'enum'],
    [{ content: 'a', thread_id: 't', duration: 5 }, ['duration'], 'kind'],
    [{ kind: 'call', thread_id: 't', outcome: 'held' }, ['outcome'], 'enum'],
    [{ kind: 'call', thread_id: 't', duration: -1 }, ['duration'], 'minimum'],
    [
      { kind: 'call', thread_id: 't', happened_at: '2999-01-01T00:00:00Z' },
      ['happened_at'],
      'range',
    ],
  ])('refuses %j', async (body, path, code) => {
    const answer = await space.post('/notes', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toEqual([expect.objectContaining({ path, code })])
  })

  test('refuses leads and parents that are deleted or of another workspace, and writes nothing', async () => {
    const gone = await newLead(space)
    const onGone = await write({ id_lead: gone, content: 'a' })
    await deleteLead(gone)
    const deleted = await write({ id_lead: lead, content: 'a' })
    await space.remove(`/notes/${deleted.id}`)
    const foreign = await app.workspace()
    const foreignLead = await newLead(foreign)
    const foreignNote = await write({ id_lead: foreignLead, content: 'a' }, foreign)
    const count = async () => (await run(app.db)`select id from note`).length
    const before = await count()
    for (const [body, path] of [
      [{ id_lead: gone }, 'id_lead'],
      [{ id_lead: foreignLead }, 'id_lead'],
      [{ id_parent: deleted.id }, 'id_parent'],
      [{ id_parent: onGone.id }, 'id_parent'],
      [{ id_parent: foreignNote.id, id_lead: lead }, 'id_parent'],
    ] as const) {
      const answer = await space.post('/notes', { content: 'b', ...body })
      expect([answer.status, answer.body.issues[0].path]).toEqual([400, [path]])
    }
    expect(await count()).toBe(before)
  })

  test('many concurrent notes on one lead all succeed', async () => {
    const own = await newLead(space)
    const parent = await write({ id_lead: own, content: 'p' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        space.post('/notes', {
          content: 'x',
          ...(index % 2 ? { id_lead: own } : { id_parent: parent.id }),
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })
})

describe('POST /notes/list', () => {
  let own: Workspace
  let one: string
  beforeAll(async () => {
    own = await app.workspace()
    one = await newLead(own)
    const two = await newLead(own)
    for (const [content, body] of [
      ['1', { id_lead: one }],
      ['2', { id_lead: two, thread_id: 't' }],
      ['3', { id_lead: one, thread_id: 't' }],
      ['4', { thread_id: 'u' }],
    ] as const) {
      app.clock.advance(1000)
      await write({ content, ...body }, own)
    }
  })

  test.each<[string, () => object, string[]]>([
    ['all, newest first', () => ({}), ['4', '3', '2', '1']],
    ['the notes of a lead', () => ({ id_lead: one }), ['3', '1']],
    ['the notes of a thread', () => ({ thread_id: 't' }), ['3', '2']],
    ['the notes of both', () => ({ id_lead: one, thread_id: 't' }), ['3']],
    ['nothing for an unknown lead', () => ({ id_lead: unknownId }), []],
    ['nothing for text that is not an id', () => ({ id_lead: 'x' }), []],
    ['nothing for an empty id', () => ({ id_lead: '' }), []],
    ['nothing for an unknown thread', () => ({ thread_id: 'x' }), []],
    ['the first page', () => ({ pagination: { page: 1, page_size: 3 } }), ['4', '3', '2']],
    ['page 0 as page 1', () => ({ pagination: { page: 0, page_size: 3 } }), ['4', '3', '2']],
    ['the second page', () => ({ pagination: { page: 2, page_size: 3 } }), ['1']],
    ['a page beyond the last', () => ({ pagination: { page: 1e9, page_size: 1000 } }), []],
  ])('lists %s', async (_name, body, expected) => {
    expect(await contents(body(), own)).toEqual(expected)
  })

  test('works without a body', async () => {
    expect((await own.post('/notes/list')).body).toHaveLength(4)
  })

  test('orders notes of the same time by id, and returns 50 by default', async () => {
    const many = await app.workspace()
    await Promise.all(
      Array.from({ length: 53 }, () => write({ thread_id: 't', content: 'x' }, many)),
    )
    const first = (await many.post('/notes/list')).body.map((note: { id: string }) => note.id)
    const all = (await many.post('/notes/list', { pagination: { page_size: 1000 } })).body
    expect(first).toHaveLength(50)
    expect(all).toHaveLength(53)
    expect(all.map((note: { id: string }) => note.id).slice(0, 50)).toEqual(first)
    expect(first).toEqual([...first].sort())
  })

  test('leaves out deleted notes and notes of deleted leads', async () => {
    const third = await newLead(own)
    const { id } = await write({ id_lead: third, content: 'of third' }, own)
    await write({ id_parent: id, content: 'reply' }, own)
    await own.remove(`/notes/${id}`)
    expect(await contents({ id_lead: third }, own)).toEqual(['reply'])
    await deleteLead(third)
    expect(await contents({ id_lead: third }, own)).toEqual([])
    expect(await contents({}, own)).toEqual(['4', '3', '2', '1'])
  })

  test('shows nothing of another workspace', async () => {
    expect(await contents({ id_lead: one })).toEqual([])
    expect(await contents({ thread_id: 'u' })).toEqual([])
  })

  test.each([
    [{ pagination: { page: -1 } }, ['pagination', 'page']],
    [{ pagination: { page: 1.5 } }, ['pagination', 'page']],
    [{ pagination: { page_size: 0 } }, ['pagination', 'page_size']],
    [{ pagination: { page_size: 1001 } }, ['pagination', 'page_size']],
    [{ id_lead: 7 }, ['id_lead']],
  ])('refuses %j', async (body, path) => {
    const answer = await space.post('/notes/list', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toEqual(path)
  })
})

describe('PATCH /notes/{id}', () => {
  test('edits, pins and unpins, and changes nothing else', async () => {
    const note = await write({ id_lead: lead, content: 'draft' })
    app.clock.advance(1000)
    const at = app.clock.now.toISOString()
    const edited = await space.patch(`/notes/${note.id}`, { content: 'final' })
    const expected = {
      ...note,
      content: 'final',
      is_edited: true,
      is_edited_at: at,
      updated_at: at,
    }
    expect(edited.body).toEqual(expected)
    const pinned = await space.patch(`/notes/${note.id}`, { is_pinned: true })
    expect(pinned.body).toEqual({ ...expected, is_pinned: true, is_pinned_at: at })
    const unpinned = await space.patch(`/notes/${note.id}`, { is_pinned: false })
    expect(unpinned.body).toEqual(expected)
  })

  test('refuses blank content', async () => {
    const { id } = await write({ id_lead: lead, content: 'x' })
    expect((await space.patch(`/notes/${id}`, { content: ' ' })).body.issues[0].path).toEqual([
      'content',
    ])
  })

  test('does not find notes that are deleted, unknown or of another workspace', async () => {
    const gone = await newLead(space)
    const onGone = await write({ id_lead: gone, content: 'a' })
    await deleteLead(gone)
    const foreign = await app.workspace()
    const foreignNote = await write({ thread_id: 't', content: 'a' }, foreign)
    for (const id of [unknownId, 'nonsense', onGone.id, foreignNote.id]) {
      expect((await space.patch(`/notes/${id}`, { content: 'b' })).status).toBe(404)
      expect((await space.remove(`/notes/${id}`)).status).toBe(404)
    }
  })
})

test('DELETE /notes/{id} marks the note, and its replies stay', async () => {
  const { id } = await write({ thread_id: 'del', content: 'gone' })
  await write({ id_parent: id, content: 'stays' })
  expect(await space.remove(`/notes/${id}`)).toMatchObject({ status: 200, body: 'Note deleted' })
  expect(await contents({ thread_id: 'del' })).toEqual(['stays'])
  expect((await space.remove(`/notes/${id}`)).status).toBe(404)
  const [row] = await run(app.db)`select is_deleted from note where id = ${id}`
  expect(row?.is_deleted).toBe(true)
  expect((await space.patch(`/notes/${id}`, { is_pinned: true })).status).toBe(404)
  expect((await space.patch(`/notes/${id}`, { is_deleted: false })).body.content).toBe('gone')
  expect(await contents({ thread_id: 'del' })).toEqual(expect.arrayContaining(['stays', 'gone']))
})

test('the events of a note are in the history of its lead', async () => {
  const own = await app.workspace()
  const id_lead = await newLead(own)
  const { id } = await write({ id_lead, content: 'Called' }, own)
  await write({ thread_id: 'other', content: 'Elsewhere' }, own)
  await own.patch(`/notes/${id}`, { content: 'Called twice' })
  await own.remove(`/notes/${id}`)
  const events = await writtenEvents(app.db, own)
  expect(events).toMatchObject([
    { type: 'note.created', ids: [id], changed: { id_lead: [null, id_lead] } },
    { type: 'note.created', leads: [] },
    { type: 'note.updated', ids: [id], changed: { content: ['Called', 'Called twice'] } },
    { type: 'note.deleted', ids: [id] },
  ])
  const history = async () =>
    (await own.get(`/lead/${id_lead}/events`)).body.events.map(({ type }: { type: string }) => type)
  await expect.poll(history).toEqual(['note.deleted', 'note.updated', 'note.created'])
})

test('of two changes at the same time, the events have the order of the changes', async () => {
  const own = await app.workspace()
  const { id } = await write({ id_lead: await newLead(own), content: 'v0' }, own)
  const versions = Array.from({ length: 12 }, (_, index) => `v${index + 1}`)
  await Promise.all(versions.map((content) => own.patch(`/notes/${id}`, { content })))
  const events = await writtenEvents(app.db, own, 'note.updated')
  const steps = events.map(({ changed }) => changed?.content as [string, string])
  expect(steps.map(([before]) => before)).toEqual(
    ['v0', ...steps.map(([, after]) => after)].slice(0, -1),
  )
})
