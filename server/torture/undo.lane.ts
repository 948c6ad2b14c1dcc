// A writer with leads of its own. It does operations and takes them back, and knows at every moment what
// must be there.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '@rapport/contract/operations'
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import type { Client, Request } from './client.ts'
import { Breach } from './torture.ts'

/** Records that operations put on leads. */
export interface Records {
  tags: string[]
  lists: string[]
  status: string[]
  owners: string[]
  attribute: string
}

// biome-ignore lint/suspicious/noExplicitAny: a lead is whatever the service sent
type Lead = any
type Leads = Map<string, Lead>

export interface Counts {
  operations: number
  undos: number
  redos: number
  unknown: number
}

const fewest = 20
const imported = 15

export class Lane {
  readonly #client: Client
  readonly #random: Random
  readonly #records: Records
  readonly #name: string
  readonly #counts: Counts
  #numbers = 0

  constructor(client: Client, random: Random, records: Records, name: string, counts: Counts) {
    this.#client = client
    this.#random = random
    this.#records = records
    this.#name = name
    this.#counts = counts
  }

  /** One operation, undone some times. */
  async round(): Promise<void> {
    const before = await this.#look()
    const operation = await this.#operate(before)
    const after = await this.#look()
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (id) => !isDeepStrictEqual(before.get(id), after.get(id)),
    )
    if (operation?.state !== 'done') {
      this.#counts.unknown++
      // An import that was interrupted keeps the batches that were done.
      if (changed.length > 0 && operation?.kind !== 'import') {
        throw new Breach(
          `${changed.length} leads changed, but their operation is ${operation?.state ?? 'not listed'}`,
        )
      }
      return
    }
    this.#counts.operations++
    if (operation.kind !== 'import' && operation.changed !== changed.length) {
      throw new Breach(
        `${operation.kind} ${operation.id} says ${operation.changed} leads, but ${changed.length} changed`,
      )
    }
    let last = operation
    for (let turns = this.#random.between(0, 3), turn = 1; turn <= turns; turn++) {
      last = await undo(this.#client, last.id)
      if (turn % 2 === 1) this.#counts.undos++
      else this.#counts.redos++
      const what = `undo ${turn} of ${operation.kind} ${operation.id}`
      if (last.kept !== 0) {
        throw new Breach(`${what} kept values without reason: ${JSON.stringify(last.kept_reasons)}`)
      }
      requireSame(turn % 2 === 1 ? before : after, await this.#look(), what)
    }
  }

  async #operate(leads: Leads): Promise<Operation | undefined> {
    const mark = newId()
    const { downs } = this.#client
    if (leads.size < fewest || this.#random.chance(0.15)) {
      await this.#client.send(this.#import([...leads.values()], mark))
    } else {
      const wanted = randomOperation(this.#random, this.#records, [...leads.keys()], mark)
      const preview = { method: 'POST', path: '/operations/preview', body: wanted }
      const { confirm, count } = await answered(this.#client, preview)
      if (count > leads.size) throw new Breach(`A preview of ${leads.size} leads counts ${count}`)
      const wait = this.#random.chance(0.7)
      const body = { ...wanted, confirm, wait }
      await this.#client.send({ method: 'POST', path: '/operations', body })
    }
    return findOperation(this.#client, mark, downs)
  }

  /** Changes some leads and makes others. */
  #import(leads: Lead[], mark: string): Request {
    const known = leads.filter(() => this.#random.chance(0.5)).map(({ email }) => email)
    const fresh = Array.from(
      { length: imported },
      () => `${this.#name}-${this.#numbers++}@example.com`,
    )
    const rows = [...known, ...fresh].map(
      (email) => `${email},${this.#name},${this.#random.pick(cities)}`,
    )
    const query = new URLSearchParams({ upsert_by: 'email', tag: mark })
    return {
      method: 'POST',
      path: `/leads/import?${query}`,
      body: `email,last_name,city\n${rows.join('\n')}\n`,
      type: 'text/csv',
    }
  }

  async #look(): Promise<Leads> {
    const body = { filter: { search: this.#name }, pagination: { all: true } }
    const wanted = { method: 'POST', path: '/leads/list', body, streams: true } as const
    const { leads } = await answered(this.#client, wanted)
    return new Map(leads.map((lead: Lead) => [lead.id, plain(lead)]))
  }
}

/** Without what moves with every change, and without the order of relations. */
function plain({ updated_at, ...lead }: Lead): Lead {
  const byId = (a: Lead, b: Lead) => (a.id < b.id ? -1 : 1)
  for (const name of ['lists', 'status', 'tags', 'owners']) lead[name].sort(byId)
  return lead
}

function requireSame(expected: Leads, seen: Leads, what: string): void {
  if (isDeepStrictEqual(expected, seen)) return
  const ids = new Set([...expected.keys(), ...seen.keys()])
  for (const id of ids) {
    const [wanted, found] = [expected.get(id), seen.get(id)]
    if (isDeepStrictEqual(wanted, found)) continue
    throw new Breach(
      `After ${what}, lead ${id} is not as it was:\n${JSON.stringify(wanted)}\n${JSON.stringify(found)}`,
    )
  }
}

const cities = ['Rome', 'Paris', 'Oslo', "L'Aquila", '"Quoted"', 'Zürich']

/** A bulk change of some of these leads. The filter has a mark by which its operation is found. */
export function randomOperation(
  random: Random,
  { tags, lists, status, owners, attribute }: Records,
  leads: string[],
  mark: string,
) {
  const some = (ids: string[]) => ids.filter(() => random.chance(0.5))
  const filter = { leads: leads.filter(() => random.chance(0.7)), not_leads: [mark] }
  const [id_list, id_source] = random.chance(0.5) ? lists : lists.toReversed()
  const parts: object[] = [
    { city: random.pick([...cities, null]) },
    { phone: String(random.between(1, 3)), contract_value: random.pick([100, null]) },
    { attributes: { [attribute]: random.pick(['small', 'large', null]) } },
    { custom_fields: random.pick([{ a: null }, ['x'], 'text', null]) },
    { tags: some(tags) },
    { tags_connect: some(tags), tags_disconnect: some(tags) },
    { lists: some(lists) },
    { lists_connect: some(lists) },
    { status: some(status) },
    { status_connect: some(status), status_disconnect: some(status) },
    { owners: some(owners) },
  ]
  const update = Object.assign({}, ...parts.filter(() => random.chance(0.3)))
  const { kind, data } = random.weighted([
    { weight: 8, kind: 'update', data: update },
    { weight: 1, kind: 'track', data: { remove_tracking: random.chance(0.5) } },
    { weight: 1, kind: 'add-list', data: { id_list } },
    { weight: 1, kind: 'move-leads', data: { id_list, id_source } },
    { weight: 1, kind: 'remove-leads', data: { id_list } },
    { weight: 1, kind: 'distribute', data: { owners } },
    { weight: 1, kind: 'delete', data: {} },
  ])
  return { kind, filter, data }
}

/** Repeats a request that may be repeated until it is answered. */
export async function answered(client: Client, request: Request) {
  for (;;) {
    const body = await client.send(request)
    if (body !== undefined) return body
    await sleep(20)
  }
}

/**
 * The operation with this mark, when it has ended. Undefined: there is none. It was sent after the server
 * had been killed `downs` times: if it runs although it was killed again, nobody works on it anymore.
 */
export async function findOperation(
  client: Client,
  mark: string,
  downs: number,
): Promise<Operation | undefined> {
  for (;;) {
    const isDead = client.downs !== downs
    const page = await answered(client, { method: 'GET', path: '/operations?limit=200' })
    const found = page.operations.find((each: Operation) => JSON.stringify(each).includes(mark))
    if (found?.state !== 'running' || isDead) return found
    await sleep(20)
  }
}

/** Undoes an operation. If no response comes, the operation itself shows whether it was done. */
export async function undo(client: Client, id: string): Promise<Operation> {
  for (;;) {
    const done = await client.send({ method: 'POST', path: `/operations/${id}/undo` })
    if (done !== undefined) return done
    const { undone_by } = await answered(client, { method: 'GET', path: `/operations/${id}` })
    if (undone_by) return answered(client, { method: 'GET', path: `/operations/${undone_by}` })
    await sleep(20)
  }
}
