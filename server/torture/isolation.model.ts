// What a workspace must contain by the rules of the interface. It shares no code with the service.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { type FilteredLead, knownTypes, selects } from '../test/filter-oracle.ts'

export interface Lead {
  first_name: string | null
  email: string | null
  company: string | null
  is_company: boolean
  is_tracked: boolean | null
  lists: Set<string>
  /** By list; statuses without a list under "". */
  status: Map<string, string>
  tags: Set<string>
  owners: Set<string>
  attributes: Map<string, unknown>
}

export interface Attribute {
  type: 'TEXT' | 'SELECT' | 'RELATION'
  multi: boolean
  options: string[]
}

export interface Change {
  first_name?: string | null
  email?: string | null
  company?: string | null
  is_company?: boolean
  id_list?: string
  attributes?: Record<string, unknown>
  lists?: string[]
  status?: string[]
  tags?: string[]
  owners?: string[]
  lists_connect?: string[]
  status_connect?: string[]
  status_disconnect?: string[]
  tags_connect?: string[]
  tags_disconnect?: string[]
  owners_connect?: string[]
  owners_disconnect?: string[]
}

type Path = (string | number)[]

const toEntries = (ids: string[] = []) => ids.map((id, index) => [[index], id] as const)
const same = (name: string | null) => (name ?? '').trim().toLowerCase()

export class Model {
  readonly members: Set<string>
  readonly leads = new Map<string, Lead>()
  /** Ids of all leads, even of deleted ones: none can be chosen again. */
  readonly taken = new Set<string>()
  readonly lists = new Map<string, { name: string }>()
  readonly status = new Map<string, { name: string; list: string }>()
  readonly tags = new Map<string, { name: string; list: string }>()
  readonly attributes = new Map<string, Attribute>()
  readonly notes = new Map<string, { lead: string; thread: string; content: string }>()
  readonly reminders = new Map<
    string,
    { lead: string; name: string; done: boolean; users: string[] }
  >()

  constructor(members: string[]) {
    this.members = new Set(members)
  }

  select(filter: LeadFilter): string[] {
    const known = knownTypes((id) => this.attributes.get(id)?.type)
    return [...this.leads.keys()].filter((id) => selects(filter, this.#filtered(id), known))
  }

  #filtered(id: string): FilteredLead {
    const lead = this.leads.get(id) as Lead
    return {
      id,
      fields: { is_company: lead.is_company, is_tracked: lead.is_tracked },
      related: {
        lists: [...lead.lists],
        status: [...lead.status.values()],
        tags: [...lead.tags],
        owners: [...lead.owners],
      },
      steps: [],
      attributes: Object.fromEntries(lead.attributes),
    }
  }

  /** The paths at which a body names records that this workspace does not have. */
  faults(change: Change, path: Path = []): string[] {
    const faults: Path[] = []
    const named = (field: keyof Change, has: (id: string) => boolean) => {
      const ids = change[field] as string[] | string | undefined
      const all = typeof ids === 'string' ? [[[], ids] as const] : toEntries(ids)
      for (const [at, id] of all) if (!has(id)) faults.push([...path, field, ...at])
    }
    for (const field of ['lists', 'lists_connect', 'id_list'] as const) {
      named(field, (id) => this.lists.has(id))
    }
    for (const field of ['status', 'status_connect', 'status_disconnect'] as const) {
      named(field, (id) => this.status.has(id))
    }
    for (const field of ['tags', 'tags_connect', 'tags_disconnect'] as const) {
      named(field, (id) => this.tags.has(id))
    }
    for (const field of ['owners', 'owners_connect', 'owners_disconnect'] as const) {
      named(field, (id) => this.members.has(id))
    }
    for (const [id, value] of Object.entries(change.attributes ?? {})) {
      if (!this.#takes(id, value)) faults.push([...path, 'attributes', id])
    }
    return faults.map((fault) => fault.join('.'))
  }

  /** A filter accepts any id. Only its conditions must name existing attributes and options. */
  filterFaults({ attributes = [] }: LeadFilter, path: Path = ['filter']): string[] {
    return attributes.flatMap(({ id, operator, value }, index) => {
      const definition = this.attributes.get(id)
      if (!definition) return [[...path, 'attributes', index, 'id'].join('.')]
      const isOption = definition.type !== 'SELECT' || definition.options.includes(value ?? '')
      const isRight = operator === 'is_empty' || isOption
      return isRight ? [] : [[...path, 'attributes', index, 'value'].join('.')]
    })
  }

  #takes(id: string, value: unknown): boolean {
    const definition = this.attributes.get(id)
    if (!definition) return false
    if (value === null || definition.type === 'TEXT') return true
    if (definition.type === 'RELATION') return this.leads.has(String(value))
    return definition.options.includes(String(value))
  }

  /** The name of the company that creating this person creates, if it does. */
  companyBeside({ company = null, is_company }: Change): string | undefined {
    const name = same(company)
    if (name === '' || is_company) return undefined
    const exists = [...this.leads.values()].some(
      (lead) => lead.is_company && same(lead.company) === name,
    )
    return exists ? undefined : (company ?? '').trim()
  }

  addLead(id: string, change: Change): void {
    this.leads.set(id, {
      first_name: null,
      email: null,
      company: null,
      is_company: false,
      is_tracked: null,
      lists: new Set(),
      status: new Map(),
      tags: new Set(),
      owners: new Set(),
      attributes: new Map(),
    })
    this.taken.add(id)
    this.change([id], change)
  }

  change(ids: string[], change: Change): void {
    for (const id of ids) this.#changeOne(this.leads.get(id) as Lead, change)
  }

  #changeOne(lead: Lead, change: Change): void {
    const { first_name, email, company, is_company } = change
    if (first_name !== undefined) lead.first_name = first_name
    if (email !== undefined) lead.email = email
    if (company !== undefined) lead.company = company
    if (is_company !== undefined) lead.is_company = is_company
    for (const [id, value] of Object.entries(change.attributes ?? {})) {
      if (value === null) lead.attributes.delete(id)
      else lead.attributes.set(id, this.attributes.get(id)?.multi ? [value] : value)
    }
    // Replace, then connect, then disconnect.
    if (change.lists)
      for (const id of lead.lists) if (!change.lists.includes(id)) this.#leave(lead, id)
    for (const id of change.lists ?? []) lead.lists.add(id)
    if (change.status) {
      for (const [list, id] of lead.status)
        if (!change.status.includes(id)) lead.status.delete(list)
      for (const id of change.status) this.#give(lead, id)
    }
    if (change.tags) lead.tags = new Set(change.tags)
    if (change.owners) lead.owners = new Set(change.owners)
    if (change.id_list) lead.lists.add(change.id_list)
    for (const id of change.lists_connect ?? []) lead.lists.add(id)
    for (const id of change.status_connect ?? []) this.#give(lead, id)
    for (const id of change.tags_connect ?? []) lead.tags.add(id)
    for (const id of change.owners_connect ?? []) lead.owners.add(id)
    for (const [list, id] of lead.status) {
      if (change.status_disconnect?.includes(id)) lead.status.delete(list)
    }
    for (const id of change.tags_disconnect ?? []) lead.tags.delete(id)
    for (const id of change.owners_disconnect ?? []) lead.owners.delete(id)
  }

  #give(lead: Lead, status: string): void {
    const list = this.status.get(status)?.list ?? ''
    lead.status.set(list, status)
    if (list) lead.lists.add(list)
  }

  #leave(lead: Lead, list: string): void {
    lead.lists.delete(list)
    lead.status.delete(list)
  }

  leave(ids: string[], list: string): void {
    for (const id of ids) this.#leave(this.leads.get(id) as Lead, list)
  }

  removeLeads(ids: string[]): void {
    for (const id of ids) this.leads.delete(id)
    // Notes and reminders of a deleted lead are no longer found.
    for (const records of [this.notes, this.reminders]) {
      for (const [id, { lead }] of records) if (ids.includes(lead)) records.delete(id)
    }
  }

  removeList(id: string): void {
    this.lists.delete(id)
    this.leave([...this.leads.keys()], id)
    for (const [status, { list }] of this.status) if (list === id) this.status.delete(status)
    for (const tag of this.tags.values()) if (tag.list === id) tag.list = ''
  }

  removeStatus(id: string): void {
    this.status.delete(id)
    for (const lead of this.leads.values()) {
      for (const [list, status] of lead.status) if (status === id) lead.status.delete(list)
    }
  }

  removeTag(id: string): void {
    this.tags.delete(id)
    for (const lead of this.leads.values()) lead.tags.delete(id)
  }

  removeAttribute(id: string): void {
    this.attributes.delete(id)
    for (const lead of this.leads.values()) lead.attributes.delete(id)
  }

  keepOptions(id: string, options: string[]): void {
    const definition = this.attributes.get(id)
    if (definition) definition.options = options
    for (const lead of this.leads.values()) {
      const kept = [lead.attributes.get(id)].flat()
      if (kept.some((value) => value !== undefined && !options.includes(String(value)))) {
        lead.attributes.delete(id)
      }
    }
  }
}
