// The records of a fuzzed workspace, so that requests can name existing ones.
import { attributeTypes } from '@rapport/contract/attributes'
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import type { Answer } from '../test/http-client.ts'
import { singular } from './fuzz.document.ts'
import type { Workspace } from './service.ts'
import { Breach } from './torture.ts'

interface Attribute {
  id: string
  type: string
  isMultiSelect: boolean
  select_options: { id: string }[]
}

/** Fields that name records, but not by their kind. */
const aliases: Record<string, string> = {
  owners: 'member',
  users: 'member',
  source: 'list',
  parent: 'note',
  select_options: 'option',
  sequences_steps: 'step',
}

/** Ids kept for each kind: the newest. */
const most = 100

export class Records {
  readonly #kinds: Set<string>
  readonly #ids = new Map<string, string[]>()
  attributes: Attribute[] = []

  constructor(kinds: Set<string>) {
    this.#kinds = kinds
  }

  /** The kind of record that a field names: lists_connect → list. `id` names what contains it. */
  kindOf(field: string, inside: string): string | undefined {
    if (field === 'id') return this.kindOf(inside, '')
    const word = field.replace(/^(id|not)_/, '').replace(/_(connect|disconnect|order|filter)$/, '')
    const kind = aliases[word] ?? singular(word)
    return this.#kinds.has(kind) ? kind : undefined
  }

  /** Returns an id, mostly of an existing record. */
  some(kind: string, random: Random): string {
    const ids = this.#ids.get(kind) ?? []
    if (ids.length === 0 || random.chance(0.03)) return newId()
    const id = random.pick(ids)
    return random.chance(0.02) ? id.toUpperCase() : id
  }

  count(kind: string): number {
    return this.#ids.get(kind)?.length ?? 0
  }

  learn(kind: string, id: unknown): void {
    if (typeof id !== 'string') return
    const ids = this.#ids.get(kind) ?? []
    this.#ids.set(kind, ids)
    if (!ids.includes(id)) ids.push(id)
    if (ids.length > most) ids.shift()
  }

  forget(kind: string, id: string): void {
    const ids = this.#ids.get(kind)
    const at = ids?.indexOf(id.toLowerCase()) ?? -1
    if (at >= 0) ids?.splice(at, 1)
    this.attributes = this.attributes.filter((attribute) => attribute.id !== id.toLowerCase())
  }

  /** Remembers the records in a response. */
  harvest(kind: string, { body }: Answer): void {
    for (const item of [body, body?.leads, body?.data].flat()) {
      this.learn(kind, item?.id)
      if (kind !== 'attribute' || !item?.select_options) continue
      this.attributes = [...this.attributes.filter(({ id }) => id !== item.id), item]
      for (const option of item.select_options) this.learn('option', option.id)
    }
  }

  /** A valid value for the attribute. */
  valueFor({ type, isMultiSelect, select_options }: Attribute, random: Random): unknown {
    switch (type) {
      case 'NUMBER':
      case 'CURRENCY':
        return random.between(-1000, 1000) / 4
      case 'CHECKBOX':
        return random.chance(0.5)
      case 'DATE':
        return `20${random.between(10, 99)}-0${random.between(1, 9)}-1${random.between(0, 9)}`
      case 'TIMESTAMP':
        return new Date(random.between(0, 4e9) * 1000).toISOString()
      case 'SELECT': {
        const ids = select_options.map(({ id }) => id)
        if (ids.length === 0) return null
        return isMultiSelect ? [random.pick(ids)] : random.pick(ids)
      }
      case 'LOCATION':
        return { latitude: random.between(-90, 90), longitude: 0.5, address: 'Somewhere' }
      case 'EMAIL':
        return `a${random.between(0, 99)}@example.com`
      case 'RELATION':
        return this.some('lead', random)
      default:
        return `text ${random.between(0, 99)}`
    }
  }
}

/** Creates some records of every kind. Returns the number of requests. */
export async function fillRecords(space: Workspace, records: Records): Promise<number> {
  let requests = 0
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await space.call('POST', path, body)
    requests++
    if (answer.status !== 200) throw new Breach(`POST ${path} returned ${answer.text}`)
    records.harvest(singular(path.slice(1)), answer)
    return answer.body.id
  }
  for (const member of space.members) records.learn('member', member)
  const lists = [await make('/lists', { name: 'One' }), await make('/lists', { name: 'Two' })]
  for (const id_list of [...lists, null]) {
    await make('/status', { name: 'Open', id_list })
    await make('/status', { name: 'Won', id_list })
  }
  for (const name of ['Warm', 'Cold']) await make('/tags', { name })
  for (const type of attributeTypes) {
    const options = { select_options: [{ name: 'One' }, { name: 'Two' }], isMultiSelect: true }
    await make('/attributes', { type, name: type, ...(type === 'SELECT' && options) })
  }
  for (let index = 0; index < 5; index++) {
    const id_lead = await make('/lead', {
      first_name: `Lead ${index}`,
      company: `Company ${index}`,
    })
    await make('/notes', { id_lead, content: 'Called' })
    await make('/reminders', { id_lead, name: 'Call', date: '2090-01-01T00:00:00Z' })
  }
  return requests
}
