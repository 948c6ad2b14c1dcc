// Every order and every field of the filter, one request at a time, in the largest workspace.
import { attributeTable } from '@rapport/contract/attributes.values'
import { restRequest } from '../test/http-client.ts'
import type { BenchData } from './data.ts'
import { median } from './figures.ts'
import type { Running } from './processes.ts'

export interface FilterCase {
  name: string
  /** At most this many milliseconds. */
  most: number
  path: string
  body: object
}

export interface FilterTime extends FilterCase {
  ms: number
}

const orderLimit = 300
const filterLimit = 500
const listLimit = 50

/** What has this limit. */
export const groupOf = (most: number) =>
  most === orderLimit ? 'orders' : most === filterLimit ? 'filters' : 'lists of notes and reminders'

type Body = Record<string, unknown>

export function filterCases({ workspace, owner }: BenchData): FilterCase[] {
  const { attributes, campaign, step } = workspace
  const id = (entries: { id: string }[], at = 0) => entries[at]?.id as string
  const list = (name: string, body: Body, most: number): FilterCase => ({
    ...{ name, most, path: '/leads/list', body },
  })
  const order = (field: string, type: 'asc' | 'desc') =>
    list(`order by ${field}, ${type}`, { orderBy: [{ field, type }] }, orderLimit)
  const filter = (name: string, filter: Body) => list(name, { filter }, filterLimit)
  const attribute = (name: keyof typeof attributes, operator: string, value: string) => ({
    id: attributes[name],
    operator,
    ...(/empty$/.test(operator) ? {} : { value }),
  })
  const field = (name: string, operator: string, value?: unknown) => ({
    fields: [{ field: name, operator, ...(value !== undefined && { value }) }],
  })
  const onField = (name: string, operator: string, value?: unknown) =>
    filter(`field ${name} ${operator}`, field(name, operator, value))
  const example = { text: 'Code 42', number: '500', select: id(workspace.options, 1) }
  const typeOf = { text: 'TEXT', number: 'NUMBER', select: 'SELECT' } as const
  const names = ['text', 'number', 'select'] as const

  return [
    list('first page', {}, orderLimit),
    ...['created_at', 'last_name', 'company', 'last_interaction_at', 'updated_at'].flatMap(
      (field) => [order(field, 'asc'), order(field, 'desc')],
    ),
    ...['contract_value', 'score'].flatMap((field) => [order(field, 'asc'), order(field, 'desc')]),
    ...['status', 'owners', attributes.number, attributes.text].map((field, at) =>
      list(
        `order by ${['status', 'owners', 'a number', 'a text'][at]}, then last_name`,
        { orderBy: [{ field }, { field: 'last_name' }] },
        filterLimit,
      ),
    ),
    list(
      'mode pipeline of a list of a tenth',
      { mode: 'pipeline', filter: { lists: [id(workspace.lists)] } },
      orderLimit,
    ),
    list(
      'a list of a tenth by last_name',
      { orderBy: [{ field: 'last_name' }], filter: { lists: [id(workspace.lists)] } },
      filterLimit,
    ),
    filter('leads', { leads: [owner] }),
    filter('not_leads', { not_leads: [owner] }),
    ...['is_company', 'is_tracked', 'is_contract', 'ai_enabled', 'has_icebreaker'].flatMap(
      (name) => [filter(name, { [name]: true }), filter(`not ${name}`, { [name]: false })],
    ),
    ...['with_email', 'without_email', 'verified', 'risky', 'unverified'].map((email_status) =>
      filter(`email_status ${email_status}`, { email_status }),
    ),
    filter('search, a rare word', { search: 'dijkstra42' }),
    filter('search, a word of 2 %', { search: 'kowalski' }),
    filter('search, a word of nearly all', { search: 'example' }),
    filter('search, two letters', { search: 'ro' }),
    filter('search, three words', { search: 'grace hopper robotics' }),
    // As many words as a search may have, each in nearly all leads.
    filter('search, ten common words', { search: 'example com exa xam amp mpl ple co om e' }),
    filter('tags, 10 %', { tags: [id(workspace.tags, 2)] }),
    filter('tags, 30 %', { tags: [id(workspace.tags, 1)] }),
    filter('tags, 1 %, the newest leads', { tags: [workspace.ages.new] }),
    filter('tags, 1 %, the oldest leads', { tags: [workspace.ages.old] }),
    filter('tags, three', { tags: workspace.tags.slice(0, 3).map((tag) => tag.id) }),
    filter('status of a list', { status: [id(workspace.listStatuses)] }),
    filter('status, 30 %', { status: [id(workspace.statuses)] }),
    filter('lists, 40 %', { lists: [id(workspace.lists, 1)] }),
    filter('has_list', { has_list: true }),
    filter('has_no_list', { has_no_list: true }),
    filter('owners, 50 %', { owners: [owner] }),
    filter('has_owner', { has_owner: true }),
    filter('has_no_owner', { has_no_owner: true }),
    filter('campaigns', { campaigns: [campaign] }),
    filter('sequences_steps, opened', { sequences_steps: { id: [step], status: ['is_opened'] } }),
    filter('score 80-', { score: ['80-'] }),
    filter('created_after', { created_after: '2025-01-01' }),
    filter('created_before', { created_before: '2024-03-01' }),
    filter('changed by a member', { changed: { by: [owner] } }),
    filter('changed after a day', { changed: { after: '2025-10-01' } }),
    ...names.flatMap((name) =>
      attributeTable[typeOf[name]].operators.map((operator) =>
        filter(`attribute ${name} ${operator}`, {
          attributes: [attribute(name, operator, example[name])],
        }),
      ),
    ),
    onField('city', 'is', 'London'),
    onField('city', 'is_not', 'London'),
    onField('company', 'contains', 'robot'),
    onField('company', 'not_contains', 'robot'),
    onField('last_name', 'starts_with', 'ho'),
    onField('email', 'ends_with', '.com'),
    onField('company_role', 'is_empty'),
    onField('phone', 'is_not_empty'),
    onField('usersId', 'is_empty'),
    onField('contract_currency', 'is', 'EUR'),
    onField('contract_value', 'greater_than', 10_000),
    onField('contract_value', 'between', [1_000, 10_000]),
    onField('contract_value', 'is_empty'),
    onField('score', 'not_equals', 42),
    onField('is_draft', 'is', false),
    onField('custom_fields', 'is_not_empty'),
    onField('last_interaction_at', 'before', '-14d'),
    onField('updated_at', 'in_last', '6m'),
    onField('created_at', 'this_quarter'),
    onField('created_at', 'between', ['2025-01-01', '2025-03-31']),
    filter('reminders, overdue', { reminders: { due: 'overdue' } }),
    filter('reminders, this week', { reminders: { due: 'this_week' } }),
    filter('notes since a day', { notes: { since: '2025-06-01' } }),
    filter('no notes for 14 days', { notes: { none_since: '-14d' } }),
    filter('activity since a day', { activity: { since: '2025-10-01' } }),
    filter('no activity for 14 days', { activity: { none_since: '-14d' } }),
    filter('no activity since a day', { activity: { none_since: '2025-10-01' } }),
    filter('none of a tag of 30 %', { none: [{ tags: [id(workspace.tags, 1)] }] }),
    filter('none of a status of 30 %', { none: [{ status: [id(workspace.statuses)] }] }),
    filter('none of a list of 40 %', { none: [{ lists: [id(workspace.lists, 1)] }] }),
    filter('none of an owner of 50 %', { none: [{ owners: [owner] }] }),
    filter('none of a word', { none: [{ search: 'kowalski' }] }),
    filter('any of two cities', {
      any: [field('city', 'is', 'London'), field('city', 'is', 'Rome')],
    }),
    filter('any of a tag of 30 %, a list of 40 % and an owner', {
      any: [
        { tags: [id(workspace.tags, 1)] },
        { lists: [id(workspace.lists, 1)] },
        { owners: [owner] },
      ],
    }),
    filter('any of a word and a value', {
      any: [{ search: 'kowalski' }, field('contract_value', 'greater_than', 10_000)],
    }),
    filter('proposals over 10,000, untouched, not tagged, in two cities', {
      status: [id(workspace.statuses)],
      ...field('contract_value', 'greater_than', 10_000),
      activity: { none_since: '-14d' },
      any: [field('city', 'is', 'London'), field('city', 'is', 'Rome')],
      none: [{ tags: [id(workspace.tags, 1)] }],
    }),
    filter('four: tag, owner, score, verified', {
      tags: [id(workspace.tags, 1)],
      owners: [owner],
      score: ['50-'],
      email_status: 'verified',
    }),
    filter('four: not tracked, no list, icebreaker, number', {
      is_tracked: false,
      has_no_list: true,
      has_icebreaker: true,
      attributes: [attribute('number', 'greater_than', '500')],
    }),
    filter('four: search, status, person, option', {
      search: 'head',
      status: [id(workspace.statuses)],
      is_company: false,
      attributes: [attribute('select', 'equals', example.select)],
    }),
    filter('four: no owner, contract, campaign, text', {
      has_no_owner: true,
      is_contract: true,
      campaigns: [campaign],
      attributes: [attribute('text', 'contains', '42')],
    }),
    { name: 'notes of the workspace', most: listLimit, path: '/notes/list', body: {} },
    { name: 'reminders of the workspace', most: listLimit, path: '/reminders/list', body: {} },
  ]
}

/** The median of a few warm requests of each case. */
export async function timeFilters(
  service: Running,
  data: BenchData,
  rounds: number,
  note: (time: FilterTime) => void,
): Promise<FilterTime[]> {
  const times: FilterTime[] = []
  for (const each of filterCases(data)) {
    const request = restRequest(data.key, 'POST', each.path, each.body)
    const seen: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const started = performance.now()
      await service.send(request)
      seen.push(performance.now() - started)
    }
    // The first one warms up.
    const time = { ...each, ms: median(seen.slice(1)) }
    times.push(time)
    note(time)
  }
  return times
}
