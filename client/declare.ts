// The types of routes.ts for the package, written out from the schemas of the contract: an interface for each shape, a
// method for each route, with what the contract says about them as comments.
import { contract } from '@rapport/contract'
import { errorCodes } from '@rapport/contract/errors'
import { dataShape } from '@rapport/contract/leads/bulk'
import { bulkKinds } from '@rapport/contract/operations.values'
import type { Route } from '@rapport/contract/route'
import { hasPages } from './src/routes.ts'

interface Schema {
  title?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  $ref?: string
  'x-documented'?: Schema
}

/** The text of routes.d.ts. */
export function declarations(): string {
  const shapes = new Map<string, string>()

  /** A schema as a type. One with a title gets an interface, or an alias, of its own. */
  function typeOf(schema: Schema): string {
    // A part of a query that is a number there is sent as text: both can be given.
    const { 'x-documented': beyond, ...plain } = schema
    if (plain.type === 'string' && beyond?.type === 'integer') return 'string | number'
    const ref = beyond?.items?.$ref
    if (ref) return `${ref.replace(/.*\//, '')}[]`
    const { title, ...rest } = plain
    if (title === undefined) return shown(plain)
    // A shape that may be null is still the shape.
    const { type } = plain
    const isNullable = Array.isArray(type) && type.includes('null')
    const named = isNullable
      ? {
          ...rest,
          type: type.filter((name) => name !== 'null'),
          ...(rest.enum && { enum: rest.enum.filter((value) => value !== null) }),
        }
      : rest
    if (!shapes.has(title)) {
      shapes.set(title, '')
      const text = shown(named)
      const head = comment(plain.description)
      const isObject = text.startsWith('{')
      shapes.set(
        title,
        `${head}export ${isObject ? `interface ${title} ${text}` : `type ${title} = ${text}`}`,
      )
    }
    return isNullable ? `${title} | null` : title
  }

  function shown(schema: Schema): string {
    if ('const' in schema) return JSON.stringify(schema.const)
    if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
    if (schema.anyOf) return union(schema.anyOf.map(typeOf))
    const types = [schema.type ?? []].flat()
    if (types.length === 0) return 'unknown'
    return union(types.map((type) => ofType(type, schema)))
  }

  function ofType(type: string, { items, properties, required = [] }: Schema): string {
    if (type === 'integer') return 'number'
    if (type === 'array') return `Array<${items ? typeOf(items) : 'unknown'}>`
    if (type !== 'object') return type
    if (!properties) return 'Record<string, unknown>'
    if (Object.keys(properties).length === 0) return '{}'
    const lines = Object.entries(properties).map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?'
      const more = mark && '| undefined'
      return `${comment(schema.description)}${name}${mark}: ${typeOf(schema)} ${more}`
    })
    return `{\n${lines.join('\n')}\n}`
  }

  function method(name: string, route: Route): string {
    const { path, accepts, produces, summary, description } = route
    const schema = (route.body ?? route.query) as Schema | undefined
    // Queries have titles too, of which some are not unique.
    const data = schema && (route.body ? typeOf(schema) : shown(schema))
    const mark = schema && (schema.required ?? []).length > 0 ? '' : '?'
    const args = [
      path.includes('{id}') && 'id: string',
      accepts && 'file: FileBody',
      data && `data${mark}: ${data}`,
      'options?: Options',
    ].filter(Boolean)
    const reply = route.reply as Schema
    const answer = produces ? 'Response' : typeOf(reply)
    const list = Object.values(reply.properties ?? {}).find(({ type }) => type === 'array')
    const type =
      hasPages(route) && list ? `Pages<${answer}, ${typeOf(list)}[number]>` : `Promise<${answer}>`
    return `${comment(`${summary}. ${description}`)}${name}(${args.join(', ')}): ${type}`
  }

  const resources = Object.entries(contract).map(([name, { description, routes }]) => {
    const methods = Object.entries(routes as Record<string, Route>).map(([key, route]) =>
      method(key, route),
    )
    return `${comment(description)}${name}: {\n${methods.join('\n')}\n}`
  })
  const data = bulkKinds.map((kind) => `'${kind}': ${typeOf(dataShape(kind) as Schema)}`)
  return [
    "import type { Pages } from './pages.js'",
    "import type { FileBody, Options } from './options.js'",
    `export type ErrorCode = ${union(Object.keys(errorCodes).map((code) => JSON.stringify(code)))}`,
    '/** A problem in the input: where it is, its kind, and a sentence about it. */',
    'export interface Issue { path: (string | number)[]; code: string; message: string }',
    ...shapes.values(),
    "export type EventType = Event['type']",
    `export type BulkKind = keyof BulkData`,
    `export interface BulkData {\n${data.join('\n')}\n}`,
    `export interface Resources {\n${resources.join('\n')}\n}`,
    'export declare const routes: Record<string, Record<string, string>>',
  ]
    .flatMap((text) => text.split('\n'))
    .map(indent())
    .join('\n')
}

/** Two spaces for each brace that is open. */
function indent() {
  let depth = 0
  return (line: string) => {
    if (line.startsWith('}')) depth--
    const text = `${'  '.repeat(depth)}${line.trim()}`
    if (line.endsWith('{')) depth++
    return text
  }
}

const union = (types: string[]) => [...new Set(types)].join(' | ')

const comment = (text: string | undefined) =>
  text ? `/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n` : ''
