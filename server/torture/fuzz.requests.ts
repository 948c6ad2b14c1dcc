// Valid requests, made from the schemas of the OpenAPI document.
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import type { Document, Operation, Schema } from './fuzz.document.ts'
import type { Records } from './fuzz.records.ts'
import { oddText } from './fuzz.values.ts'

export interface Draft {
  operation: Operation
  /** The id for the path, if the path has one. */
  id: string
  query: Record<string, string>
  /** The content type of the body. */
  type: string
  /** A value for JSON, or a text; undefined when the operation has no body. */
  body: unknown
}

export interface Workshop {
  document: Document
  records: Records
  random: Random
}

export function draft(shop: Workshop, operation: Operation): Draft {
  const { random, records } = shop
  const type = operation.types.length > 0 ? random.pick(operation.types) : ''
  const query = operation.query
    .filter(() => random.chance(0.3))
    .map(({ name, schema }) => [name, String(make(shop, schema, name, operation.kind) ?? '')])
  return {
    operation,
    id: records.some(operation.kind, random),
    query: Object.fromEntries(query),
    type,
    body: operation.body && bodyFor(shop, operation.body, operation.kind, type),
  }
}

function bodyFor(shop: Workshop, schema: Schema, kind: string, type: string): unknown {
  const { random } = shop
  if (type === 'application/json') return make(shop, schema, kind, kind)
  const rows = Array.from({ length: random.between(0, 5) }, () => ({
    first_name: oddText(random),
    email: `r${random.between(0, 50)}@example.com`,
    company: `Company ${random.between(0, 5)}`,
  }))
  if (type === 'application/x-ndjson') return rows.map((row) => JSON.stringify(row)).join('\n')
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = rows.map((row) => Object.values(row).map(quoted).join(','))
  return ['first_name,email,company', ...lines].join('\r\n')
}

/** Valid values of strings with a format that the schema does not describe. */
const samples: Record<string, string[]> = {
  cron: ['0 9 * * 1', '*/15 * * * *', '30 8 1 1 *', ''],
  field: ['created_at', 'first_name', 'city', 'score', 'id', 'is_company', 'date', 'name'],
  score: ['42', '10-20', '80-', '-20'],
  contract_value: ['12', '', '-9007199254740991'],
  separator: [',', ';'],
  map: ['first_name=city', 'email=-'],
  list: ['One', 'Imported'],
  tag: ['Warm', 'Imported'],
  after: ['start', 'now', '7'],
  types: ['lead.created', 'tag.*,note.updated', ''],
}

/** A value that the schema allows. `field` is its name, `inside` the name of what contains it. */
export function make(shop: Workshop, schema: Schema, field: string, inside: string): unknown {
  const { random, document } = shop
  const known = document.resolve(schema)
  const types = [known.type ?? 'object'].flat().filter((type) => type !== 'null')
  if ([known.type].flat().includes('null') && random.chance(0.1)) return null
  if (known.enum) return random.pick(known.enum)
  switch (random.pick(types)) {
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
      // Seconds that the service may take for its response.
      if (field === 'wait') return random.between(-1, 1)
      return number(known, random, 1)
    case 'number':
      return number(known, random, field === 'contract_value' || field === 'phone' ? 1 : 4)
    case 'array':
      return array(shop, known, field, inside)
    case 'string':
      return text(shop, known, field, inside)
    default:
      return object(shop, known, field)
  }
}

function number(
  { minimum = -1000, maximum = 1000 }: Schema,
  random: Random,
  parts: number,
): number {
  if (random.chance(0.1)) return random.pick([minimum, maximum])
  return random.between(Math.max(minimum, -50) * parts, Math.min(maximum, 50) * parts) / parts
}

function array(shop: Workshop, schema: Schema, field: string, inside: string): unknown[] {
  const { random, records } = shop
  const { items = {} } = schema
  // The value of a condition must fit the type of its attribute.
  if (items && 'operator' in (shop.document.resolve(items).properties ?? {})) {
    const attribute = random.pick(records.attributes)
    if (!attribute) return []
    const value = records.valueFor(attribute, random)
    const operator = random.pick(['equals', 'not_equals', 'is_empty', 'is_not_empty'])
    const read = typeof value === 'object' ? 'Somewhere' : String(value)
    const given = Array.isArray(value) ? value[0] : read
    return [{ id: attribute.id, operator, ...(operator.includes('equals') && { value: given }) }]
  }
  return Array.from({ length: random.between(0, 3) }, () => make(shop, items, field, inside))
}

function text(shop: Workshop, schema: Schema, field: string, inside: string): string {
  const { random, records } = shop
  const kind = records.kindOf(field, inside)
  if (field === 'id' && kind === 'lead') return newId()
  if (kind) return records.some(kind, random)
  const sample = samples[field]
  if (sample) return random.pick(sample)
  if (schema.format === 'uuid') return newId()
  if (schema.format === 'date-time') return new Date(random.between(0, 4e9) * 1000).toISOString()
  const fitting = (value: string) => !schema.pattern || new RegExp(schema.pattern).test(value)
  const tries = [oddText(random), `name${random.between(0, 1e6)}`, String(random.between(0, 9))]
  return (tries.find(fitting) ?? '').slice(0, schema.maxLength ?? 1000)
}

function object(shop: Workshop, schema: Schema, field: string): unknown {
  const { random, records } = shop
  const { properties, required = [] } = schema
  if (!properties) {
    if (field !== 'attributes') return { anything: [oddText(random)] }
    const chosen = records.attributes.filter(() => random.chance(0.2))
    return Object.fromEntries(chosen.map((one) => [one.id, records.valueFor(one, random)]))
  }
  const names = Object.keys(properties)
  const share = Math.min(0.5, (field === 'filter' ? 1.5 : 4) / names.length)
  const sent = names.filter((name) => required.includes(name) || random.chance(share))
  return Object.fromEntries(
    sent.map((name) => [name, make(shop, properties[name] ?? {}, name, field)]),
  )
}
