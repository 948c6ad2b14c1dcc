// The compiled filter selects the same leads as the oracle, over random leads and filters.

import type { AttributeType } from '@rapport/contract/attributes'
import {
  type AttributeCondition,
  emailStatuses,
  LeadFilter,
  type Operator,
  stepStatuses,
} from '@rapport/contract/leads/filter'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import {
  conditionHolds,
  type FilteredLead,
  icebreakers,
  searchedFields,
  selects,
} from '../../test/filter-oracle.ts'
import { dropForeignKeysOfLeads } from '../../test/foreign-keys.ts'
import { service } from '../../test/harness.ts'
import { makeSearchable } from '../../test/insert-lead.ts'
import type { Db } from '../db/driver.ts'
import { columnNames, jsonb, raw, run, sql } from '../db/sql.ts'
import { validator } from '../http/validate.ts'
import { leadCondition } from '../resources/leads/leads.filter.ts'

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

// ---------------------------------------------------------------------- random leads and filters

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
  /** Values of leads. */
  values: unknown[]
  /** Values in filters. */
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

/** A lead without an id: its index decides that. */
type Lead = Omit<FilteredLead, 'id' | 'related'> & {
  related: Record<keyof typeof relations, string[]>
}

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values)
const some = <T>(values: readonly T[]) => fc.subarray([...values])
/** Mostly null, so that filters distinguish the leads. */
const rarely = <T>(values: readonly T[]) =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 5 }, { arbitrary: pick(values), weight: 1 })

/** Around the beginnings of two days. */
const createdAt = [
  '2026-01-30T23:59:59.999Z',
  '2026-01-31T00:00:00.000Z',
  '2026-02-01T00:00:00.000Z',
]
const day = pick(['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02'])

const anyLead: fc.Arbitrary<Lead> = fc.record({
  fields: fc.record<Record<string, unknown>>({
    ...Object.fromEntries(searchedFields.map((name) => [name, rarely(texts)])),
    ...Object.fromEntries(icebreakers.map((name) => [name, rarely(['', ' \t\n', 'Hi'])])),
    email: pick([null, '', ' ', 'ada@example.com', 'ÅSE@example.com']),
    email_bounce_score: pick([null, 0, 49, 50, 100]),
    score: pick([null, -5, 0, 9, 10, 20, 21, 42, 80, 81, 100]),
    is_company: fc.boolean(),
    is_contract: fc.boolean(),
    is_tracked: pick([true, false, null]),
    ai_enabled: fc.boolean(),
    is_deleted: pick([false, false, false, false, true]),
    created_at: pick(createdAt),
  }),
  changes: fc.array(fc.record({ by: pick(relations.owners.ids), at: pick(createdAt) }), {
    maxLength: 2,
  }),
  related: fc.record({
    tags: some(relations.tags.ids),
    lists: some(relations.lists.ids),
    status: some(relations.status.ids),
    owners: some(relations.owners.ids),
    campaigns: some(relations.campaigns.ids),
  }),
  steps: fc.uniqueArray(fc.record({ id: pick(stepIds), states: some(stepStatuses) }), {
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
  created_after: day,
  created_before: day,
  changed: fc.record({ by: ids(relations.owners.ids), after: day }, { requiredKeys: [] }),
  attributes: fc.array(anyEntry, { maxLength: 3 }),
}
const fields = Object.keys(values) as (keyof LeadFilter)[]
const anyFilter = fc
  .uniqueArray(
    // Conditions on attributes have as many cases as all other fields together.
    fc.oneof(pick(fields), fc.constant('attributes' as const)),
    { maxLength: 3 },
  )
  .chain((chosen) => fc.record(Object.fromEntries(chosen.map((field) => [field, values[field]]))))
  .map((filter) => filter as LeadFilter)

const typeOf = (id: string) => attributes.find((candidate) => candidate.id === id)?.type

// ------------------------------------------------------------------------------------- the tests

let space: string
beforeAll(async () => {
  space = (await app.workspace()).id_space
  const other = (await app.workspace()).id_space
  await dropForeignKeysOfLeads(app.db)
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
  // In the other workspace the same leads have all relations: a subquery without id_space finds
  // those.
  const [lead] = fc.sample(anyLead, { seed, numRuns: 1 })
  if (!lead) return
  const related = Object.fromEntries(relationNames.map((name) => [name, relations[name].ids]))
  const steps = stepIds.map((id) => ({ id, states: [...stepStatuses] }))
  const full = { ...lead, related: related as Lead['related'], steps }
  await insertLeads(app.db, other, Array(leadIds.length).fill(full))
})

async function insert(db: Db, table: string, rows: Record<string, unknown>[]) {
  const [first] = rows
  if (!first) return
  const columns = columnNames(Object.keys(first))
  await run(
    db,
    sql`
    insert into ${raw(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${raw(table)}, ${jsonb(rows)})`,
  )
}

async function insertLeads(db: Db, id_space: string, leads: Lead[]) {
  const all = leads.map((lead, index) => ({ ...lead, id: leadIds[index] }))
  const updated_at = app.clock.now
  const statements = [
    insert(
      db,
      'lead',
      all.map(({ id, fields, attributes }) => ({
        ...{ ...fields, id_space, id, attributes },
      })),
    ),
    ...relationNames.map((name) => {
      const { table, column } = relations[name]
      const rows = all.flatMap(({ id, related }) =>
        related[name].map((other) => ({
          ...{ id_space, id_lead: id, [column]: other },
          // A lead has one status in each list, so each status gets its own list.
          ...(name === 'status' && { id_list: other }),
        })),
      )
      return insert(db, table, rows)
    }),
    insert(
      db,
      'lead_step',
      all.flatMap(({ id, steps }) =>
        steps.map(({ id: id_step, states }) => ({
          ...{ id_space, id_lead: id, id_step, updated_at },
          ...Object.fromEntries(stepStatuses.map((status) => [status, states.includes(status)])),
        })),
      ),
    ),
    insert(
      db,
      'event',
      all
        .flatMap(({ id, changes = [] }) => changes.map((change) => ({ id, ...change })))
        .map(({ id, by, at }, index) => ({
          ...{ id_space, seq: index + 1, type: 'lead.updated', at, id_member: by, way: 'api' },
          ids: [id],
        })),
    ),
  ]
  await Promise.all(statements)
  await makeSearchable(db, id_space)
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

/** Does the work in a workspace with these leads, and rolls everything back. */
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

test(`selects what the oracle selects (${runs} runs of seed ${seed})`, async () => {
  const check = validator(LeadFilter)
  /** Field or condition → the results that occurred. */
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
          .map((lead, index) => ({ ...lead, id: leadIds[index] ?? '' }))
          .filter(({ fields }) => !fields.is_deleted)
        for (const filter of filters) {
          check(filter)
          const expected = live.filter((lead) => selects(filter, lead, typeOf))
          const found = { filter, selected: await selected(db, filter) }
          expect(found).toEqual({ filter, selected: expected.map(({ id }) => id) })

          for (const lead of live) {
            for (const [field, value] of Object.entries(filter)) {
              note(field, selects({ [field]: value }, lead, typeOf))
            }
            for (const entry of filter.attributes ?? []) {
              note(`${typeOf(entry.id)} ${entry.operator}`, conditionHolds(entry, lead, typeOf))
            }
          }
        }
      }),
  )
  await fc.assert(property, { seed, numRuns: runs })

  // Agreement proves little if a condition was never true, or never false.
  const asked = attributes.flatMap(({ id, operators }) =>
    operators.map((operator) => `${typeOf(id)} ${operator}`),
  )
  const idle = [...fields, ...asked].filter((name) => answers.get(name)?.size !== 2)
  expect(idle).toEqual([])
})
