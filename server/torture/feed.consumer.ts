// A consumer of the change feed. It keeps a copy of the workspace, made from events and reads alone. It is
// killed again and again, and continues from its cursor.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '@rapport/contract'
import type { Random } from '../src/random.ts'
import type { Client } from './client.ts'
import { Breach } from './torture.ts'

// biome-ignore lint/suspicious/noExplicitAny: a record is whatever the service sent
type Record_ = any

/** What it would have on its disk. Written at once, after a whole page. */
interface Saved {
  cursor: string
  seq: number
  leads: Map<string, Record_>
  tags: Record_[]
  lists: Record_[]
}

/** What one response of the feed changes. */
interface Page extends Pick<Saved, 'cursor' | 'tags' | 'lists'> {
  events: Event[]
  /** Leads that may have changed, and those of them that exist. */
  touched: string[]
  read: Record_[]
}

/** Small pages, so that many of them are full. */
const largestPage = 40

export class Consumer {
  /** Ids of all records whose creation was in the feed. */
  readonly created = new Set<string>()
  readonly counts = { events: 0, deaths: 0 }
  readonly #client: Client
  readonly #random: Random
  readonly #values = new Map<string, unknown>()
  #saved: Saved = { cursor: 'start', seq: 0, leads: new Map(), tags: [], lists: [] }
  #life = 0
  #stopped = false
  #running: Promise<void> | undefined
  #breach: unknown

  constructor(client: Client, random: Random) {
    this.#client = client
    this.#random = random
  }

  start(): void {
    this.#running = this.#run().catch((error) => {
      this.#breach = error
    })
  }

  /** What it is doing is lost. What it has saved is not. */
  kill(): void {
    this.#life++
    this.counts.deaths++
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
    this.check()
  }

  /** Throws if it saw a breach. */
  check(): void {
    if (this.#breach) throw this.#breach
  }

  get cursor(): string {
    return this.#saved.cursor
  }

  get copy(): Pick<Saved, 'leads' | 'tags' | 'lists'> {
    return this.#saved
  }

  /** The last value of a field of a lead, as the feed told it. */
  lastValue(id: string, field: string): unknown {
    return this.#values.get(`${id} ${field}`)
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const life = this.#life
      const next = await this.#readPage(this.#saved)
      if (next === undefined) await sleep(20)
      else if (life === this.#life) this.#save(next)
    }
  }

  /** Everything that a page changes; undefined when the service is away. */
  async #readPage(saved: Saved): Promise<Page | undefined> {
    const { cursor } = saved
    const limit = this.#random.between(1, largestPage)
    const path = `/events?after=${cursor}&limit=${limit}&wait=2`
    const page = await this.#client.send({ method: 'GET', path })
    if (!page) return undefined
    const events: Event[] = page.events
    const touched = [...new Set(events.flatMap(leadsOf))]
    const read: Record_[] = []
    for (let at = 0; at < touched.length; at += 1000) {
      const body = { filter: { leads: touched.slice(at, at + 1000) }, pagination: { all: true } }
      const wanted = { method: 'POST', path: '/leads/list', body, streams: true } as const
      const found = await this.#client.send(wanted)
      if (!found) return undefined
      read.push(...found.leads)
    }
    const about = (record: string) => events.some(({ type }) => type.startsWith(`${record}.`))
    const tags = about('tag')
      ? await this.#client.send({ method: 'GET', path: '/tags' })
      : saved.tags
    const lists = about('list')
      ? await this.#client.send({ method: 'GET', path: '/lists' })
      : saved.lists
    if (!tags || !lists) return undefined
    return { cursor: page.next as string, events, touched, read, tags, lists }
  }

  #save(page: Page): void {
    const { leads, seq: last } = this.#saved
    let seq = last
    for (const event of page.events) {
      if (event.seq !== seq + 1) {
        throw new Breach(`Event ${event.seq} came after event ${seq}`)
      }
      seq = event.seq
      this.#remember(event)
    }
    for (const id of page.touched) leads.delete(id)
    for (const lead of page.read) leads.set(lead.id, lead)
    this.counts.events += page.events.length
    this.#saved = { cursor: page.cursor, seq, leads, tags: page.tags, lists: page.lists }
  }

  #remember({ seq, type, ids, changed }: Event): void {
    if (type.endsWith('.created')) for (const id of ids) this.created.add(id)
    if (type !== 'lead.updated') return
    for (const [field, pair] of Object.entries(changed)) {
      const [before, after] = pair as [unknown, unknown]
      // Relations have what was removed and added.
      if (Array.isArray(before) || Array.isArray(after)) continue
      for (const id of ids) {
        const place = `${id} ${field}`
        if (this.#values.has(place) && this.#values.get(place) !== before) {
          throw new Breach(
            `Event ${seq} changes ${field} of lead ${id} from ${before}, but the event before left ${this.#values.get(place)}`,
          )
        }
        this.#values.set(place, after)
      }
    }
  }
}

/** The leads that an event is about, and those that it implies. See docs/EVENTS.md. */
function leadsOf({ type, ids, changed }: Event): string[] {
  if (type.startsWith('lead.')) return ids
  // The last interaction of its lead is the time of its newest note.
  const lead = type === 'note.created' ? (changed.id_lead as unknown[] | undefined)?.[1] : undefined
  return typeof lead === 'string' ? [lead] : []
}
