// A lead as tools tell it: what it has, with names instead of ids.

import { badRequest } from '@rapport/contract/errors'
import { leadFields } from '@rapport/contract/leads/fields'
import { leadName } from '@rapport/contract/leads/name'
import { relationNames } from '@rapport/contract/leads/relations'
import type { LeadWithRelations } from '@rapport/contract/leads/shapes'
import { nearest } from '../nearest.ts'
import { quoted, type Workspace } from './workspace.ts'

/** What a list returns about a lead, unless other fields are chosen. */
const usual = ['email', 'company', 'city', 'status', 'owners', 'tags', 'lists', 'contract_amount']
/** Useless to a caller, or returned in another way. */
const hidden = new Set([
  'id',
  'id_space',
  'usersId',
  'order',
  'is_deleted',
  'is_deleted_at',
  'contract_value',
])

type Told = Record<string, unknown>

/** Tells leads with these fields, names of attributes among them. Fields without a value are left out. */
export async function tellLeads(
  workspace: Workspace,
  leads: LeadWithRelations[],
  fields: readonly string[] | 'all' = usual,
): Promise<Told[]> {
  const isField = (name: string) =>
    Object.hasOwn(leadFields, name) ||
    name === 'contract_amount' ||
    relationNames.some((one) => one === name)
  const others = fields === 'all' ? [] : fields.filter((name) => !isField(name) && name !== 'name')
  const hasAttributes = leads.some(({ attributes }) => Object.keys(attributes).length > 0)
  const named =
    others.length > 0 || (fields === 'all' && hasAttributes) ? await workspace.all('attribute') : []
  const attributes = others.map((given, index) => {
    const found = named.find(({ id, name, slug }) => [id, name, slug].includes(given))
    if (found) return found
    const known = [...Object.keys(leadFields), ...named.map(({ name }) => name)]
    const meant = nearest(given.slice(0, 40), known)
    const hint = meant === undefined ? '' : ` Did you mean ${quoted(meant)}?`
    const message = `No field ${quoted(given)}.${hint}`
    throw badRequest({ path: ['fields', index], code: 'unknown_field', message })
  })
  return leads.map((lead) => {
    const told: Told = { id: lead.id, name: leadName(lead) }
    const chosen = fields === 'all' ? Object.keys(lead).filter((name) => !hidden.has(name)) : fields
    for (const name of chosen) {
      const value = toldValue(lead, name)
      if (isField(name) && value !== undefined) told[name] = value
    }
    for (const { id, name, select_options } of fields === 'all' ? named : attributes) {
      const value = lead.attributes[id]
      if (value === null || value === undefined || value === '') continue
      const option = (one: unknown) => select_options.find((each) => each.id === one)?.name ?? one
      // A field of the same name comes first, here as where values are read.
      const as = name === 'id' || name === 'name' || isField(name) ? id : name
      told[as] = Array.isArray(value) ? value.map(option) : option(value)
    }
    return told
  })
}

/** Undefined: it has none. */
function toldValue(lead: Told, name: string): unknown {
  const value = lead[name]
  if (value === null || value === '' || value === false || value === undefined) return undefined
  if (!Array.isArray(value)) return name === 'attributes' ? undefined : value
  if (value.length === 0) return undefined
  return value.map((one: { name?: string; value?: string }) => one.name ?? one.value)
}
