// The worst bodies of a route, made from its schema: the longest texts, the widest arrays, the most fields, the
// deepest nesting, the most faults.
import { maxTextBytes } from '@rapport/contract/shapes'
import { newId } from '../src/ids.ts'

/** What this file reads of a schema. */
interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  pattern?: string
  format?: string
  maxItems?: number
  maxProperties?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  anyOf?: Schema[]
}

export type Kind = (typeof kinds)[number]
export const kinds = ['long', 'wide', 'deep', 'faulty'] as const

/** A little less than what one body may hold. */
const maxValues = 490_000
const maxParts = 49_000
const maxText = maxTextBytes - 1_000
const depth = 490

/** Only where the schema says little are there bodies of every kind; others are omitted. */
export function worstBody(schema: unknown, kind: Kind, bytes: number): string {
  const root = schema as Schema
  const parts = count(root, kind)
  if (parts === 0) return '{}'
  return JSON.stringify(make(root, { kind, share: 1 / parts, bytes }))
}

interface Plan {
  kind: Kind
  /** The share of each position that is filled. */
  share: number
  bytes: number
}

const typesOf = ({ type }: Schema) => [type].flat()
const isAny = (schema: Schema) => !schema.anyOf && !schema.enum && typesOf(schema)[0] === undefined
const isOpen = (schema: Schema) => typesOf(schema).includes('object') && !schema.properties
const isArray = (schema: Schema) => typesOf(schema).includes('array')
const isText = (schema: Schema) => typesOf(schema).includes('string') && !schema.enum

/** How many positions share what a body may hold. */
function count(schema: Schema, kind: Kind): number {
  if (schema.anyOf?.[0]) return count(schema.anyOf[0], kind)
  const inside = Object.values(schema.properties ?? {}).reduce(
    (sum, one) => sum + count(one, kind),
    0,
  )
  return inside + (isFilled(schema, kind) ? 1 : 0)
}

function isFilled(schema: Schema, kind: Kind): boolean {
  if (kind === 'long') return isText(schema) || isAny(schema)
  if (kind === 'wide') return isArray(schema) || isOpen(schema) || isAny(schema)
  if (kind === 'deep') return isOpen(schema) || isAny(schema)
  return isArray(schema) || isOpen(schema) || isText(schema)
}

function make(schema: Schema, plan: Plan): unknown {
  const { kind, share, bytes } = plan
  if (schema.anyOf?.[0]) return make(schema.anyOf[0], plan)
  if (schema.enum) return kind === 'faulty' ? 1 : schema.enum[0]
  if (schema.properties) {
    const entries = Object.entries(schema.properties).flatMap(([name, inner]) => {
      const isNeeded = schema.required?.includes(name) || inner.properties || isFilled(inner, kind)
      return isNeeded ? [[name, make(inner, plan)]] : []
    })
    return Object.fromEntries(entries)
  }
  const fields = Math.floor(Math.min(schema.maxProperties ?? maxParts, maxParts * share))
  if (kind === 'deep' && isFilled(schema, kind)) return nested(share)
  if (isOpen(schema)) return manyFields(fields, kind)
  if (isArray(schema)) {
    if (kind !== 'wide' && kind !== 'faulty') return []
    const item =
      kind === 'faulty' ? 1 : make(schema.items ?? {}, { ...plan, kind: 'deep', share: 0 })
    const size = JSON.stringify(item)?.length ?? 3
    const fits = Math.floor(Math.min(maxValues * share, (bytes * share) / (size + 1)))
    return Array(Math.min(schema.maxItems ?? fits, fits)).fill(item)
  }
  if (isText(schema))
    return kind === 'faulty' ? 1 : text(schema, kind === 'long' ? bytes * share : 0)
  if (isAny(schema)) {
    return kind === 'wide'
      ? manyFields(fields, kind)
      : kind === 'long'
        ? 'x'.repeat(Math.min(bytes * share, maxText))
        : {}
  }
  if (typesOf(schema).includes('boolean')) return true
  return schema.minimum ?? 1
}

/** Distinct words, so that whoever looks at each has something to do. */
function text(schema: Schema, length: number): string {
  if (schema.format === 'date-time') return '2026-03-02T09:00:00Z'
  if (schema.format || length === 0) return newId()
  // In UTF-8 the words are a fifth longer.
  const most = Math.min(schema.maxLength ?? length, length, maxText / 1.25)
  if (schema.pattern?.startsWith('^')) return 'x'.repeat(most)
  let words = ''
  for (let word = 0; words.length < Math.min(most, 100_000); word++)
    words += `${word.toString(36)} ő`
  return words.repeat(Math.ceil(most / words.length)).slice(0, most)
}

function manyFields(fields: number, kind: Kind): object {
  const value = kind === 'faulty' ? [] : 'x'
  return Object.fromEntries(Array.from({ length: fields }, () => [newId(), value]))
}

function nested(share: number): unknown {
  const one = () => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  return { many: Array.from({ length: Math.floor((maxParts * share) / depth) }, one) }
}

/** Bodies whose bytes alone are the trouble, whatever the route. */
export function rawBodies(bytes: number): Record<string, () => string> {
  const ids = (entries: string) => `{"filter":{"leads":[${entries}0]}}`
  const fill = (piece: string) => () => ids(piece.repeat(Math.floor(bytes / piece.length) - 20))
  const times = (piece: string, count: number) => () => ids(`${piece},`.repeat(count))
  return {
    blanks: () => ' '.repeat(bytes),
    ones: fill('1,'),
    'empty objects': fill('{},'),
    'objects up to the limit': times('{}', maxParts),
    'fields up to the limit': () => JSON.stringify(manyFields(maxParts, 'wide')),
    'numbers of 308 digits': fill(`${'1'.repeat(308)},`),
    'one number': fill('1'),
    exponents: times('1e9', 400_000),
    escapes: () => `{"search":"${'\\u0041'.repeat(Math.floor(bytes / 6) - 10)}"}`,
    'unpaired surrogates': times('"\\ud800"', 400_000),
    brackets: () => '['.repeat(bytes),
    deep: times('['.repeat(480) + ']'.repeat(480), Math.floor(maxParts / 481)),
    quotes: () => `{"a":"${'\\"'.repeat(Math.floor(bytes / 2) - 10)}"}`,
    'no JSON': () => 'x'.repeat(bytes),
  }
}
