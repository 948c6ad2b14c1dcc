// The filter of a tool: that of the interface, with names beside ids, and fields of a lead written as they are.
import { badRequest, type Issue } from '@rapport/contract/errors'
import { isLeadField, operatorsOf } from '@rapport/contract/leads/field-operators.values'
import { leadFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import {
  leadConditions,
  maxConditions,
  maxFilterDepth,
} from '@rapport/contract/leads/filter.values'
import { perRelation, toldRelations } from '@rapport/contract/leads/relations'
import { Type } from 'typebox'
import { nearest } from '../nearest.ts'
import { type Kind, kindsOfRelations, quoted, type Workspace } from './workspace.ts'

/** The most names or ids in one condition. */
export const maxNames = 100
export const Names = (description?: string) =>
  Type.Array(Type.String(), { maxItems: maxNames, ...(description && { description }) })

export const Filter = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: `Selects leads; all conditions must match. Any field of a lead, such as "city": "Berlin", must be equal. Or: search (words); ${toldRelations.join(', ')} (names or ids); has_no_owner, has_no_list, is_company (true or false); leads (ids); created_after, created_before (days); fields: [{field, operator: is, is_not, contains, greater_than, less_than, before, after, is_empty, …, value}]; attributes: [{id: name, operator: equals, contains, greater_than, is_empty, …, value}]; any, none: [filters].`,
  additionalProperties: true,
})

/** The records that a condition names, and where. */
const named: Record<string, { kind: Kind; at?: string }> = {
  ...perRelation(toldRelations, (name) => ({ kind: kindsOfRelations[name] })),
  entered: { kind: 'status', at: 'status' },
  left: { kind: 'status', at: 'status' },
  changed: { kind: 'member', at: 'by' },
  noted: { kind: 'member', at: 'by' },
}

/** The handler checks what is in it. Here, only names become ids. */
export function readFilter(
  workspace: Workspace,
  given: Record<string, unknown> = {},
): Promise<LeadFilter> {
  return readInner({ workspace, left: maxConditions }, given, ['filter'], 0)
}

interface Reading {
  workspace: Workspace
  /** How many more filters may be inside of it: names are looked up before the handler counts them. */
  left: number
}

async function readInner(
  reading: Reading,
  given: Record<string, unknown>,
  path: Issue['path'],
  depth: number,
): Promise<LeadFilter> {
  const { workspace } = reading
  const filter: Record<string, unknown> = {}
  const fields: unknown[] = []
  for (const [name, value] of Object.entries(given)) {
    const at = [...path, name]
    const naming = Object.hasOwn(named, name) && named[name]
    if (naming) {
      filter[name] = await readNamed(workspace, naming, value, at)
    } else if (name === 'attributes' && Array.isArray(value)) {
      filter[name] = await inTurn(limited(value, at), (one, index) =>
        readCondition(workspace, one, [...at, index]),
      )
    } else if ((name === 'any' || name === 'none') && Array.isArray(value)) {
      if (depth >= maxFilterDepth) {
        throw badRequest({ path: at, code: 'depth', message: 'Too deep' })
      }
      reading.left -= value.length
      if (reading.left < 0) {
        const message = `Must have at most ${maxConditions} filters in any and none`
        throw badRequest({ path: at, code: 'conditions', message })
      }
      filter[name] = await inTurn(value, (one, index) =>
        isObject(one) ? readInner(reading, one, [...at, index], depth + 1) : one,
      )
    } else if (Object.hasOwn(leadConditions, name)) {
      filter[name] = value
    } else {
      fields.push(fieldCondition(name, value, at))
    }
  }
  const { fields: more } = filter
  if (fields.length > 0) filter.fields = Array.isArray(more) ? [...more, ...fields] : fields
  return filter as LeadFilter
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function limited<T>(array: T[], path: Issue['path']): T[] {
  if (array.length <= maxNames) return array
  throw badRequest({ path, code: 'maxItems', message: `Must not have more than ${maxNames} items` })
}

/** Also one name instead of an array. */
const asArray = (value: unknown) => (typeof value === 'string' ? [value] : value)

async function readNamed(
  workspace: Workspace,
  { kind, at }: { kind: Kind; at?: string },
  value: unknown,
  path: Issue['path'],
): Promise<unknown> {
  if (at !== undefined) {
    if (!isObject(value) || value[at] === undefined) return value
    return { ...value, [at]: await readNamed(workspace, { kind }, value[at], [...path, at]) }
  }
  const names = asArray(value)
  // What is no array of texts is refused by the handler.
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return names
  return findAll(workspace, kind, names, path)
}

export async function findAll(
  workspace: Workspace,
  kind: Kind,
  names: string[],
  path: Issue['path'],
): Promise<string[]> {
  const ids = await inTurn(limited(names, path), (name, index) =>
    workspace.find(kind, name, [...path, index]),
  )
  return [...new Set(ids.flat())]
}

/** One after the other: the first wrong name ends it. To find the nearest of each takes long. */
export async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of items.entries()) results.push(await work(item, index))
  return results
}

async function readCondition(workspace: Workspace, given: unknown, path: Issue['path']) {
  if (!isObject(given) || typeof given.id !== 'string') return given
  const id = await workspace.one('attribute', given.id, [...path, 'id'])
  const { value } = given
  if (typeof value !== 'string') return { ...given, id }
  const attributes = await workspace.all('attribute')
  const options = attributes.find((one) => one.id === id)?.select_options ?? []
  return { ...given, id, value: options.find(({ name }) => name === value)?.id ?? value }
}

/** The first operator of each kind says that the value is the same. */
function fieldCondition(field: string, value: unknown, path: Issue['path']) {
  if (isLeadField(field)) return { field, operator: operatorsOf(field)[0], value }
  const meant = nearest(field.slice(0, 40), [
    ...Object.keys(leadConditions),
    ...Object.keys(leadFields),
  ])
  const message = `No condition and no field ${quoted(field)}.${meant ? ` Did you mean "${meant}"?` : ''}`
  throw badRequest({ path, code: 'unknown_field', message })
}
