import type { SelectOption } from '@rapport/contract/attributes'
import { beforeAll, describe, expect, test } from 'vitest'
import { writtenEvents } from '../../../test/events.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import { expectLockWaits } from '../../../test/lock-waits.ts'
import { jsonb, run } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { lockAttributes, selectAttributes } from '../../references/attributes.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

const unknownId = '01920000-0000-7000-8000-0000000000ff'

const create = async (body: object, inside = space) => {
  const answer = await inside.post('/attributes', body)
  expect(answer.status).toBe(200)
  return answer.body
}

const find = async (id: string, inside = space) =>
  (await inside.get('/attributes')).body.find((row: { id: string }) => row.id === id)

const select = (isMultiSelect: boolean, ...names: string[]) =>
  create({
    type: 'SELECT',
    name: 'Choice',
    isMultiSelect,
    select_options: names.map((name) => ({ name })),
  })

async function insertLead(attributes: object, inside = space): Promise<string> {
  const id = newId()
  await run(app.db)`
    insert into lead (id_space, id, attributes, created_at)
    values (${inside.id_space}, ${id}, ${jsonb(attributes as never)}, ${app.clock.now})`
  return id
}

async function valuesOf(lead: string, inside = space) {
  const [row] = await run(app.db)`
    select attributes from lead where id_space = ${inside.id_space} and id = ${lead}`
  return row?.attributes
}

describe('POST and GET /attributes', () => {
  test('return the whole attribute with its options', async () => {
    const own = await app.workspace()
    const made = await create(
      {
        type: 'SELECT',
        name: 'Lead Source (old)',
        description: 'Where from',
        isMultiSelect: true,
        select_options: [{ name: 'Fair', color: '#f00', id: unknownId }, { name: 'Web' }],
      },
      own,
    )
    const [fair, web] = made.select_options.map(({ id }: SelectOption) => id)
    expect(made).toEqual({
      type: 'SELECT',
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      slug: 'lead_source_old',
      name: 'Lead Source (old)',
      description: 'Where from',
      created_at: app.clock.now.toISOString(),
      updated_at: app.clock.now.toISOString(),
      id_space: own.id_space,
      object_definitionsId: '',
      isMultiSelect: true,
      isSystem: false,
      attribute_definitions_select_options_order: [fair, web],
      currency: '',
      select_options: [
        { id: fair, name: 'Fair', color: '#f00' },
        { id: web, name: 'Web', color: '' },
      ],
    })
    expect(fair).not.toBe(unknownId)

    const budget = await create({ type: 'CURRENCY', name: 'Budget', currency: 'CHF' }, own)
    expect(budget).toMatchObject({ slug: 'budget', currency: 'CHF', select_options: [] })
    expect((await own.get('/attributes')).body).toEqual([made, budget])
  })

  test.each([
    ['Économie d’énergie', 'economie_d_energie'],
    ['  Ａ１ -- b_c!', 'a1_b_c'],
    ['日本', 'attribute'],
    ['x'.repeat(1000), 'x'.repeat(60)],
  ])('make the slug of %s from its ASCII words', async (name, slug) => {
    expect((await create({ type: 'TEXT', name }, await app.workspace())).slug).toBe(slug)
  })

  test('make slugs unique, also for concurrent requests', async () => {
    const own = await app.workspace()
    await create({ type: 'TEXT', name: 'Same', slug: 'same_3' }, own)
    const made = await Promise.all(
      Array.from({ length: 8 }, () => create({ type: 'TEXT', name: 'Same' }, own)),
    )
    expect(made.map(({ slug }) => slug).sort()).toEqual(
      ['same', ...[2, 4, 5, 6, 7, 8, 9].map((count) => `same_${count}`)].sort(),
    )
  })

  test('refuse a slug in use; another workspace may use it', async () => {
    const body = { type: 'TEXT', name: 'a', slug: 'Taken-1' }
    expect((await create(body)).slug).toBe('Taken-1')
    const answer = await space.post('/attributes', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toEqual([
      { path: ['slug'], code: 'duplicate', message: 'Another attribute has this slug' },
    ])
    await create(body, await app.workspace())
  })

  test.each([
    [{ name: 'a' }, ['type']],
    [{ type: 'TEXT' }, ['name']],
    [{ type: 'text', name: 'a' }, ['type']],
    [{ type: 'TEXT', name: ' ' }, ['name']],
    [{ type: 'TEXT', name: 'a', slug: '' }, ['slug']],
    [{ type: 'TEXT', name: 'a', slug: 'a b' }, ['slug']],
    [{ type: 'TEXT', name: 'a', slug: 'a\n' }, ['slug']],
    [{ type: 'TEXT', name: 'a', slug: 'a'.repeat(101) }, ['slug']],
    [{ type: 'TEXT', name: 'a', isMultiSelect: true }, ['isMultiSelect']],
    [{ type: 'NUMBER', name: 'a', currency: 'EUR' }, ['currency']],
    [{ type: 'CURRENCY', name: 'a', currency: 'euro' }, ['currency']],
    [{ type: 'TEXT', name: 'a', select_options: [] }, ['select_options']],
    [{ type: 'SELECT', name: 'a', select_options: [{}] }, ['select_options', 0, 'name']],
    [{ type: 'SELECT', name: 'a', select_options: [{ name: '' }] }, ['select_options', 0, 'name']],
  ])('refuse %j', async (body, path) => {
    const before = (await space.get('/attributes')).body
    const answer = await space.post('/attributes', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toEqual([expect.objectContaining({ path })])
    expect((await space.get('/attributes')).body).toEqual(before)
  })
})

describe('PATCH /attributes/{id}', () => {
  test('changes only what is sent, and returns exactly an attribute', async () => {
    const made = await create({ type: 'CURRENCY', name: 'Deal', description: 'd', currency: 'EUR' })
    app.clock.advance(1000)
    const changed = { name: 'Deal size', updated_at: app.clock.now.toISOString() }
    const { status, body } = await space.patch(`/attributes/${made.id.toUpperCase()}`, {
      name: 'Deal size',
      type: 'TEXT',
      isMultiSelect: true,
      isSystem: true,
    })
    const { currency, select_options, ...attribute } = made
    expect(status).toBe(200)
    expect(body).toEqual({ ...attribute, ...changed })
    expect(await find(made.id)).toEqual({ ...made, ...changed })

    const rest = { slug: 'deal-size', description: '', currency: 'USD' }
    await space.patch(`/attributes/${made.id}`, rest)
    expect(await find(made.id)).toEqual({ ...made, ...changed, ...rest })
    await space.patch(`/attributes/${made.id}`, { slug: 'deal-size', currency: '' })
    expect(await find(made.id)).toEqual({ ...made, ...changed, ...rest, currency: '' })
  })

  test('changes a system attribute too', async () => {
    const { id } = await create({ type: 'TEXT', name: 'System' })
    await run(app.db)`
      update attribute set is_system = true where id_space = ${space.id_space} and id = ${id}`
    const { body } = await space.patch(`/attributes/${id}`, { name: 'Renamed' })
    expect(body).toMatchObject({ name: 'Renamed', isSystem: true })
  })

  test('replaces the options and their order', async () => {
    const made = await create({
      type: 'SELECT',
      name: 'Stage',
      select_options: [
        { name: 'A', color: 'red' },
        { name: 'B', color: 'blue' },
        { name: 'C', color: 'green' },
      ],
    })
    const [a, , c] = made.select_options
    const { status, body } = await space.patch(`/attributes/${made.id}`, {
      select_options: [
        { id: c.id.toUpperCase() },
        { id: '', name: 'New', color: 'pink' },
        { id: a.id, name: 'A2' },
        { name: 'Plain' },
        { id: null, name: 'Plain' },
      ],
    })
    expect(status).toBe(200)
    const order = body.attribute_definitions_select_options_order
    expect(new Set(order).size).toBe(5)
    expect(order).toEqual([c.id, order[1], a.id, order[3], order[4]])
    const after = await find(made.id)
    expect(after.attribute_definitions_select_options_order).toEqual(order)
    expect(after.select_options).toEqual([
      c,
      { id: order[1], name: 'New', color: 'pink' },
      { id: a.id, name: 'A2', color: 'red' },
      { id: order[3], name: 'Plain', color: '' },
      { id: order[4], name: 'Plain', color: '' },
    ])

    await space.patch(`/attributes/${made.id}`, { name: 'Keeps its options' })
    expect((await find(made.id)).select_options).toEqual(after.select_options)
    await space.patch(`/attributes/${made.id}`, { select_options: [] })
    expect((await find(made.id)).select_options).toEqual([])
  })

  test('refuses options of another attribute and duplicate options, and changes nothing', async () => {
    const made = await select(false, 'A', 'B')
    const stranger = await select(false, 'A')
    const [a] = made.select_options
    const { status, body } = await space.patch(`/attributes/${made.id}`, {
      name: 'Changed',
      select_options: [
        { id: a.id, name: 'A' },
        { id: unknownId, name: 'X' },
        { id: 'nonsense' },
        { id: stranger.select_options[0].id, name: 'A' },
        { id: a.id.toUpperCase(), name: 'A' },
        { color: 'red' },
      ],
    })
    expect(status).toBe(400)
    expect(
      body.issues.map((i: { path: []; code: string }) => [...i.path.slice(1), i.code]),
    ).toEqual([
      [1, 'id', 'unknown_record'],
      [2, 'id', 'unknown_record'],
      [3, 'id', 'unknown_record'],
      [4, 'id', 'duplicate'],
      [5, 'name', 'required'],
    ])
    expect(await find(made.id)).toEqual(made)
  })

  test('refuses what an attribute of its type does not have', async () => {
    const { id } = await create({ type: 'TEXT', name: 'Text' })
    const { status, body } = await space.patch(`/attributes/${id}`, {
      currency: 'EUR',
      select_options: [],
    })
    expect(status).toBe(400)
    expect(body.issues).toEqual([
      {
        path: ['select_options'],
        code: 'kind',
        message: 'Only a SELECT attribute has options',
      },
      {
        path: ['currency'],
        code: 'kind',
        message: 'Only a CURRENCY attribute has a currency',
      },
    ])
  })

  test.each([
    [{ name: '' }, ['name']],
    [{ slug: '' }, ['slug']],
    [{ slug: 'ä' }, ['slug']],
    [{ description: null }, ['description']],
    [{ currency: 'XXX' }, ['currency']],
    [{ select_options: {} }, ['select_options']],
    [{ select_options: [{ name: ' ' }] }, ['select_options', 0, 'name']],
    [{ select_options: [{ name: 'a', color: 1 }] }, ['select_options', 0, 'color']],
  ])('refuses %j', async (body, path) => {
    const { id } = await select(false)
    const answer = await space.patch(`/attributes/${id}`, body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toEqual([expect.objectContaining({ path })])
  })

  test('refuses a slug in use, also for concurrent requests', async () => {
    const made = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map((name) => create({ type: 'TEXT', name })),
    )
    const answers = await Promise.all(
      made.map(({ id }) => space.patch(`/attributes/${id}`, { slug: 'wanted', name: 'Winner' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    const lost = answers.find(({ status }) => status === 400)
    expect(lost?.body.issues).toEqual([
      { path: ['slug'], code: 'duplicate', message: 'Another attribute has this slug' },
    ])
    const rows = (await space.get('/attributes')).body
    expect(rows.filter(({ name }: { name: string }) => name === 'Winner')).toHaveLength(1)
  })

  test.each([unknownId, 'nonsense'])('does not find %s', async (id) => {
    expect((await space.patch(`/attributes/${id}`, { name: 'x' })).status).toBe(404)
  })
})

describe('an option that is removed', () => {
  test('is removed from every lead that has it', async () => {
    const one = await select(false, 'A', 'B')
    const many = await select(true, 'A', 'B', 'C')
    const text = await create({ type: 'TEXT', name: 'Text' })
    const [oneA, oneB] = one.select_options.map(({ id }: SelectOption) => id)
    const [manyA, manyB, manyC] = many.select_options.map(({ id }: SelectOption) => id)
    const rest = { [text.id]: oneA }
    const all = await insertLead({ ...rest, [one.id]: oneA, [many.id]: [manyA, manyB, manyC] })
    const gone = await insertLead({ ...rest, [many.id]: [manyC, manyA] })
    const others = await insertLead({ ...rest, [one.id]: oneB, [many.id]: [manyB] })
    const none = await insertLead({})
    await run(app.db)`
      update lead set is_deleted = true where id_space = ${space.id_space} and id = ${gone}`

    await space.patch(`/attributes/${one.id}`, { select_options: [{ id: oneB }] })
    await space.patch(`/attributes/${many.id}`, { select_options: [{ name: 'D' }, { id: manyB }] })
    expect(await valuesOf(all)).toEqual({ ...rest, [many.id]: [manyB] })
    expect(await valuesOf(gone)).toEqual(rest)
    expect(await valuesOf(others)).toEqual({ ...rest, [one.id]: oneB, [many.id]: [manyB] })
    expect(await valuesOf(none)).toEqual({})
  })

  test('stays in the leads if the change is refused', async () => {
    const { id, select_options } = await select(false, 'A')
    const lead = await insertLead({ [id]: select_options[0].id })
    const taken = await create({ type: 'TEXT', name: 'Taken slug' })
    const { status } = await space.patch(`/attributes/${id}`, {
      select_options: [],
      slug: taken.slug,
    })
    expect(status).toBe(400)
    expect(await valuesOf(lead)).toEqual({ [id]: select_options[0].id })
  })
})

describe('DELETE /attributes/{id}', () => {
  test('removes the attribute for good, with its values', async () => {
    const { id, select_options } = await select(true, 'A')
    const text = await create({ type: 'TEXT', name: 'Stays' })
    const lead = await insertLead({ [id]: [select_options[0].id], [text.id]: 'x' })
    expect(await space.remove(`/attributes/${id}`)).toMatchObject({
      status: 200,
      body: 'Attribute deleted',
    })
    expect(await find(id)).toBeUndefined()
    expect(await valuesOf(lead)).toEqual({ [text.id]: 'x' })
    expect((await space.remove(`/attributes/${id}`)).status).toBe(404)
  })
})

test('another workspace neither sees an attribute nor changes it', async () => {
  const made = await select(false, 'A')
  const lead = await insertLead({ [made.id]: made.select_options[0].id })
  const stranger = await app.workspace()
  expect((await stranger.get('/attributes')).body).toEqual([])
  expect((await stranger.patch(`/attributes/${made.id}`, { name: 'Mine' })).status).toBe(404)
  expect((await stranger.remove(`/attributes/${made.id}`)).status).toBe(404)
  const theirs = await create({ type: 'SELECT', name: 'Choice' }, stranger)
  const { body } = await stranger.patch(`/attributes/${theirs.id}`, {
    select_options: [{ id: made.select_options[0].id, name: 'A' }],
  })
  expect(body.issues).toEqual([
    expect.objectContaining({ path: ['select_options', 0, 'id'], code: 'unknown_record' }),
  ])
  expect(await lockAttributes(app.db, stranger.id_space, [made.id])).toEqual([])
  expect(await find(made.id)).toEqual(made)
  expect(await valuesOf(lead)).toEqual({ [made.id]: made.select_options[0].id })
})

describe('lockAttributes', () => {
  test('returns the same as selectAttributes, for the ids that exist', async () => {
    const one = await select(false, 'A', 'B')
    const two = await create({ type: 'TEXT', name: 'Text' })
    await create({ type: 'TEXT', name: 'Not asked for' })
    const ids = [two.id, unknownId, one.id.toUpperCase(), 'nonsense', '__proto__']
    const rows = await lockAttributes(app.db, space.id_space, ids)
    expect(rows.map(({ id }) => id)).toEqual([one.id, two.id])
    const all = await selectAttributes(app.db, space.id_space)
    expect(rows).toEqual(all.filter(({ id }) => id === one.id || id === two.id))
    expect(await lockAttributes(app.db, space.id_space, ['nonsense'])).toEqual([])
  })
})

describe('concurrent requests', () => {
  /** Does the work in a transaction that stays open. Returns the function that commits it. */
  async function hold(work: (tx: typeof app.db) => Promise<unknown>) {
    let commit = () => {}
    const committing = new Promise<void>((resolve) => {
      commit = resolve
    })
    let done = Promise.resolve()
    await new Promise<void>((resolve, reject) => {
      done = app.db
        .begin(async (tx) => {
          await work(tx as unknown as typeof app.db)
          resolve()
          await committing
        })
        .then(() => {}, reject)
    })
    return async () => {
      commit()
      await done
    }
  }

  test('removing an option waits for a lead that is being written with it, and clears its value', async () => {
    const { id, select_options } = await select(true, 'A', 'B')
    const [a, b] = select_options.map((option: SelectOption) => option.id)
    const lead = newId()
    const commit = await hold(async (tx) => {
      await lockAttributes(tx, space.id_space, [id])
      await run(tx)`
        insert into lead (id_space, id, attributes, created_at)
        values (${space.id_space}, ${lead}, ${jsonb({ [id]: [a, b] })}, ${app.clock.now})`
    })
    const patch = space.patch(`/attributes/${id}`, { select_options: [{ id: b }] })
    await expectLockWaits(app.db, 1)
    await commit()
    expect((await patch).status).toBe(200)
    expect(await valuesOf(lead)).toEqual({ [id]: [b] })
  })

  test('a lead that waits for a change of options sees the new options', async () => {
    const { id, select_options } = await select(false, 'A', 'B')
    const [a, b] = select_options
    const lead = await insertLead({ [id]: a.id })
    // The lock on the lead stops the change in the middle, while the attribute is locked.
    const release = await hold(
      (tx) =>
        run(tx)`
        select id from lead where id_space = ${space.id_space} and id = ${lead} for update`,
    )
    const patch = space.patch(`/attributes/${id}`, {
      name: 'Later',
      select_options: [{ id: b.id }],
    })
    await expectLockWaits(app.db, 1)
    const locked = app.db.begin((tx) => lockAttributes(tx, space.id_space, [id]))
    await expectLockWaits(app.db, 2)
    await release()
    expect((await patch).status).toBe(200)
    expect(await locked).toMatchObject([{ id, name: 'Later', options: [b] }])
    expect(await valuesOf(lead)).toEqual({})
  })

  test('a lead that waits for the deletion of an attribute does not find it', async () => {
    const { id } = await create({ type: 'TEXT', name: 'Going' })
    const lead = await insertLead({ [id]: 'x' })
    const release = await hold(
      (tx) =>
        run(tx)`
        select id from lead where id_space = ${space.id_space} and id = ${lead} for update`,
    )
    const removal = space.remove(`/attributes/${id}`)
    await expectLockWaits(app.db, 1)
    const locked = app.db.begin((tx) => lockAttributes(tx, space.id_space, [id]))
    await expectLockWaits(app.db, 2)
    await release()
    expect((await removal).status).toBe(200)
    expect(await locked).toEqual([])
    expect(await valuesOf(lead)).toEqual({})
  })

  test('a concurrent change of the same lead is kept', async () => {
    const { id, select_options } = await select(true, 'A', 'B')
    const [a, b] = select_options.map((option: SelectOption) => option.id)
    const text = await create({ type: 'TEXT', name: 'Other' })
    const lead = await insertLead({ [id]: [a, b] })
    const commit = await hold(
      (tx) =>
        run(tx)`
        update lead set attributes = attributes || ${jsonb({ [text.id]: 'new' })}
        where id_space = ${space.id_space} and id = ${lead}`,
    )
    const patch = space.patch(`/attributes/${id}`, { select_options: [{ id: b }] })
    await expectLockWaits(app.db, 1)
    await commit()
    expect((await patch).status).toBe(200)
    expect(await valuesOf(lead)).toEqual({ [id]: [b], [text.id]: 'new' })
  })
})

test('the events tell the definition and its options', async () => {
  const own = await app.workspace()
  const select_options = [{ name: 'Fair' }, { name: 'Web' }]
  const made = await create({ type: 'SELECT', name: 'Source', select_options }, own)
  const [fair] = made.select_options
  await own.patch(`/attributes/${made.id}`, { name: 'Source', select_options: [fair] })
  await own.patch(`/attributes/${made.id}`, { name: 'Source' })
  await own.remove(`/attributes/${made.id}`)
  const [created, updated, ...deleted] = await writtenEvents(app.db, own)
  expect(created).toMatchObject({
    type: 'attribute.created',
    ids: [made.id],
    changed: { type: [null, 'SELECT'], select_options: [null, made.select_options] },
  })
  expect(updated?.changed).toEqual({
    select_options: [made.select_options, [fair]],
    attribute_definitions_select_options_order: [
      made.select_options.map(({ id }: SelectOption) => id),
      [fair.id],
    ],
  })
  expect(deleted).toMatchObject([{ type: 'attribute.deleted', ids: [made.id] }])
})
