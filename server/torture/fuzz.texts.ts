// Texts are read back unchanged, and characters with a meaning in SQL or LIKE have none here.

import type { LeadFilter, Operator } from '@rapport/contract/leads/filter'
import type { Random } from '../src/random.ts'
import { type FilteredLead, knownTypes, selects } from '../test/filter-oracle.ts'
import type { Answer } from '../test/http-client.ts'
import type { Document, Operation } from './fuzz.document.ts'
import { make, type Workshop } from './fuzz.requests.ts'
import { oddText } from './fuzz.values.ts'
import type { Workspace } from './service.ts'
import { Breach } from './torture.ts'

type Fields = Record<string, unknown>

export interface TextTally {
  requests: number
  /** Every field that was written and read back: "POST /lead first_name". */
  fields: Set<string>
  values: number
  searches: number
}

/** Strings with a format: they do not take any text. */
const formatted = ['cron', 'contract_value', 'contract_amount', 'currency', 'url']

/** An unusual text for each field of the body that takes any text. */
function oddFields({ document, records, random }: Workshop, operation: Operation): Fields {
  const { properties = {} } = document.resolve(operation.body ?? {})
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const { type, format, pattern, enum: values, maxLength = 200 } = document.resolve(schema)
    const isText = [type].flat().includes('string') && !format && !values
    if (!isText || (pattern && pattern !== '\\S')) return []
    if (formatted.includes(name) || records.kindOf(name, operation.kind)) return []
    return [[name, `${oddText(random)}x${oddText(random)}`.slice(0, maxLength)]]
  })
  return Object.fromEntries(entries)
}

/** What else the body needs: its required fields, and its times. */
function companions(shop: Workshop, operation: Operation): Fields {
  const { properties = {}, required = [] } = shop.document.resolve(operation.body ?? {})
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    // Only calls and meetings have it, and they were in the past.
    if (name === 'happened_at') return []
    if (schema.format === 'date-time') return [[name, '2090-01-01T00:00:00.000Z']]
    if (!required.includes(name)) return []
    if (schema.format === 'date') return [[name, '2026-01-01']]
    if (name === 'url') return [[name, 'https://hooks.example.com/']]
    return [[name, schema.enum?.[0] ?? make(shop, schema, name, operation.kind)]]
  })
  return Object.fromEntries(entries)
}

const returnsRecord = ({ answer }: Operation) => answer?.properties?.id !== undefined

/**
 * Names of people and keys are one line without outer spaces, so not every text is kept as it is. An
 * operation and a rate keep no text of their own.
 */
const notKept = ['member', 'key', 'operation', 'rate']

/** Operations that create or change a record and return it, with any text. */
export function writers({ operations }: Document): Operation[] {
  return operations.filter(
    (operation) =>
      returnsRecord(operation) &&
      !notKept.includes(operation.kind) &&
      (operation.method === 'PATCH' || /^\/\w+$/.test(operation.path)) &&
      ['POST', 'PATCH'].includes(operation.method),
  )
}

/** Writes unusual texts into all text fields of the operation and reads them back. */
export async function roundTrip(
  shop: Workshop,
  space: Workspace,
  operation: Operation,
  tally: TextTally,
): Promise<void> {
  const { document } = shop
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    tally.requests++
    const answer = await space.call(method, path, body)
    if (answer.status === 200) return answer
    const sent = JSON.stringify(body)
    throw new Breach(`${method} ${path} refused text that it can store: ${sent}: ${answer.text}`)
  }
  const base = operation.path.replace('/{id}', '')
  let path = operation.path
  if (operation.method === 'PATCH') {
    const creator = document.operations.find(({ name }) => name === `POST ${base}`)
    if (!creator) return
    const fields = { ...companions(shop, creator), ...oddFields(shop, creator) }
    path = path.replace('{id}', (await call('POST', base, fields)).body.id)
  }
  const sent = oddFields(shop, operation)
  const written = await call(operation.method, path, { ...companions(shop, operation), ...sent })
  const read = await readBack(document, base, written.body.id, call)
  for (const [field, value] of Object.entries(sent)) {
    // Some fields are not part of the response.
    if (!(field in written.body)) continue
    tally.fields.add(`${operation.name} ${field}`)
    tally.values++
    for (const [how, record] of Object.entries({ returned: written.body, read })) {
      if (record[field] === value) continue
      const came = JSON.stringify(record[field])
      throw new Breach(`${operation.name} ${field}: ${JSON.stringify(value)} is ${how} as ${came}`)
    }
  }
}

/** Reads the record by its own route, or in the list of all. */
async function readBack(
  { operations }: Document,
  base: string,
  id: string,
  call: (method: string, path: string, body?: unknown) => Promise<Answer>,
): Promise<Fields> {
  const has = (name: string) => operations.some((operation) => operation.name === name)
  if (has(`GET ${base}/{id}`)) return (await call('GET', `${base}/${id}`)).body
  const { body } = has(`GET ${base}`)
    ? await call('GET', base)
    : await call('POST', `${base}/list`, { pagination: { page_size: 1000 } })
  const found = [body].flat().find((record) => record.id === id)
  if (!found) throw new Breach(`${base} does not list ${id}, although it was just written`)
  return found
}

const alphabet = ['a', 'b', '%', '_', '\\', "'", '"', ';--', '$1', '😀', 'ש']

const word = (random: Random, most: number) =>
  Array.from({ length: random.between(1, most) }, () => random.pick(alphabet)).join('')

const textOperators: Operator[] = [
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'equals',
  'not_equals',
]

/** Searches for texts with % and _ in them: these must not work as wildcards. */
export async function literalSearches(
  space: Workspace,
  random: Random,
  tally: TextTally,
  rounds: number,
): Promise<void> {
  const call = async (path: string, body: object) => {
    tally.requests++
    const { status, text, body: answer } = await space.call('POST', path, body)
    if (status !== 200) throw new Breach(`POST ${path} ${JSON.stringify(body)}: ${text}`)
    return answer
  }
  const attribute = (await call('/attributes', { type: 'TEXT', name: 'Literal' })).id
  const leads: FilteredLead[] = []
  const reminders = new Map<string, string>()
  for (let index = 0; index < 30; index++) {
    const text = word(random, 6)
    const written = { first_name: text, attributes: { [attribute]: text } }
    const { id } = await call('/lead', written)
    const { attributes, ...fields } = written
    leads.push({ id, fields, related: {}, steps: [], attributes })
    const reminder = await call('/reminders', { name: text, cron: '0 0 1 1 *', id_lead: id })
    reminders.set(reminder.id, text)
  }
  const page = { pagination: { page_size: 1000 } }
  const compare = (what: string, found: { id: string }[], expected: string[]) => {
    tally.searches++
    const ids = found.map(({ id }) => id)
    if (ids.sort().join() === expected.sort().join()) return
    throw new Breach(`${what} found ${ids.length} records instead of ${expected.length}`)
  }
  const known = knownTypes(() => 'TEXT')
  const compareLeads = async (condition: LeadFilter) => {
    const filter = { ...condition, leads: leads.map(({ id }) => id) }
    const found = await call('/leads/list', { filter, ...page })
    const expected = leads.filter((lead) => selects(filter, lead, known))
    compare(
      JSON.stringify(condition),
      found.leads,
      expected.map(({ id }) => id),
    )
  }
  for (let round = 0; round < rounds; round++) {
    const wanted = word(random, 2)
    await compareLeads({ search: wanted })
    const operator = random.pick(textOperators)
    await compareLeads({ attributes: [{ id: attribute, operator, value: wanted }] })
    const due = await call('/reminders/list', { filter: { search: wanted }, ...page })
    const own = due.data.filter(({ id }: { id: string }) => reminders.has(id))
    const named = [...reminders].filter(([, name]) => name.includes(wanted))
    compare(
      `Searching reminders for ${JSON.stringify(wanted)}`,
      own,
      named.map(([id]) => id),
    )
  }
}
