// The OpenAPI document, made from the contracts.
import { errorCodes } from '@rapport/contract/errors'
import type { ResourceContract, Route } from '@rapport/contract/route'
import { type TSchema, Type } from 'typebox'

type Schema = Record<string, unknown>

const errorSchema = Type.Object(
  {
    code: Type.String({ enum: Object.keys(errorCodes) }),
    message: Type.String(),
    issues: Type.Array(
      Type.Object({
        path: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'number'] })),
        code: Type.String(),
        message: Type.String(),
      }),
      { description: 'One entry a fault of the input; empty for every other error' },
    ),
  },
  { title: 'Error' },
)

/** Errors of the codes above that have another status. */
const otherStatuses = [
  ['413', 'BAD_REQUEST: the body is too large'],
  ['415', 'BAD_REQUEST: the body is of another content type'],
  ['503', 'INTERNAL_SERVER_ERROR: the database cannot be reached'],
] as const

export function openapi(contract: Record<string, ResourceContract>, version: string) {
  const resources = Object.values(contract)
  const schemas: Record<string, Schema> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  const errors: Record<string, unknown> = Object.fromEntries(
    Object.entries(errorCodes).map(([code, { status, message }]) => [
      status,
      {
        description: `${code}: ${message}`,
        content: { 'application/json': { schema: reference(errorSchema, schemas) } },
      },
    ]),
  )
  for (const [status, when] of otherStatuses) {
    errors[status] = { ...Object(errors[400]), description: when }
  }
  for (const { name, routes } of resources) {
    for (const route of Object.values(routes)) {
      paths[route.path] ??= {}
      const path = paths[route.path] as Record<string, unknown>
      path[route.method.toLowerCase()] = operation(name, route, schemas, errors)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rapport',
      version,
      description:
        'A sales relationship workspace over HTTP: leads, lists, pipelines, tags, notes, reminders, attributes and campaigns. Operations marked as extensions go beyond the interface that other clients speak.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/rest' }],
    security: [{ key: [] }],
    tags: resources.map(({ name }) => ({ name })),
    paths,
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
      schemas,
    },
  }
}

function operation(
  tag: string,
  route: Route,
  schemas: Record<string, Schema>,
  errors: Record<string, unknown>,
) {
  const { method, path, role, summary, description, extension, query, reply, example } = route
  const { body, accepts, produces = ['application/json'] } = route
  const parameters = [
    ...(path.includes('{id}')
      ? [
          {
            name: 'id',
            in: 'path',
            required: true,
            schema: { type: 'string', format: 'uuid' },
            ...(example.id && { example: example.id }),
          },
        ]
      : []),
    ...Object.entries((query as { properties?: Record<string, TSchema> })?.properties ?? {}).map(
      ([name, schema]) => ({
        name,
        in: 'query',
        schema: reference(schema, schemas),
        ...(example.query?.[name] !== undefined && { example: example.query[name] }),
      }),
    ),
  ]
  return {
    tags: [tag],
    operationId: operationId(method, path),
    summary,
    ...(description && { description }),
    // The badge is for the reference page.
    ...(extension && { 'x-extension': true, 'x-badges': [{ name: 'Extension' }] }),
    'x-role': role,
    ...(parameters.length > 0 && { parameters }),
    ...((body || accepts) && {
      requestBody: {
        content: Object.fromEntries(
          (accepts ?? ['application/json']).map((type, index) => [
            type,
            {
              schema: body ? reference(body, schemas) : { type: 'string' },
              // Of several types the example is in the first.
              ...(example.body !== undefined && index === 0 && { example: example.body }),
            },
          ]),
        ),
      },
    }),
    responses: {
      200: {
        description: 'Done',
        content: Object.fromEntries(
          produces.map((type) => [type, { schema: reference(reply, schemas) }]),
        ),
      },
      ...errors,
    },
  }
}

/** POST /leads/add-list → post_leads_add_list */
function operationId(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replaceAll(/[/{}-]+/g, '_').replace(/_$/, '')}`
}

/** A schema with a title becomes a component that others refer to. */
function reference(schema: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => reference(item, schemas))
  if (schema === null || typeof schema !== 'object') return schema
  const { title } = schema as { title?: unknown }
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, reference(value, schemas)]),
  )
  if (typeof title !== 'string') return copy
  const known = schemas[title]
  if (known && JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`Two different schemas are called ${title}`)
  }
  schemas[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}
