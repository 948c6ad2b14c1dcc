import { attributeTypes } from '@rapport/contract/attributes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectExactCounts } from '../../test/counts.ts'
import { writtenEvents } from '../../test/events.ts'
import { type Service, service, type Workspace } from '../../test/harness.ts'
import { UsageError } from '../commands/command.ts'
import { demo } from '../commands/demo.ts'
import { showProgress } from '../commands/progress.ts'
import { readConfig } from '../config.ts'
import { raw, run } from '../db/sql.ts'
import { defaultPlaceSql } from '../resources/leads/change/place.ts'
import { numberOf } from '../resources/leads/duplicates/keys.ts'
import { buildDemo, type DemoOptions, type DemoResult } from './demo.ts'
import type { Double } from './doubles.ts'

const app = service()
afterAll(() => expectExactCounts(app.db))
const leads = 600
let built: DemoResult
let space: ReturnType<Service['as']>
const told: number[] = []

function build(options: Partial<DemoOptions> = {}) {
  const now = app.clock.now
  return buildDemo(app.db, { leads, seed: 1, now, space: undefined, add: false, ...options })
}

beforeAll(async () => {
  built = await build({ onProgress: (done) => told.push(done) })
  space = app.as(built.key as string)
})

async function total(filter: object): Promise<number> {
  const { status, body } = await space.post('/leads/list', { filter, id_only: true })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.total
}

/** Number of rows of a workspace that match a condition. Conditions describe errors: 0 is right. */
async function count(from: string, condition: string): Promise<number> {
  const [row] = await app.db.unsafe(
    `select count(*)::int as count from ${from} where ${from.split(' ')[0]}.id_space = $1 and (${condition})`,
    [built.id_space],
  )
  return row?.count
}

async function names(id_space: string): Promise<string[]> {
  const rows = await run<{ name: string }[]>(app.db)`
    select concat_ws(' ', first_name, last_name, company, email) as name from lead
    where id_space = ${id_space} order by created_at, id`
  return rows.map(({ name }) => name)
}

test('people who are there twice have one thing in common, and their keys say so', async () => {
  const doubles: Double[] = []
  const onDouble = (double: Double) => void doubles.push(double)
  const { id_space, rows } = await build({ duplicates: 10, onDouble, seed: 5 })
  expect(rows.lead).toBe(leads)
  expect(doubles.length / leads).toBeGreaterThan(0.05)
  const known = await run<{ kind: number; key: string; id_lead: string }[]>(
    app.db,
  )`select kind, key, id_lead from lead_key where id_space = ${id_space}`
  for (const { id, of, kind } of doubles) {
    // A mailbox has a key of its own only where it differs from the email.
    const kinds = kind === 'email_loose' ? [1, numberOf(kind)] : [numberOf(kind)]
    const keys = (lead: string) =>
      known.filter((row) => row.id_lead === lead && kinds.includes(row.kind)).map(({ key }) => key)
    expect(
      keys(id).some((key) => keys(of).includes(key)),
      `${kind} of ${id} and ${of}`,
    ).toBe(true)
  }
})

describe('over HTTP', () => {
  test('there are leads, and the newest was created now', async () => {
    const { body } = await space.post('/leads/list', {})
    expect(body.total).toBe(leads)
    const age = app.clock.now.getTime() - Date.parse(body.leads[0].created_at)
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(7 * 86_400_000)
    expect(told.at(-1)).toBe(leads)
  })

  test('there are companies, and people who work for them', async () => {
    const companies = await total({ is_company: true })
    expect(companies / leads).toBeGreaterThan(0.06)
    expect(companies / leads).toBeLessThan(0.2)
    const [row] = await run(app.db)`
      select count(*)::int as count from lead person
      where id_space = ${built.id_space} and not is_company and exists (
        select from lead company where company.id_space = ${built.id_space}
          and company.is_company and company.company = person.company)`
    expect(row?.count).toBeGreaterThan(leads / 2)
  })

  test('there are names with accents and names in non-Latin letters', async () => {
    expect(await count('lead', `first_name ~ '[éöłãı]'`)).toBeGreaterThan(0)
    expect(await count('lead', `first_name ~ '[一-龠]'`)).toBeGreaterThan(0)
    expect(await count('lead', `email ~ '[^a-z0-9.@-]' or email !~ '@.+\\.example$'`)).toBe(0)
  })

  test('there is a team', async () => {
    // The first admin in a browser brings time zone and currency, as to any new workspace.
    expect((await space.get('/me')).body.workspace.is_new).toBe(true)
    const { body } = await space.get('/members')
    expect(body).toHaveLength(5)
    for (const { id } of body) expect(await total({ owners: [id] })).toBeGreaterThan(0)
  })

  test('the sum of all values is one number, also in the currency that the first browser brings', async () => {
    const own = app.as((await build({ leads: 200, seed: 3 })).key as string)
    const sum = async () => (await own.post('/leads/stats', { group_by: 'status' })).body.total.sum
    const dollars = await sum()
    expect(dollars).toMatchObject({ currency: 'USD', left_out: [] })
    expect(dollars.converted).toBeGreaterThan(0)
    await own.patch('/workspace', { time_zone: 'Europe/Zurich', currency: 'CHF' })
    const francs = await sum()
    expect(francs).toMatchObject({ currency: 'CHF', left_out: [], count: dollars.count })
    expect(francs.value).toBeLessThan(dollars.value)
  })

  test('there are six lists, each with a pipeline, and statuses without a list', async () => {
    const { body: lists } = await space.get('/lists')
    expect(lists).toHaveLength(6)
    const { body: statuses } = await space.get('/status')
    for (const { id, emoji } of lists) {
      expect(emoji).not.toBe('')
      expect(await total({ lists: [id] })).toBeGreaterThan(0)
      const stages = statuses.filter((status: { id_list: string }) => status.id_list === id)
      expect(stages.length).toBeGreaterThanOrEqual(4)
      expect(stages.length).toBeLessThanOrEqual(6)
      expect(stages.at(-1)).toMatchObject({ type: 'DEAL_LOST', success_rate: 0 })
      expect(await total({ status: [stages[0].id] })).toBeGreaterThan(0)
    }
    const free = statuses.filter((status: { id_list: string }) => status.id_list === '')
    expect(free).toHaveLength(2)
    expect(await total({ status: free.map(({ id }: { id: string }) => id) })).toBeGreaterThan(0)
  })

  test('there are frequent and rare tags', async () => {
    const { body: tags } = await space.get('/tags')
    expect(tags).toHaveLength(15)
    const common = await total({ tags: [tags[0].id] })
    expect(common / leads).toBeGreaterThan(0.2)
    expect(await total({ tags: [tags[14].id] })).toBeLessThan(common / 10)
  })

  test('there is an attribute of every type, and the API accepts its values', async () => {
    const { body } = await space.get('/attributes')
    const types = new Set(body.map(({ type }: { type: string }) => type))
    expect([...types].sort()).toEqual([...attributeTypes].sort())
    const selects = body.filter(({ type }: { type: string }) => type === 'SELECT')
    expect(selects.map((entry: { isMultiSelect: boolean }) => entry.isMultiSelect)).toEqual([
      false,
      true,
    ])
    for (const { id, name } of body) {
      const filter = { attributes: [{ id, operator: 'is_not_empty' }] }
      const answer = await space.post('/leads/list', { filter, pagination: { page_size: 3 } })
      expect(answer.body.total, name).toBeGreaterThan(0)
      for (const { id: lead, attributes } of answer.body.leads) {
        const sent = await space.patch(`/lead/${lead}`, { attributes: { [id]: attributes[id] } })
        expect(sent.status, `${name}: ${JSON.stringify(attributes[id])}`).toBe(200)
        const { body: kept } = await space.post('/leads/list', { filter: { leads: [lead] } })
        expect(kept.leads[0].attributes[id]).toEqual(attributes[id])
      }
    }
    const [option] = selects[1].select_options
    const equals = { id: selects[1].id, operator: 'equals', value: option.id }
    expect(await total({ attributes: [equals] })).toBeGreaterThan(0)
  })

  test('a RELATION refers to a company', async () => {
    const { body } = await space.get('/attributes')
    const { id } = body.find(({ type }: { type: string }) => type === 'RELATION')
    const missing = `attributes ? '${id}' and not exists (select from lead company
      where company.id_space = $1 and company.id = (lead.attributes->>'${id}')::uuid and company.is_company)`
    expect(await count('lead', missing)).toBe(0)
  })

  test('there are notes, some of them pinned or in threads', async () => {
    const { body } = await space.post('/notes/list', { pagination: { page: 1, page_size: 500 } })
    expect(body.length).toBe(Math.min(built.rows.note, 500))
    expect(body.some((note: { is_pinned: boolean }) => note.is_pinned)).toBe(true)
    const reply = body.find((note: { id_parent: string | null }) => note.id_parent !== null)
    const { body: thread } = await space.post('/notes/list', { thread_id: reply.thread_id })
    expect(thread.length).toBeGreaterThan(1)
    const { body: found } = await space.post('/leads/list', { filter: { leads: [reply.id_lead] } })
    expect(found.leads[0].last_interaction_at >= reply.created_at).toBe(true)
  })

  test('there are future, done and recurring reminders', async () => {
    const list = async (filter: object) => {
      const pagination = { page: 1, page_size: 500 }
      return (await space.post('/reminders/list', { filter, pagination })).body.data
    }
    const open = await list({ is_done: false })
    const now = app.clock.now.toISOString()
    expect(open.length).toBeGreaterThan(0)
    for (const { date, users } of open) {
      expect(date > now).toBe(true)
      expect(users.length).toBeGreaterThan(0)
    }
    expect(open.some((reminder: { cron: string }) => reminder.cron !== '')).toBe(true)
    const done = await list({ is_done: true })
    expect(done.length).toBeGreaterThan(0)
    for (const { date } of done) expect(date <= now).toBe(true)
  })

  test('there are campaigns, and each later state of a mail is less frequent', async () => {
    const { body } = await space.get('/campaigns')
    expect(body.data).toHaveLength(4)
    for (const { id } of body.data) expect(await total({ campaigns: [id] })).toBeGreaterThan(0)
    const funnel: number[] = []
    for (const status of ['is_sent', 'is_delivered', 'is_opened', 'is_clicked', 'is_replied']) {
      funnel.push(await total({ sequences_steps: { id: [], status: [status] } }))
    }
    expect(funnel).toEqual([...funnel].sort((a, b) => b - a))
    expect(funnel.at(-1)).toBeGreaterThan(0)
  })

  test('filters for email, score and text find leads', async () => {
    for (const email_status of ['verified', 'risky', 'unverified', 'without_email']) {
      expect(await total({ email_status }), email_status).toBeGreaterThan(0)
    }
    for (const filter of [
      { score: ['40-60'] },
      { is_tracked: true },
      { is_contract: true },
      { has_icebreaker: true },
      { ai_enabled: true },
      { search: 'logistics' },
    ]) {
      expect(await total(filter), JSON.stringify(filter)).toBeGreaterThan(0)
    }
  })
})

describe('rules that always hold', () => {
  test('ids contain the creation time of their record', async () => {
    const differs = `('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint
      <> round(extract(epoch from created_at) * 1000) or substr(id::text, 15, 1) <> '7'`
    for (const table of ['lead', 'list', 'status', 'tag', 'attribute', 'campaign', 'note']) {
      expect(await count(table, `(${differs})`), table).toBe(0)
    }
    expect(await count('reminder', `(${differs})`)).toBe(0)
  })

  test('every reference refers to an existing record', async () => {
    // The demo turns off foreign key checks, so the test checks the references.
    const references = await run<{ child: string; parent: string; on: string; set: string }[]>(
      app.db,
    )`
      select conrelid::regclass::text as child, confrelid::regclass::text as parent,
        string_agg(format('parent.%I = child.%I', theirs.attname, ours.attname), ' and ') as on,
        string_agg(format('child.%I is not null', ours.attname), ' and ') as set
      from pg_constraint, unnest(conkey, confkey) as key (ours, theirs)
      join pg_attribute ours on true join pg_attribute theirs on true
      where contype = 'f' and ours.attrelid = conrelid and ours.attnum = key.ours
        and theirs.attrelid = confrelid and theirs.attnum = key.theirs
      group by pg_constraint.oid`
    expect(references.length).toBeGreaterThan(20)
    for (const { child, parent, on, set } of references) {
      const rows = await app.db.unsafe(
        `select from ${child} child where ${set} and not exists (select from ${parent} parent where ${on})`,
      )
      expect(rows, `${child} to ${parent}`).toHaveLength(0)
    }
  })

  test('the list of a lead status is the list of that status', async () => {
    const wrong = `exists (select from status where status.id_space = $1
      and status.id = lead_status.id_status and status.id_list is distinct from lead_status.id_list)`
    expect(await count('lead_status', wrong)).toBe(0)
  })

  test('each lead has the place in its status that it would have by creation', async () => {
    const place = defaultPlaceSql('lead.id', 'lead.created_at')
    const wrong = `exists (select from lead where lead.id_space = $1
      and lead.id = lead_status.id_lead and lead_status.place <> ${place})`
    expect(await count('lead_status', wrong)).toBe(0)
  })

  test('only reminders are in the future, and nothing is older than its lead', async () => {
    const now = `'${app.clock.now.toISOString()}'`
    expect(await count('lead', `(created_at > ${now} or updated_at < created_at)`)).toBe(0)
    expect(
      await count(
        'note join lead on lead.id_space = note.id_space and lead.id = id_lead',
        `note.created_at < lead.created_at`,
      ),
    ).toBe(0)
    expect(await count('note', `(updated_at > ${now} or updated_at < created_at)`)).toBe(0)
    expect(await count('lead_step', `updated_at > ${now}`)).toBe(0)
    expect(await count('lead', 'is_deleted')).toBe(0)
  })

  test('a lead with a step is in its campaign, and each state implies the earlier ones', async () => {
    const stranger = `not exists (select from campaign_step step
      join lead_campaign using (id_space, id_campaign)
      where step.id_space = $1 and step.id = id_step and lead_campaign.id_lead = lead_step.id_lead)`
    expect(await count('lead_step', stranger)).toBe(0)
    const odd = `(is_replied and not is_opened or is_clicked and not is_opened
      or is_opened and not is_delivered or is_bounced and is_delivered or not is_sent)`
    expect(await count('lead_step', odd)).toBe(0)
  })

  test('only recurring reminders have a cron_id', async () => {
    expect(await count('reminder', `(cron = '') <> (cron_id is null)`)).toBe(0)
  })
})

describe('run again', () => {
  test('the same seed creates the same people, another seed others', async () => {
    const first = await names(built.id_space)
    expect(await names((await build()).id_space)).toEqual(first)
    expect(await names((await build({ seed: 2 })).id_space)).not.toEqual(first)
  })

  test('a workspace with leads is not changed without --add', async () => {
    const mine = await app.workspace()
    const options = { space: mine.id_space, leads: 50 }
    expect(await build(options)).toMatchObject({ id_space: mine.id_space, key: null })
    await expect(build(options)).rejects.toThrow('already has leads')
    expect((await mine.post('/leads/list')).body.total).toBe(50)

    await build({ ...options, add: true })
    expect((await mine.post('/leads/list')).body.total).toBe(100)
    expect(new Set(await names(mine.id_space)).size).toBeGreaterThan(95)
    await expectOnce(mine)
  })

  async function expectOnce(mine: Workspace) {
    const { body: campaigns } = await mine.get('/campaigns')
    const counts = await Promise.all(
      ['/lists', '/tags', '/attributes', '/status'].map(async (path) => {
        return (await mine.get(path)).body.length
      }),
    )
    expect([...counts, campaigns.data.length]).toEqual([6, 15, 13, 31, 4])
  }

  test('if another attribute has the slug, the demo uses another one', async () => {
    const mine = await app.workspace()
    await mine.post('/attributes', { type: 'NUMBER', name: 'Source', slug: 'source' })
    await build({ space: mine.id_space, leads: 5 })
    const { body } = await mine.get('/attributes')
    expect(body.map(({ slug }: { slug: string }) => slug)).toContain('source_2')
  })

  test('one lead is enough', async () => {
    expect((await build({ leads: 1 })).rows.lead).toBe(1)
  })

  test('an unknown workspace is an error', async () => {
    await expect(build({ space: 'nowhere' })).rejects.toThrow('No workspace nowhere')
  })

  test('a stopped demo leaves nothing behind', async () => {
    const before = await run(app.db)`select id_space from space`
    const stop = new AbortController()
    const stopped = build({ leads: 6000, signal: stop.signal, onProgress: () => stop.abort() })
    await expect(stopped).rejects.toThrow('nothing was created')
    expect(await run(app.db)`select id_space from space`).toHaveLength(before.length)
  })
})

describe('the command line', () => {
  test.each([
    ['--leads', '0'],
    ['--leads', '1000001'],
    ['--leads', '1e3'],
    ['--seed', '-1'],
    ['--seed', 'x'],
    ['--add'],
    ['--space', ''],
    ['--colour'],
    ['now'],
  ])('refuses %s %s', async (...args) => {
    await expect(demo.run(args, readConfig({}))).rejects.toBeInstanceOf(UsageError)
  })
})

describe('progress', () => {
  function shown(isTTY: boolean): string[] {
    const written: string[] = []
    let now = 0
    const screen = { isTTY, write: (text: string) => written.push(text) }
    const progress = showProgress('leads', 2_000, screen, () => now)
    for (const done of [500, 1_000, 2_000]) {
      now += 3_000
      progress.at(done)
    }
    progress.end()
    return written
  }

  test('is a bar on a terminal, removed at the end', () => {
    const written = shown(true)
    expect(written).toHaveLength(4)
    expect(written[1]).toBe(
      `\r\x1b[2K${'█'.repeat(15)}${'░'.repeat(15)} 50%, 1,000 of 2,000 leads, 6 s left`,
    )
    expect(written[3]).toBe('\r\x1b[2K')
  })

  test('is a line every few seconds elsewhere', () => {
    expect(shown(false)).toEqual(['50%, 1,000 of 2,000 leads, 6 s left\n'])
  })
})

describe('events', () => {
  const tables = [
    ...['lead', 'list', 'status', 'tag', 'attribute'],
    ...['note', 'reminder', 'member', 'campaign'],
  ] as const

  async function expectEvents(id_space: string, since: number) {
    const events = (await writtenEvents(app.db, { id_space })).slice(since)
    for (const { way, ids } of events) {
      expect(way).toBe('command')
      expect(ids.length).toBeLessThanOrEqual(500)
    }
    return new Map(
      tables.map((what) => {
        const own = events.filter(({ type }) => type === `${what}.created`)
        return [what, own.flatMap(({ ids }) => ids).sort()]
      }),
    )
  }

  async function idsOf(table: string, id_space: string): Promise<string[]> {
    const rows = await run<{ id: string }[]>(
      app.db,
    )`select id from ${raw(table)} where id_space = ${id_space} order by id`
    return rows.map(({ id }) => id)
  }

  test('every record is in the event of its creation, at most 500 in one', async () => {
    const named = await expectEvents(built.id_space, 0)
    for (const table of tables) {
      expect(named.get(table), table).toEqual(await idsOf(table, built.id_space))
    }
    const notes = await writtenEvents(app.db, built, 'note.created')
    expect(new Set(notes.flatMap(({ leads }) => leads))).toEqual(
      new Set(
        (
          await run<{ id_lead: string }[]>(
            app.db,
          )`select id_lead from note where id_space = ${built.id_space}`
        ).map(({ id_lead }) => id_lead),
      ),
    )
  })

  test('--add leaves events of what it adds', async () => {
    const { id_space } = await build({ leads: 5 })
    const before = (await writtenEvents(app.db, { id_space })).length
    const lists = await idsOf('list', id_space)
    await build({ leads: 7, space: id_space, add: true })
    const named = await expectEvents(id_space, before)
    expect(named.get('lead')).toHaveLength(7)
    expect(named.get('list')).toEqual([])
    expect(await idsOf('list', id_space)).toEqual(lists)
  })
})
