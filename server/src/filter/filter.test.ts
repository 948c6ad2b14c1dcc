// The SQL of each filter field and attribute operator, and the leads that it selects.
import type { LeadFilter, Operator } from '@rapport/contract/leads/filter'
import { beforeAll, describe, expect, test } from 'vitest'
import { dropForeignKeysOfLeads } from '../../test/foreign-keys.ts'
import { service, type Workspace } from '../../test/harness.ts'
import { makeSearchable } from '../../test/insert-lead.ts'
import { jsonb, raw, rowValues, run, sql } from '../db/sql.ts'
import { leadCondition } from '../resources/leads/list/filter.ts'

const app = service()
let space: Workspace
let other: Workspace

// Both workspaces have the same ids, so that a condition without the workspace selects too much.
const id = (n: number) => `01920000-0000-7000-8000-${String(n).padStart(12, '0')}`
const leads = { ada: id(1), bob: id(2), cleo: id(3), dan: id(4), acme: id(5) }
const [gone, stranger] = [id(8), id(9)]
const [vip, cold, hot] = [id(11), id(12), id(13)]
const [clients, partners] = [id(21), id(22)]
const [won, lost] = [id(31), id(32)]
const [olga, omar] = [id(41), id(42)]
const [spring, autumn] = [id(51), id(52)]
const [hello, reminder] = [id(61), id(62)]
const [red, green] = [id(71), id(72)]
const is = {
  TEXT: id(81),
  NUMBER: id(82),
  CHECKBOX: id(83),
  DATE: id(84),
  TIMESTAMP: id(85),
  SELECT: id(86),
  MULTI: id(87),
  LOCATION: id(88),
  RELATION: id(89),
}

const now = '2026-03-02T09:00:00.000Z'

beforeAll(async () => {
  space = await app.workspace()
  other = await app.workspace()
  await dropForeignKeysOfLeads(app.db)
  await insertAttributes(space.id_space)
  await insertAttributes(other.id_space)
  await insert('lead', [
    lead(space.id_space, leads.ada, {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      email_bounce_score: 49,
      score: 42,
      is_tracked: true,
      is_contract: true,
      icebreaker: 'Hi',
      attributes: {
        [is.TEXT]: 'Alpha Beta',
        [is.NUMBER]: 10,
        [is.CHECKBOX]: true,
        [is.DATE]: '2026-01-31',
        [is.TIMESTAMP]: '2026-01-31T09:30:00.000Z',
        [is.SELECT]: red,
        [is.MULTI]: [red, green],
        [is.LOCATION]: { address: 'Main Street 1', latitude: 1 },
        [is.RELATION]: leads.acme,
      },
    }),
    lead(space.id_space, leads.bob, {
      first_name: 'Bob',
      email: 'bob@example.com',
      email_bounce_score: 50,
      score: 80,
      is_tracked: false,
      icebreaker_4: 'Yo',
      attributes: {
        [is.TEXT]: 'beta 100%_\\',
        [is.NUMBER]: 9.5,
        [is.CHECKBOX]: false,
        [is.DATE]: '2026-02-01',
        [is.TIMESTAMP]: '2026-02-01T00:00:00.000Z',
        [is.SELECT]: green,
        [is.MULTI]: [green],
        [is.LOCATION]: { latitude: 1 },
      },
    }),
    lead(space.id_space, leads.cleo, {
      first_name: 'Cléo',
      last_name: 'Ångström-Łuk',
      email: 'cleo@example.org',
      phone: '+1 555 0100',
      score: 20,
      icebreaker_2: ' \n\t',
      attributes: { [is.TEXT]: '', [is.MULTI]: [], [is.NUMBER]: null },
    }),
    lead(space.id_space, leads.dan, { first_name: 'Dan', last_name: '100%_pure\\' }),
    lead(space.id_space, leads.acme, {
      company: 'Acme',
      email: ' ',
      is_company: true,
      ai_enabled: true,
    }),
    lead(space.id_space, gone, { first_name: 'Ada', is_deleted: true }),
    ...[...Object.values(leads), stranger].map((id) =>
      lead(other.id_space, id, { first_name: 'Ada Bob Cleo' }),
    ),
  ])
  await makeSearchable(app.db, space.id_space)
  await makeSearchable(app.db, other.id_space)
  const everywhere = [...Object.values(leads), stranger]
  await relate('lead_tag', 'id_tag', everywhere, [vip, cold, hot], {
    [vip]: [leads.ada, leads.cleo, gone],
    [cold]: [leads.bob],
  })
  await relate('lead_list', 'id_list', everywhere, [clients, partners], {
    [clients]: [leads.ada, leads.bob, gone],
    [partners]: [leads.bob, leads.acme],
  })
  await relate('lead_status', 'id_status', everywhere, [won], {
    [won]: [leads.ada, gone],
    [lost]: [leads.cleo],
  })
  await relate('lead_owner', 'id_member', everywhere, [olga, omar], {
    [olga]: [leads.ada, leads.dan, gone],
    [omar]: [leads.ada, leads.bob],
  })
  await relate('lead_campaign', 'id_campaign', everywhere, [spring, autumn], {
    [spring]: [leads.cleo, gone],
    [autumn]: [leads.dan],
  })
  const sent = { is_sent: true, is_opened: false, updated_at: now }
  const opened = { is_sent: true, is_opened: true, updated_at: now }
  await insert('lead_step', [
    { id_space: space.id_space, id_lead: leads.ada, id_step: hello, ...opened },
    { id_space: space.id_space, id_lead: leads.ada, id_step: reminder, ...sent },
    { id_space: space.id_space, id_lead: leads.bob, id_step: reminder, ...opened },
    { id_space: space.id_space, id_lead: leads.dan, id_step: hello, ...sent, is_sent: false },
    ...everywhere.map((id_lead) => ({
      ...{ id_space: other.id_space, id_lead, id_step: hello },
      ...opened,
    })),
  ])
})

function insert(table: string, rows: Record<string, unknown>[]) {
  return run(app.db)`insert into ${raw(table)} ${rowValues(rows)}`
}

function lead(id_space: string, id: string, fields: Record<string, unknown>) {
  return {
    ...{ id_space, id, first_name: null, last_name: null, company: null, email: null, phone: null },
    ...{ email_bounce_score: null, score: null, icebreaker: null, icebreaker_2: null },
    ...{ icebreaker_4: null, is_company: false, is_tracked: null, is_contract: false },
    ...{ ai_enabled: false, is_deleted: false, created_at: now },
    ...fields,
    attributes: jsonb((fields.attributes ?? {}) as never),
  }
}

/**
 * The first workspace gets the relations of `own`. In the second, every lead is related to everything.
 */
function relate(
  table: string,
  column: string,
  allLeads: string[],
  allRecords: string[],
  own: Record<string, string[]>,
) {
  return insert(table, [
    ...Object.entries(own).flatMap(([id, members]) =>
      members.map((id_lead) => ({ id_space: space.id_space, id_lead, [column]: id })),
    ),
    ...allRecords.flatMap((id) =>
      allLeads.map((id_lead) => ({ id_space: other.id_space, id_lead, [column]: id })),
    ),
  ])
}

async function insertAttributes(id_space: string) {
  await insert(
    'attribute',
    Object.entries(is).map(([name, id]) => ({
      ...{ id_space, id, type: name === 'MULTI' ? 'SELECT' : name, slug: name, name },
      ...{ description: '', currency: '', is_multi: name === 'MULTI', is_system: false },
      ...{ created_at: now, updated_at: now },
    })),
  )
  await insert(
    'attribute_option',
    [is.SELECT, is.MULTI].flatMap((id_attribute) =>
      [red, green].map((id, position) => ({
        ...{ id_space, id_attribute, id, name: id, color: '', position },
      })),
    ),
  )
}

/** Returns the text of the condition, and the names of the leads that it selects. */
async function select(filter: LeadFilter) {
  const condition = await leadCondition(
    app.db,
    { space: space.id_space, now: app.clock.now },
    filter,
    ['filter'],
  )
  const rows = await run<{ id: string }[]>(app.db)`select id from lead
      where lead.id_space = ${space.id_space} and not lead.is_deleted and ${condition}`
  const names = Object.entries(leads).filter(([, id]) => rows.some((row) => row.id === id))
  expect(rows).toHaveLength(names.length)
  return { text: condition.text, names: names.map(([name]) => name).join(' ') }
}

const all = 'ada bob cleo dan acme'
const related = (table: string, column: string, ids = '= $2::uuid') =>
  `exists (select from ${table} where id_space = $1 and id_lead = lead.id and ${column} ${ids})`
const several = '= any($2::uuid[])'
const search = (like: string) =>
  `exists (select from lead_search where id_space = $1 and id_lead = lead.id and ${like})`
const hasText = (column: string) =>
  `(ascii(lead."${column}") between 33 and 126 or lead."${column}" ~ '\\S')`
const hasIcebreaker = `(${['icebreaker', 'icebreaker_2', 'icebreaker_3', 'icebreaker_4'].map(hasText).join(' or ')})`

describe('selects', () => {
  test.each<[LeadFilter, string, string]>([
    [{}, 'true', all],

    [
      { leads: [leads.ada, leads.bob.toUpperCase(), gone, stranger, 'x'] },
      'lead.id = any(array(select unnest($1::uuid[])))',
      'ada bob',
    ],
    [{ leads: [] }, 'false', ''],
    [{ leads: ['x'] }, 'false', ''],
    [
      { not_leads: [leads.ada, stranger, 'x'] },
      'lead.id not in (select unnest($1::uuid[]))',
      'bob cleo dan acme',
    ],
    [{ not_leads: ['x'] }, 'true', all],
    [{ not_leads: [] }, 'true', all],

    [{ is_company: true }, 'lead.is_company', 'acme'],
    [{ is_company: false }, '(lead.is_company) is not true', 'ada bob cleo dan'],
    [{ is_tracked: true }, 'lead.is_tracked', 'ada'],
    [{ is_tracked: false }, '(lead.is_tracked) is not true', 'bob cleo dan acme'],
    [{ is_contract: true }, 'lead.is_contract', 'ada'],
    [{ ai_enabled: true }, 'lead.ai_enabled', 'acme'],
    [{ has_icebreaker: true }, hasIcebreaker, 'ada bob'],
    [{ has_icebreaker: false }, `(${hasIcebreaker}) is not true`, 'cleo dan acme'],

    [{ email_status: 'all' }, 'true', all],
    [{ email_status: 'with_email' }, hasText('email'), 'ada bob cleo'],
    [{ email_status: 'without_email' }, `(${hasText('email')}) is not true`, 'dan acme'],
    [{ email_status: 'verified' }, `${hasText('email')} and lead.email_bounce_score < 50`, 'ada'],
    [{ email_status: 'risky' }, `${hasText('email')} and lead.email_bounce_score >= 50`, 'bob'],
    [
      { email_status: 'unverified' },
      `${hasText('email')} and lead.email_bounce_score is null`,
      'cleo',
    ],

    [{ search: ' LOVE  áda love ' }, search('text like $2 and text like $3'), 'ada'],
    [{ search: 'ANGSTROM-ŁUK' }, search('text like $2'), 'cleo'],
    [{ search: '%_' }, search('text like $2'), 'dan'],
    [{ search: '_da' }, search('text like $2'), ''],
    [{ search: '\\' }, search('text like $2'), 'dan'],
    [{ search: 'com' }, search('text like $2'), 'ada bob'],
    [{ search: '555-01.00' }, search('(text like $2 or text like $3)'), 'cleo'],
    [{ search: '(5' }, search('text like $2'), ''],
    [{ search: ' \n' }, 'true', all],
    [{ search: '\u0301' }, 'false', ''],

    [{ tags: [vip] }, related('lead_tag', 'id_tag'), 'ada cleo'],
    [{ tags: [vip, cold, stranger, 'x'] }, related('lead_tag', 'id_tag', several), 'ada bob cleo'],
    [{ tags: [hot] }, related('lead_tag', 'id_tag'), ''],
    [{ tags: ['x'] }, 'false', ''],
    [{ tags: [] }, 'true', all],
    [{ status: [lost] }, related('lead_status', 'id_status'), 'cleo'],
    [{ lists: [clients] }, related('lead_list', 'id_list'), 'ada bob'],
    [{ owners: [omar] }, related('lead_owner', 'id_member'), 'ada bob'],
    [{ campaigns: [spring, autumn] }, related('lead_campaign', 'id_campaign', several), 'cleo dan'],
    [
      { has_list: true },
      'exists (select from lead_list where id_space = $1 and id_lead = lead.id)',
      'ada bob acme',
    ],
    [
      { has_no_list: true },
      'not exists (select from lead_list where id_space = $1 and id_lead = lead.id)',
      'cleo dan',
    ],
    [
      { has_owner: true },
      'exists (select from lead_owner where id_space = $1 and id_lead = lead.id)',
      'ada bob dan',
    ],
    [
      { has_no_owner: true },
      'not exists (select from lead_owner where id_space = $1 and id_lead = lead.id)',
      'cleo acme',
    ],
    [{ has_list: false, has_no_list: false, has_owner: false, has_no_owner: false }, 'true', all],

    [{ sequences_steps: {} }, 'true', all],
    [{ sequences_steps: { id: [], status: [] } }, 'true', all],
    [
      { sequences_steps: { id: [hello, reminder], status: ['is_opened', 'is_clicked'] } },
      'exists (select from lead_step where id_space = $1 and id_lead = lead.id and id_step = any($2::uuid[]) and (is_opened or is_clicked))',
      'ada bob',
    ],
    [
      { sequences_steps: { id: [hello], status: ['is_opened'] } },
      'exists (select from lead_step where id_space = $1 and id_lead = lead.id and id_step = $2::uuid and is_opened)',
      'ada',
    ],
    [
      { sequences_steps: { status: ['is_sent', 'is_sent'] } },
      'exists (select from lead_step where id_space = $1 and id_lead = lead.id and is_sent)',
      'ada bob',
    ],
    [{ sequences_steps: { id: [hello] } }, related('lead_step', 'id_step'), 'ada dan'],
    [{ sequences_steps: { id: ['x'], status: ['is_opened'] } }, 'false', ''],

    [{ score: ['42'] }, 'lead.score = $1::bigint', 'ada'],
    [{ score: ['20-42'] }, 'lead.score between $1::bigint and $2::bigint', 'ada cleo'],
    [{ score: ['80-'] }, 'lead.score >= $1::bigint', 'bob'],
    [{ score: ['-20'] }, 'lead.score <= $1::bigint', 'cleo'],
    [{ score: ['80', '-20'] }, '(lead.score = $1::bigint or lead.score <= $2::bigint)', 'bob cleo'],
    [{ score: ['99999999999'] }, 'lead.score = $1::bigint', ''],
    [{ score: [] }, 'true', all],

    [
      { tags: [vip], score: ['42', '80'], is_company: false },
      'exists (select from lead_tag where id_space = $1 and id_lead = lead.id and id_tag = $2::uuid) and (lead.score = $3::bigint or lead.score = $4::bigint) and (lead.is_company) is not true',
      'ada',
    ],
  ])('%j', async (filter, text, names) => {
    expect(await select(filter)).toEqual({ text, names })
  })
})

describe('selects by attributes', () => {
  const holds = "(lead.attributes @> $1::text::jsonb and lead.attributes <> '{}')"
  const lacks = `(${holds}) is not true`
  const like = 'lower((lead.attributes->>$1::text)) like lower($2)'
  const address = "lower((lead.attributes->$1::text->>'address')) like lower($2)"
  const number = (operator: string) =>
    `(jsonb_typeof(lead.attributes->$1::text) = 'number' and lead.attributes->$2::text ${operator} $3::text::jsonb)`
  const date = (operator: string) => `(lead.attributes->>$1::text) collate "C" ${operator} $2`
  const empty = `(case coalesce(lead.attributes->>$1::text, '') when '' then true
    when '[]' then lead.attributes->$2::text = '[]' else false end)`

  test.each<[keyof typeof is, Operator, string | undefined, string, string]>([
    ['TEXT', 'equals', 'Alpha Beta', holds, 'ada'],
    ['TEXT', 'equals', 'alpha beta', holds, ''],
    ['TEXT', 'not_equals', 'Alpha Beta', lacks, 'bob cleo dan acme'],
    ['TEXT', 'contains', 'BETA', like, 'ada bob'],
    ['TEXT', 'contains', '%_\\', like, 'bob'],
    ['TEXT', 'contains', '_', like, 'bob'],
    ['TEXT', 'not_contains', 'BETA', `(${like}) is not true`, 'cleo dan acme'],
    ['TEXT', 'starts_with', 'BETA', like, 'bob'],
    ['TEXT', 'ends_with', 'BETA', like, 'ada'],
    ['TEXT', 'is_empty', undefined, empty, 'cleo dan acme'],
    ['TEXT', 'is_not_empty', 'whatever', `not ${empty}`, 'ada bob'],

    ['NUMBER', 'equals', '10.0', holds, 'ada'],
    ['NUMBER', 'not_equals', '10', lacks, 'bob cleo dan acme'],
    ['NUMBER', 'greater_than', '9.5', number('>'), 'ada'],
    ['NUMBER', 'greater_or_equal', '9.5', number('>='), 'ada bob'],
    ['NUMBER', 'less_than', '1e1', number('<'), 'bob'],
    ['NUMBER', 'less_or_equal', '10', number('<='), 'ada bob'],
    ['NUMBER', 'greater_than', '-1', number('>'), 'ada bob'],
    ['NUMBER', 'is_empty', undefined, empty, 'cleo dan acme'],

    ['CHECKBOX', 'equals', 'true', holds, 'ada'],
    ['CHECKBOX', 'equals', 'false', `not ${holds}`, 'bob cleo dan acme'],
    ['CHECKBOX', 'not_equals', 'true', lacks, 'bob cleo dan acme'],
    ['CHECKBOX', 'not_equals', 'false', `(not ${holds}) is not true`, 'ada'],
    ['CHECKBOX', 'is_not_empty', undefined, `not ${empty}`, 'ada bob'],

    ['DATE', 'equals', '2026-01-31', holds, 'ada'],
    ['DATE', 'not_equals', '2026-01-31', lacks, 'bob cleo dan acme'],
    ['DATE', 'greater_than', '2026-01-31', date('>'), 'bob'],
    ['DATE', 'greater_or_equal', '2026-01-31', date('>='), 'ada bob'],
    ['DATE', 'less_than', '2026-02-01', date('<'), 'ada'],
    ['DATE', 'less_or_equal', '2026-02-01', date('<='), 'ada bob'],

    ['TIMESTAMP', 'equals', '2026-01-31T10:30+01:00', holds, 'ada'],
    ['TIMESTAMP', 'equals', '2026-02-01', holds, 'bob'],
    ['TIMESTAMP', 'greater_than', '2026-01-31', date('>'), 'ada bob'],
    ['TIMESTAMP', 'greater_than', '2026-01-31T09:30:00Z', date('>'), 'bob'],
    ['TIMESTAMP', 'less_than', '2026-02-01', date('<'), 'ada'],

    ['SELECT', 'equals', red.toUpperCase(), holds, 'ada'],
    ['SELECT', 'not_equals', red, lacks, 'bob cleo dan acme'],
    ['MULTI', 'equals', green, holds, 'ada bob'],
    ['MULTI', 'equals', red, holds, 'ada'],
    ['MULTI', 'not_equals', red, lacks, 'bob cleo dan acme'],
    ['MULTI', 'is_empty', undefined, empty, 'cleo dan acme'],

    ['LOCATION', 'equals', 'Main Street 1', holds, 'ada'],
    ['LOCATION', 'not_equals', 'Main Street 1', lacks, 'bob cleo dan acme'],
    ['LOCATION', 'contains', 'STREET', address, 'ada'],
    ['LOCATION', 'not_contains', 'STREET', `(${address}) is not true`, 'bob cleo dan acme'],
    ['LOCATION', 'starts_with', 'main', address, 'ada'],
    ['LOCATION', 'ends_with', 'main', address, ''],
    ['LOCATION', 'is_not_empty', undefined, `not ${empty}`, 'ada bob'],

    ['RELATION', 'equals', leads.acme.toUpperCase(), holds, 'ada'],
    ['RELATION', 'equals', stranger, holds, ''],
    ['RELATION', 'not_equals', leads.acme, lacks, 'bob cleo dan acme'],
  ])('%s %s %j', async (attribute, operator, value, text, names) => {
    const entry = { id: is[attribute], operator, ...(value !== undefined && { value }) }
    expect(await select({ attributes: [entry] })).toEqual({ text, names })
  })

  test('several conditions must all be true', async () => {
    const contains = { id: is.TEXT, operator: 'contains', value: 'beta' } as const
    const over = { id: is.NUMBER.toUpperCase(), operator: 'less_than', value: '10' } as const
    expect(await select({ attributes: [contains, over] })).toMatchObject({ names: 'bob' })
    expect(await select({ attributes: [] })).toEqual({ text: 'true', names: all })
  })

  test('a stored value of another type does not make the statement fail', async () => {
    const id_space = other.id_space
    const stored = jsonb({ [is.NUMBER]: 'ten', [is.DATE]: 7, [is.LOCATION]: 'here' })
    await run(app.db)`update lead set attributes = ${stored} where id_space = ${id_space}`
    for (const attributes of [
      [{ id: is.NUMBER, operator: 'less_than', value: '5' }],
      [{ id: is.NUMBER, operator: 'greater_than', value: '5' }],
      [{ id: is.LOCATION, operator: 'contains', value: 'ere' }],
    ] satisfies LeadFilter['attributes'][]) {
      const condition = await leadCondition(
        app.db,
        { space: id_space, now: app.clock.now },
        { attributes },
        [],
      )
      const found = sql`select id from lead where lead.id_space = ${id_space} and ${condition}`
      expect(await run(app.db, found)).toEqual([])
    }
  })
})
