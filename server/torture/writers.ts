// Concurrent writers that continue whatever happens to the service.
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import type { Client, Request } from './client.ts'
import { type Group, Ledger, operation, variants } from './ledger.ts'
import { Breach, type Size } from './torture.ts'
import { until } from './until.ts'

const groupSize = 60
const importSize = 150
/** Reminders come due within this time, which is during the torture. */
const dueWithinMs = 3_000
/** Short runs leave the cores to the tests beside them. */
const paces = {
  // `groups`: of leads that are changed together. `pauseMs`: after each request, as real clients make it. `times`: how
  // often each writes until all is well again.
  short: { groups: 1, pauseMs: 100, times: 1 },
  long: { groups: 3, pauseMs: 0, times: 3 },
}
/** Before the next try. */
const retryMs = 20

export class Writers {
  readonly ledger = new Ledger()
  readonly client: Client
  readonly #random: Random
  readonly #pace: (typeof paces)[Size]
  readonly #named = new Map<string, string>()
  #me = ''
  #stopped = false
  #breach: unknown
  #running: Promise<void>[] = []

  constructor(client: Client, random: Random, size: Size) {
    this.client = client
    this.#pace = paces[size]
    this.#random = random
  }

  /** Creates the records that the writers work on. The service must work without faults. */
  async prepare(groups = this.#pace.groups): Promise<void> {
    const me = await this.#must({ method: 'GET', path: '/me' })
    this.#me = me.id
    this.ledger.space = me.id_space
    for (const name of [...variants, 'here', 'there']) {
      for (const kind of ['tag', 'list']) {
        const { id } = await this.#must({ method: 'POST', path: `/${kind}s`, body: { name } })
        this.#named.set(`${kind} ${name}`, id)
      }
    }
    for (let number = 1; number <= groups; number++) {
      const ids = newIds(groupSize)
      await this.#must(importOf(ids, {}))
      const group = { name: `group ${number}`, ids, sent: 0, answered: 0 }
      await this.#changeGroup(group)
      this.ledger.groups.push(group)
    }
    this.ledger.crowd = newIds(groupSize)
    await this.#must(importOf(this.ledger.crowd, { list: this.#id('list here') }))
    await this.#track(true)
  }

  start(): void {
    const { groups } = this.ledger
    const work = [
      ...Array.from({ length: 5 }, () => () => this.#writeLead()),
      ...groups.map((group) => () => this.#changeGroup(group)),
      () => this.#moveCrowd(),
      () => this.#track(this.#random.chance(0.5)),
      () => this.#import(),
      () => this.#merge(),
      () => this.#readAll(),
    ]
    this.#stopped = false
    this.#running = work.map((step) => this.#repeat(step))
  }

  /** Waits for the requests in flight. Throws if a writer saw a breach. */
  async stop(): Promise<void> {
    this.#stopped = true
    let isDone = false
    const done = Promise.all(this.#running).then(() => {
      isDone = true
    })
    await Promise.race([done, until('all requests are answered', 60, () => isDone)])
    this.check()
  }

  /** Waits until the service works again: until enough writes from now on are answered. */
  async untilWell(seconds = 30): Promise<void> {
    const { writes } = this.ledger
    await until('writes are answered again', seconds, () => {
      this.check()
      return this.ledger.writes > writes + this.#pace.times * this.#running.length
    })
  }

  /** Throws if a writer saw a breach. */
  check(): void {
    if (this.#breach) throw this.#breach
  }

  async #repeat(step: () => Promise<unknown>): Promise<void> {
    while (!this.#stopped) {
      try {
        const pause = (await step()) === undefined ? retryMs : this.#pace.pauseMs
        if (pause > 0) await sleep(pause)
      } catch (error) {
        this.#breach ??= error
        this.#stopped = true
      }
    }
  }

  async #must(request: Request) {
    const body = await this.client.send(request)
    if (body === undefined)
      throw new Breach(`${request.path}: unavailable, although there was no fault`)
    return body
  }

  async #writeLead() {
    const id = newId()
    const body = {
      id,
      email: `writer-${id}@example.com`,
      company: `Company ${id}`,
      lists: [this.#id('list red')],
      tags: [this.#id('tag red')],
    }
    const lead = await this.client.send({ method: 'POST', path: '/lead', body })
    if (!lead) return undefined
    this.ledger.leads.add(id)
    if (this.#random.chance(0.5)) {
      const body = { id_lead: id, content: `About ${id}` }
      const note = await this.client.send({ method: 'POST', path: '/notes', body })
      if (note) this.ledger.notes.add(note.id)
    }
    if (this.#random.chance(0.3)) {
      const date = new Date(Date.now() + this.#random.between(0, dueWithinMs)).toISOString()
      const body = { id_lead: id, name: 'Call', date, users: [this.#me] }
      const reminder = await this.client.send({ method: 'POST', path: '/reminders', body })
      if (reminder) this.ledger.reminders.add(reminder.id)
    }
    return lead
  }

  async #changeGroup(group: Group) {
    const number = ++group.sent
    const { text, variant } = operation(number)
    const answer = await this.#bulk('PATCH', '/leads/update-many', {
      filter: { leads: group.ids },
      data: {
        ...{ city: text, company_role: text, icebreaker: text },
        tags: [this.#id(`tag ${variant}`)],
        lists: [this.#id(`list ${variant}`)],
      },
    })
    if (answer !== undefined) group.answered = number
    return answer
  }

  async #moveCrowd() {
    const [to, from] = this.#random.chance(0.5) ? ['here', 'there'] : ['there', 'here']
    return this.#bulk('POST', `/lists/${this.#id(`list ${to}`)}/move-leads`, {
      id_source: this.#id(`list ${from}`),
      filter: { leads: this.ledger.crowd },
    })
  }

  async #track(isTracked: boolean) {
    const { crowd, groups } = this.ledger
    return this.#bulk('POST', '/leads/track-leads', {
      remove_tracking: !isTracked,
      filter: { leads: [...crowd, ...groups.flatMap(({ ids }) => ids)] },
    })
  }

  async #import() {
    const { imports } = this.ledger
    const old = imports.find(({ state }) => state === 'in')
    if (old && this.#random.chance(0.5)) {
      old.state = 'unsure'
      const answer = await this.#bulk('POST', '/leads/delete', { filter: { leads: old.ids } })
      if (answer !== undefined) old.state = 'gone'
      return answer
    }
    const tag = `import ${newId()}`
    const fresh = { tag, ids: newIds(importSize), state: 'unsure' as 'unsure' | 'in' }
    imports.push(fresh)
    const answer = await this.client.send(importOf(fresh.ids, { tag }))
    if (answer === undefined) return undefined
    this.ledger.bulkAnswered++
    fresh.state = 'in'
    return answer
  }

  /** Merges two new leads, and sometimes takes it back. Whether an unanswered one was done, only the feed knows. */
  async #merge() {
    const leads = newIds(2)
    for (const [at, id] of leads.entries()) {
      const body = { id, city: `City ${at}`, [at === 0 ? 'company_role' : 'icebreaker']: id }
      if (!(await this.client.send({ method: 'POST', path: '/lead', body }))) return undefined
    }
    const body = { kind: 'merge', filter: { leads }, data: { survivor: 'oldest' } }
    const preview = await this.client.send({ method: 'POST', path: '/operations/preview', body })
    if (!preview) return undefined
    const { confirm } = preview
    const done = await this.#bulk('POST', '/operations', { ...body, confirm })
    if (!done || this.#random.chance(0.5)) return done
    return this.#bulk('POST', `/operations/${done.id}/undo`, {})
  }

  /** A streamed list is complete, or visibly cut off. */
  async #readAll() {
    const ids = this.ledger.groups.flatMap((group) => group.ids)
    const body = { filter: { leads: ids }, pagination: { all: true } }
    const answer = await this.client.send({
      method: 'POST',
      path: '/leads/list',
      body,
      streams: true,
    })
    if (answer && (answer.leads.length !== ids.length || answer.total !== ids.length)) {
      throw new Breach(`A list of ${ids.length} leads contains ${answer.leads.length}`)
    }
    return answer
  }

  async #bulk(method: string, path: string, body: object) {
    const answer = await this.client.send({ method, path, body })
    if (answer !== undefined) this.ledger.bulkAnswered++
    return answer
  }

  #id(name: string): string {
    return this.#named.get(name) ?? ''
  }
}

export const newIds = (count: number) => Array.from({ length: count }, () => newId())

export function importOf(ids: string[], query: Record<string, string>): Request {
  return {
    method: 'POST',
    path: `/leads/import?${new URLSearchParams(query)}`,
    body: `id\n${ids.join('\n')}\n`,
    type: 'text/csv',
  }
}
