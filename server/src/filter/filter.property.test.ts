// The filter against a plain evaluation of the same filter in memory, over random leads.

import {
  type AttributeCondition,
  emailStatuses,
  LeadFilter,
  type Operator,
  stepStatuses,
} from '@rapport/contract/leads/filter'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { service } from '../../test/harness.ts'
import type { Db } from '../db/driver.ts'
import { run, sql } from '../db/sql.ts'
import { validator } from '../http/validate.ts'
import { leadCondition } from '../resources/leads/leads.filter.ts'
import type { AttributeType } from './values.ts'

const seed = 20260302
const runs = 200

const app = service()
const uuid = (n: number) => `01920000-0000-7000-8000-${String(n).padStart(12, '0')}`
const several = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => uuid(from + index))

const leadIds = several(100, 40)
const relations = {
  tags: { table: 'lead_tag', column: 'id_tag', ids: several(1, 3) },
  lists: { table: 'lead_list', column: 'id_list', ids: several(11, 3) },
  status: { table: 'lead_status', column: 'id_status', ids: several(21, 3) },
  owners: { table: 'lead_owner', column: 'id_member', ids: several(31, 3) },
  campaigns: { table: 'lead_campaign', column: 'id_campaign', ids: several(41, 3) },
}
const relationNames = Object.keys(relations) as (keyof typeof relations)[]
const stepIds = several(51, 2)
const [red = '', green = '', blue = ''] = several(61, 3)

// ---------------------------------------------------------------- what leads and filters look like

const texts = [
  '',
  'Ada',
  'ÅSE ada',
  'Łukasz',
  '50%',
  'a_b',
  'axb',
  'c\\d',
  'Σίσυφος',
  'ΣΊΣΥΦΟΣ',
  'DA-50',
]
const searchWords = [
  '',
  'A',
  'ada',
  'ASE',
  'ase',
  '%',
  '_',
  'a_',
  'a_b',
  '\\',
  'x',
  'σισυφος',
  'Σ',
  '50',
  'DA',
]
const names = ['', 'Ada', 'ÅSE ada', '50%', 'a_b', 'axb', 'c\\d', 'Σίσυφος']
const parts = ['', 'ADA', 'a', 'åse', '0%', 'a_', '_b', 'B', '\\D', 'Σ']
const numbers = [-3, 0, 9.5, 10, 11, 1e21]
const days = ['1999-12-31', '2026-01-31', '2026-02-01']
const times = ['2026-01-31T00:00:00.000Z', '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.001Z']

interface Attribute {
  id: string
  type: AttributeType
  is_multi: boolean
  /** What leads have. */
  values: unknown[]
  /** What filters ask for. */
  asked: string[]
  operators: Operator[]
}

const textual: Operator[] = ['contains', 'not_contains', 'starts_with', 'ends_with']
const ordering: Operator[] = ['greater_than', 'greater_or_equal', 'less_than', 'less_or_equal']
const attributes: Attribute[] = [
  ...(['TEXT', 'TEXTAREA', 'EMAIL', 'PHONENUMBER'] as const).map((type) =>
    attribute(type, names, names, textual),
  ),
  ...(['NUMBER', 'CURRENCY'] as const).map((type) =>
    attribute(type, numbers, ['-3', '0', '9.50', '10', '10.5', '1e21', '7'], ordering),
  ),
  attribute('CHECKBOX', [true, false], ['true', 'false']),
  attribute('DATE', days, [...days, '2026-01-30'], ordering),
  attribute('TIMESTAMP', times, [...times, '2026-01-31', '2026-01-31T10:30:00+01:00'], ordering),
  attribute('SELECT', [red, green, blue], [red, green, blue]),
  {
    ...attribute('SELECT', [[red], [red, green], [], [blue, green]], [red, green, blue]),
    is_multi: true,
  },
  attribute(
    'LOCATION',
    [{ latitude: 1 }, ...names.map((address) => ({ address }))],
    names,
    textual,
  ),
  attribute('RELATION', leadIds.slice(0, 2), leadIds.slice(0, 3)),
].map((entry, index) => ({ ...entry, id: uuid(71 + index) }))

function attribute(
  type: AttributeType,
  values: unknown[],
  asked: string[],
  more: Operator[] = [],
): Attribute {
  const operators: Operator[] = ['equals', 'not_equals', 'is_empty', 'is_not_empty', ...more]
  return { id: '', type, is_multi: false, values, asked, operators }
}

const searched = [
  ...['first_name', 'last_name', 'email', 'company', 'company_role', 'phone', 'city'],
  ...['website_url', 'linkedin_url', 'twitter_name', 'facebook_username', 'youtube_username'],
  ...['instagram_username', 'telegram_username', 'whatsapp_username'],
]
const icebreakers = ['icebreaker', 'icebreaker_2', 'icebreaker_3', 'icebreaker_4']

interface Lead {
  columns: Record<string, unknown>
  related: Record<keyof typeof relations, string[]>
  steps: { id: string; flags: string[] }[]
  attributes: Record<string, unknown>
}

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values)
const some = <T>(values: readonly T[]) => fc.subarray([...values])
/** Mostly nothing, so that what is there makes a difference. */
const rarely = <T>(values: readonly T[]) =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 5 }, { arbitrary: pick(values), weight: 1 })

const anyLead: fc.Arbitrary<Lead> = fc.record({
  columns: fc.record<Record<string, unknown>>({
    ...Object.fromEntries(searched.map((column) => [column, rarely(texts)])),
    ...Object.fromEntries(icebreakers.map((column) => [column, rarely(['', ' \t\n', 'Hi'])])),
    email: pick([null, '', ' ', 'ada@example.com', 'ÅSE@example.com']),
    email_bounce_score: pick([null, 0, 49, 50, 100]),
    score: pick([null, -5, 0, 9, 10, 20, 21, 42, 80, 81, 100]),
    is_company: fc.boolean(),
    is_contract: fc.boolean(),
    is_tracked: pick([true, false, null]),
    ai_enabled: fc.boolean(),
    is_deleted: pick([false, false, false, false, true]),
  }),
  related: fc.record({
    tags: some(relations.tags.ids),
    lists: some(relations.lists.ids),
    status: some(relations.status.ids),
    owners: some(relations.owners.ids),
    campaigns: some(relations.campaigns.ids),
  }),
  steps: fc.uniqueArray(fc.record({ id: pick(stepIds), flags: some(stepStatuses) }), {
    selector: ({ id }) => id,
    maxLength: 2,
  }),
  attributes: fc.record<Record<string, unknown>>(
    Object.fromEntries(attributes.map(({ id, values }) => [id, pick([...values, null])])),
    { requiredKeys: [] },
  ),
})

const ids = (known: string[]) =>
  fc.array(pick([...known, ...known, uuid(999), 'no-uuid']), { maxLength: 3 })
const words = fc.array(pick(searchWords), { maxLength: 2 }).map((found) => found.join(' '))
const anyEntry: fc.Arbitrary<AttributeCondition> = pick(attributes).chain(
  ({ id, operators, asked }) =>
    pick(operators).chain((operator) =>
      pick(textual.includes(operator) ? parts : asked).map((value) => ({ id, operator, value })),
    ),
)
const values: { [Field in keyof LeadFilter]-?: fc.Arbitrary<Required<LeadFilter>[Field]> } = {
  leads: fc.oneof(ids(leadIds), some(leadIds)),
  not_leads: fc.oneof(ids(leadIds), some(leadIds)),
  is_company: fc.boolean(),
  is_tracked: fc.boolean(),
  is_contract: fc.boolean(),
  ai_enabled: fc.boolean(),
  has_icebreaker: fc.boolean(),
  email_status: pick(emailStatuses),
  search: words,
  tags: ids(relations.tags.ids),
  status: ids(relations.status.ids),
  lists: ids(relations.lists.ids),
  has_list: fc.boolean(),
  has_no_list: fc.boolean(),
  owners: ids(relations.owners.ids),
  has_owner: fc.boolean(),
  has_no_owner: fc.boolean(),
  campaigns: ids(relations.campaigns.ids),
  sequences_steps: fc.record(
    { id: ids(stepIds), status: some(stepStatuses) },
    { requiredKeys: [] },
  ),
  score: fc.array(pick(['10', '42', '-20', '80-', '9-20', '21-21', '0', '101-']), { maxLength: 3 }),
  attributes: fc.array(anyEntry, { maxLength: 3 }),
}
const fields = Object.keys(values) as (keyof LeadFilter)[]
const anyFilter = fc
  .uniqueArray(
    // Attributes have as much to get wrong as all the other fields.
    fc.oneof(pick(fields), fc.constant('attributes' as const)),
    { maxLength: 3 },
  )
  .chain((chosen) => fc.record(Object.fromEntries(chosen.map((field) => [field, values[field]]))))
  .map((filter) => filter as LeadFilter)

// -------------------------------------------------------------------------- the plain evaluation

function selects(filter: LeadFilter, id: string, lead: Lead): boolean {
  return Object.entries(filter).every(([field, value]) => {
    if (Array.isArray(value) && value.length === 0) return field !== 'leads'
    const one = { [field]: value } as Required<LeadFilter>
    return holds[field as keyof LeadFilter](one, lead, id)
  })
}

const isWritten = (text: unknown) => typeof text === 'string' && text.trim() !== ''
const meet = (some: string[], others: string[]) => some.some((id) => others.includes(id))
const has = (lead: Lead, name: string) => Boolean(lead.columns[name])
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ς', 'σ')

type Holds = (filter: Required<LeadFilter>, lead: Lead, id: string) => boolean
const holds: Record<keyof LeadFilter, Holds> = {
  leads: (filter, _, id) => filter.leads.includes(id),
  not_leads: (filter, _, id) => !filter.not_leads.includes(id),
  is_company: (filter, lead) => has(lead, 'is_company') === filter.is_company,
  is_tracked: (filter, lead) => has(lead, 'is_tracked') === filter.is_tracked,
  is_contract: (filter, lead) => has(lead, 'is_contract') === filter.is_contract,
  ai_enabled: (filter, lead) => has(lead, 'ai_enabled') === filter.ai_enabled,
  has_icebreaker: (filter, { columns }) =>
    icebreakers.some((name) => isWritten(columns[name])) === filter.has_icebreaker,
  email_status({ email_status }, { columns }) {
    if (email_status === 'all') return true
    const actual = isWritten(columns.email) ? bounce(columns.email_bounce_score) : 'without_email'
    if (email_status === 'with_email') return actual !== 'without_email'
    return actual === email_status
  },
  search({ search }, { columns }) {
    const content = searched.map((name) => plain(String(columns[name] ?? '')))
    const wanted = search.split(' ').filter((word) => word !== '')
    return wanted.every((word) => content.some((text) => text.includes(plain(word))))
  },
  tags: ({ tags }, { related }) => meet(related.tags, tags),
  status: ({ status }, { related }) => meet(related.status, status),
  lists: ({ lists }, { related }) => meet(related.lists, lists),
  owners: ({ owners }, { related }) => meet(related.owners, owners),
  campaigns: ({ campaigns }, { related }) => meet(related.campaigns, campaigns),
  has_list: ({ has_list }, { related }) => !has_list || related.lists.length > 0,
  has_no_list: ({ has_no_list }, { related }) => !has_no_list || related.lists.length === 0,
  has_owner: ({ has_owner }, { related }) => !has_owner || related.owners.length > 0,
  has_no_owner: ({ has_no_owner }, { related }) => !has_no_owner || related.owners.length === 0,
  sequences_steps({ sequences_steps: { id = [], status = [] } }, { steps }) {
    if (id.length === 0 && status.length === 0) return true
    return steps.some(
      (step) =>
        (id.length === 0 || id.includes(step.id)) &&
        (status.length === 0 || meet(step.flags, status)),
    )
  },
  score({ score }, { columns }) {
    const actual = columns.score as number | null
    if (actual === null) return false
    return score.some((range) => {
      const [from = '', to = from] = range.split('-')
      return (from === '' || actual >= Number(from)) && (to === '' || actual <= Number(to))
    })
  },
  attributes: (filter, lead) => filter.attributes.every((entry) => entryHolds(entry, lead)),
}

function bounce(score: unknown): string {
  if (typeof score !== 'number') return 'unverified'
  return score < 50 ? 'verified' : 'risky'
}

const typeOf = (id: string) => attributes.find((candidate) => candidate.id === id)?.type

function entryHolds({ id, operator, value = '' }: AttributeCondition, lead: Lead): boolean {
  const stored = lead.attributes[id] ?? null
  const isEmpty = stored === null || stored === '' || (Array.isArray(stored) && stored.length === 0)
  if (operator === 'is_empty') return isEmpty
  if (operator === 'is_not_empty') return !isEmpty
  if (operator.startsWith('not_')) {
    const opposite = operator.slice(4) as Operator
    return !entryHolds({ id, operator: opposite, value }, lead)
  }
  switch (typeOf(id)) {
    case 'CHECKBOX':
      return (stored ?? false) === (value === 'true')
    case 'SELECT':
    case 'RELATION':
      return [stored].flat().includes(value)
    case 'NUMBER':
    case 'CURRENCY':
      return stored !== null && compare(operator, Number(stored) - Number(value))
    case 'DATE':
    case 'TIMESTAMP':
      return stored !== null && compare(operator, Date.parse(String(stored)) - Date.parse(value))
    case 'LOCATION':
      return textHolds(operator, (stored as { address?: string } | null)?.address, value)
    default:
      return textHolds(operator, stored as string | null, value)
  }
}

function compare(operator: Operator, difference: number): boolean {
  if (operator === 'equals') return difference === 0
  if (operator === 'greater_than') return difference > 0
  if (operator === 'greater_or_equal') return difference >= 0
  if (operator === 'less_than') return difference < 0
  return difference <= 0
}

function textHolds(operator: Operator, stored: string | null | undefined, value: string): boolean {
  if (stored === null || stored === undefined) return false
  if (operator === 'equals') return stored === value
  const [text, part] = [lower(stored), lower(value)]
  if (operator === 'starts_with') return text.startsWith(part)
  if (operator === 'ends_with') return text.endsWith(part)
  return text.includes(part)
}

/** Letter by letter: on its own the last letter of a Greek word comes out as any other. */
const lower = (text: string) => Array.from(text, (letter) => letter.toLowerCase()).join('')

// ------------------------------------------------------------------------------------- the tests

let space: string
beforeAll(async () => {
  space = (await app.workspace()).id_space
  const other = (await app.workspace()).id_space
  // Leads are all that a filter looks at: no need for the records they refer to.
  const foreignKeys = await app.db`
    select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'f' and conrelid::regclass::text like 'lead%'`
  for (const { table, name } of foreignKeys) {
    await app.db`alter table ${app.db(table)} drop constraint ${app.db(name)}`
  }
  const created_at = app.clock.now
  const plainFields = { slug: '', name: '', description: '', currency: '', is_system: false }
  await insert(
    app.db,
    'attribute',
    attributes.map(({ id, type, is_multi }) => ({
      ...plainFields,
      ...{ id_space: space, id, slug: id, type, is_multi, created_at, updated_at: created_at },
    })),
  )
  await insert(
    app.db,
    'attribute_option',
    attributes
      .filter(({ type }) => type === 'SELECT')
      .flatMap(({ id: id_attribute }) =>
        [red, green, blue].map((id, position) => ({
          ...{ id_space: space, id_attribute, id, name: '', color: '', position },
        })),
      ),
  )
  // In the other workspace the same leads have everything: a subquery that forgets the workspace
  // finds it there.
  const [everybody] = fc.sample(anyLead, { seed, numRuns: 1 })
  if (!everybody) return
  const related = Object.fromEntries(relationNames.map((name) => [name, relations[name].ids]))
  const steps = stepIds.map((id) => ({ id, flags: [...stepStatuses] }))
  const full = { ...everybody, related: related as Lead['related'], steps }
  await insertLeads(app.db, other, Array(leadIds.length).fill(full))
})

async function insert(db: Db, table: string, rows: Record<string, unknown>[]) {
  const [first] = rows
  if (!first) return
  const columns = db(Object.keys(first))
  await db`
    insert into ${db(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${db(table)}, ${db.json(rows as never)})`
}

async function insertLeads(db: Db, id_space: string, leads: Lead[]) {
  const all = leads.map((lead, index) => ({ ...lead, id: leadIds[index] }))
  const created_at = app.clock.now
  const statements = [
    insert(
      db,
      'lead',
      all.map(({ id, columns, attributes }) => ({
        ...{ ...columns, id_space, id, created_at, attributes },
      })),
    ),
    ...relationNames.map((name) => {
      const { table, column } = relations[name]
      const rows = all.flatMap(({ id, related }) =>
        related[name].map((other) => ({
          ...{ id_space, id_lead: id, [column]: other },
          // Several statuses of a lead are in as many lists.
          ...(name === 'status' && { id_list: other }),
        })),
      )
      return insert(db, table, rows)
    }),
    insert(
      db,
      'lead_step',
      all.flatMap(({ id, steps }) =>
        steps.map(({ id: id_step, flags }) => ({
          ...{ id_space, id_lead: id, id_step, updated_at: created_at },
          ...Object.fromEntries(stepStatuses.map((status) => [status, flags.includes(status)])),
        })),
      ),
    ),
  ]
  await Promise.all(statements)
}

async function selected(db: Db, filter: LeadFilter): Promise<string[]> {
  const condition = await leadCondition(db, space, filter, [])
  const rows = await run<{ id: string }[]>(
    db,
    sql`select id from lead
      where lead.id_space = ${space} and not lead.is_deleted and ${condition} order by id`,
  )
  return rows.map(({ id }) => id)
}

class Rollback extends Error {}

/** Does the work on a workspace with these leads, and leaves it empty. */
async function withLeads(leads: Lead[], work: (db: Db) => Promise<void>) {
  await app.db
    .begin(async (db) => {
      await insertLeads(db, space, leads)
      await work(db)
      throw new Rollback()
    })
    .catch((error) => {
      if (!(error instanceof Rollback)) throw error
    })
}

test(`selects what a plain evaluation selects (${runs} runs of seed ${seed})`, async () => {
  const check = validator(LeadFilter)
  /** What was asked of leads → the answers it got. */
  const answers = new Map<string, Set<boolean>>()
  const note = (name: string, answer: boolean) => {
    answers.set(name, (answers.get(name) ?? new Set()).add(answer))
  }

  const property = fc.asyncProperty(
    fc.array(anyLead, { minLength: 1, maxLength: leadIds.length, size: 'max' }),
    fc.array(anyFilter, { minLength: 1, maxLength: 16, size: 'max' }),
    (leads, filters) =>
      withLeads(leads, async (db) => {
        const live = leads
          .map((lead, index) => ({ lead, id: leadIds[index] ?? '' }))
          .filter(({ lead }) => !lead.columns.is_deleted)
        for (const filter of filters) {
          check(filter, 0)
          const expected = live.filter(({ id, lead }) => selects(filter, id, lead))
          const found = { filter, selected: await selected(db, filter) }
          expect(found).toEqual({ filter, selected: expected.map(({ id }) => id) })

          for (const { id, lead } of live) {
            for (const [field, value] of Object.entries(filter)) {
              note(field, selects({ [field]: value }, id, lead))
            }
            for (const entry of filter.attributes ?? []) {
              note(`${typeOf(entry.id)} ${entry.operator}`, entryHolds(entry, lead))
            }
          }
        }
      }),
  )
  await fc.assert(property, { seed, numRuns: runs })

  // Agreement means little where nothing, or everything, is ever selected.
  const asked = attributes.flatMap(({ id, operators }) =>
    operators.map((operator) => `${typeOf(id)} ${operator}`),
  )
  const idle = [...fields, ...asked].filter((name) => answers.get(name)?.size !== 2)
  expect(idle).toEqual([])
})
