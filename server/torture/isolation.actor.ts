// A client that works in one workspace and often names records of other workspaces.
import type { AttributeCondition, LeadFilter } from '@rapport/contract/leads/filter'
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import type { Answer } from '../test/http-client.ts'
import type { Change, Model } from './isolation.model.ts'
import type { Workspace } from './service.ts'
import { Breach } from './torture.ts'

const kinds = [
  'leads',
  'lists',
  'status',
  'tags',
  'attributes',
  'notes',
  'reminders',
  'members',
] as const
export type Kind = (typeof kinds)[number]

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Knows to which workspace each id belongs: to the first one that a response showed it to. */
export class Watch {
  readonly #owners = new Map<string, Set<string>>()
  readonly #labels: string[]
  ids = 0

  constructor(labels: string[]) {
    this.#labels = labels
  }

  /** Several workspaces may choose the same id. */
  own(id: string, label: string): void {
    const owners = this.#owners.get(id) ?? new Set()
    this.#owners.set(id, owners.add(label))
  }

  /** A response must not contain an id or text of another workspace, unless it was in the request. */
  check(label: string, request: string, { text }: Answer): void {
    for (const id of new Set(text.match(uuid))) {
      this.ids++
      if (request.includes(id)) continue
      if (!this.#owners.has(id)) this.own(id, label)
      if (this.#owners.get(id)?.has(label)) continue
      throw new Breach(
        `${label} got ${id}, which belongs to ${[...(this.#owners.get(id) ?? [])]}: ${request}`,
      )
    }
    const other = this.#labels.find((name) => name !== label && text.includes(name))
    if (other)
      throw new Breach(`${label} got a text of ${other}: ${request}: ${text.slice(0, 500)}`)
  }
}

export interface Tally {
  requests: number
  refused: number
  /** Requests that named a record of another workspace. */
  foreign: number
}

export class Actor {
  readonly label: string
  readonly space: Workspace
  readonly model: Model
  readonly random: Random
  readonly #watch: Watch
  readonly #tally: Tally
  others: Actor[] = []
  #named = 0

  constructor(
    label: string,
    space: Workspace,
    model: Model,
    random: Random,
    watch: Watch,
    tally: Tally,
  ) {
    this.label = label
    this.space = space
    this.model = model
    this.random = random
    this.#watch = watch
    this.#tally = tally
  }

  /** A text that no other actor writes. */
  text(): string {
    return `${this.label} ${this.#named++}`
  }

  /** Mostly of the actor's own workspace, otherwise of another one. */
  id(kind: Kind, own = 0.8): string {
    const whose = this.random.chance(own) ? this : this.random.pick(this.others)
    const ids = [...whose.model[kind].keys()]
    return ids.length > 0 ? this.random.pick(ids) : newId()
  }

  /** Several ids, mostly all of the own workspace: a foreign one makes a request fail. */
  ids(kind: Kind, most = 3): string[] {
    const own = this.random.chance(0.85) ? 1 : 0.5
    const ids = Array.from({ length: this.random.between(0, most) }, () => this.id(kind, own))
    return [...new Set(ids)]
  }

  own(id: string): void {
    this.#watch.own(id, this.label)
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.space.call(method, path, body)
    const request = `${method} ${path} ${JSON.stringify(body)}`
    this.#tally.requests++
    if (answer.status !== 200) this.#tally.refused++
    if (this.#namesOthers(request)) this.#tally.foreign++
    this.#watch.check(this.label, request, answer)
    return answer
  }

  #namesOthers(request: string): boolean {
    const ids = request.match(uuid) ?? []
    const has = ({ model }: Actor, id: string) => kinds.some((kind) => model[kind].has(id))
    return ids.some((id) => !has(this, id) && this.others.some((other) => has(other, id)))
  }

  /** Sends it and compares the status with what the model expects. Undefined when it was refused. */
  async act(
    method: string,
    path: string,
    body: unknown,
    { faults = [], missing = false }: { faults?: string[]; missing?: boolean } = {},
  ): Promise<Answer | undefined> {
    const answer = await this.call(method, path, body)
    const allowed = [...(faults.length > 0 ? [400] : []), ...(missing ? [404] : [])]
    if (allowed.length === 0) allowed.push(200)
    const told = `${this.label}: ${method} ${path} ${JSON.stringify(body)} → ${answer.status} ${answer.text.slice(0, 500)}`
    if (!allowed.includes(answer.status))
      throw new Breach(`${told}, expected is ${allowed.join(' or ')}`)
    if (answer.status === 400) {
      const paths: string[] = answer.body.issues.map((issue: { path: string[] }) =>
        issue.path.join('.'),
      )
      const isMeant = (at: string) =>
        faults.some((fault) => at === fault || at.startsWith(`${fault}.`))
      if (!paths.every(isMeant))
        throw new Breach(`${told}: expected are issues at ${faults.join(', ')}`)
    }
    return answer.status === 200 ? answer : undefined
  }

  /** A bulk operation returns how many leads it changed. */
  count(answer: Answer, expected: number): void {
    if (Number.parseInt(answer.body, 10) === expected) return
    throw new Breach(`${this.label}: "${answer.body}", but the model says ${expected} leads`)
  }

  filter(): LeadFilter {
    const { random } = this
    const conditions: (() => LeadFilter)[] = [
      () => ({ leads: this.ids('leads', 8) }),
      () => ({ leads: this.ids('leads', 8) }),
      () => ({ not_leads: this.ids('leads', 8) }),
      () => ({ lists: this.ids('lists') }),
      () => ({ status: this.ids('status') }),
      () => ({ tags: this.ids('tags') }),
      () => ({ owners: this.ids('members') }),
      () => ({ [random.pick(['has_list', 'has_no_list'])]: random.chance(0.8) }),
      () => ({ [random.pick(['has_owner', 'has_no_owner'])]: random.chance(0.8) }),
      () => ({ [random.pick(['is_company', 'is_tracked'])]: random.chance(0.5) }),
      () => ({ attributes: [this.#condition()] }),
    ]
    return Object.assign(
      {},
      ...Array.from({ length: random.between(1, 3) }, () => random.pick(conditions)()),
    )
  }

  #condition(): AttributeCondition {
    const id = this.id('attributes')
    if (this.random.chance(0.3)) return { id, operator: 'is_empty' }
    return { id, operator: 'equals', value: String(this.value(id)) }
  }

  /** A value for the attribute; its option or lead may be of another workspace. */
  value(id: string): string {
    const { random } = this
    const whose = random.chance(0.9) ? this : random.pick(this.others)
    const definition = whose.model.attributes.get(id) ?? this.model.attributes.get(id)
    if (definition?.type === 'RELATION') return this.id('leads', 0.9)
    if (definition?.type !== 'SELECT') return random.pick(['one', 'two'])
    const foreign = [...random.pick(this.others).model.attributes.values()].flatMap(
      ({ options }) => options,
    )
    const options = random.chance(0.9) ? definition.options : foreign
    return options.length > 0 ? random.pick(options) : newId()
  }

  change(): Change {
    const { random } = this
    const parts: (() => Change)[] = [
      () => ({ first_name: random.chance(0.9) ? this.text() : null }),
      () => ({ email: random.chance(0.5) ? 'shared@example.com' : null }),
      () => ({ company: random.pick([null, this.company(), this.company()]) }),
      () => ({ is_company: random.chance(0.3) }),
      () => ({ id_list: this.id('lists', 0.9) }),
      () => ({ lists: this.ids('lists') }),
      () => ({ status: this.ids('status') }),
      () => ({ tags: this.ids('tags') }),
      () => ({ owners: this.ids('members') }),
      () => this.#attributes(),
      () => this.#attributes(),
    ]
    return this.#some(parts)
  }

  /** With the fields that only a change has, not a creation. */
  relinked(): Change {
    return this.#some([
      () => this.change(),
      () => ({ lists_connect: this.ids('lists') }),
      () => ({ status_connect: this.ids('status') }),
      () => ({ status_disconnect: this.ids('status') }),
      () => ({ tags_connect: this.ids('tags') }),
      () => ({ tags_disconnect: this.ids('tags') }),
      () => ({ owners_connect: this.ids('members') }),
      () => ({ owners_disconnect: this.ids('members') }),
    ])
  }

  company(): string {
    const name = `${this.label} works ${this.random.between(0, 5)}`
    return this.random.pick([name, name, ` ${name} `, name.toUpperCase()])
  }

  #attributes(): Change {
    const id = this.id('attributes', 0.9)
    return { attributes: { [id]: this.random.chance(0.2) ? null : this.value(id) } }
  }

  #some(parts: (() => Change)[]): Change {
    const chosen = Array.from({ length: this.random.between(1, 4) }, () =>
      this.random.pick(parts)(),
    )
    return Object.assign({}, ...chosen)
  }
}
