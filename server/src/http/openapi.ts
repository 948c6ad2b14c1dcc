// The OpenAPI document, made from the contracts.

import { exampleIds } from '@rapport/contract'
import { errorCodes } from '@rapport/contract/errors'
import { Preview } from '@rapport/contract/operations'
import {
  longestOnceKey,
  onceHours,
  type ResourceContract,
  type Route,
  scopesOf,
  takesIdempotencyKey,
} from '@rapport/contract/route'
import { Shape } from '@rapport/contract/shapes'
import { confirmedMinutes } from '@rapport/contract/sign-in'
import { Type } from 'typebox'
import { type Components, documented, fileContent, reference } from './openapi.schema.ts'

const errorSchema = Shape('ErrorBody', {
  code: Type.String({ enum: Object.keys(errorCodes) }),
  message: Type.String(),
  issues: Type.Array(
    Shape('Issue', {
      path: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'number'] })),
      code: Type.String(),
      message: Type.String(),
    }),
    {
      description:
        'One entry for each problem in the input and, with 409 and 410, the reason. Empty for all other errors.',
    },
  ),
  preview: Type.Optional(Preview),
  start: Type.Optional(
    Type.String({ description: 'With 410 from the change feed: the cursor to continue from' }),
  ),
})

/** Errors of the codes above that have another status. */
const otherStatuses = {
  PayloadTooLarge: { status: 413, description: 'BAD_REQUEST: the body is too large' },
  UnsupportedMediaType: {
    status: 415,
    description: 'BAD_REQUEST: the body has an unsupported content type',
  },
  Unavailable: {
    status: 503,
    description: 'INTERNAL_SERVER_ERROR: the database is unreachable',
  },
}

/** The responses of errors by their names in the document. */
const errors = {
  ...Object.fromEntries(
    Object.entries(errorCodes).map(([code, { status, message }]) => [
      pascalCase(code),
      { status, description: `${code}: ${message}` },
    ]),
  ),
  ...otherStatuses,
}

const errorReferences = Object.fromEntries(
  Object.entries(errors).map(([name, { status }]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]),
)

export function openapi(contract: Record<string, ResourceContract>, version: string) {
  const resources = Object.values(contract)
  const schemas: Components = {}
  const responses = Object.fromEntries(
    Object.entries(errors).map(([name, { description }]) => [
      name,
      {
        description,
        content: { 'application/json': { schema: reference(errorSchema, schemas) } },
      },
    ]),
  )
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { tag, route } of inOrder(resources)) {
    const operations = paths[route.path] ?? {}
    operations[route.method.toLowerCase()] = operation(tag, route, schemas)
    paths[route.path] = operations
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rapport',
      version,
      description:
        'A sales relationship workspace over HTTP: leads, lists, pipelines, tags, notes, reminders, attributes and campaigns. Operations marked as extensions go beyond the common interface. If you request this document with a key, its examples contain ids of your own records. Run in order, each example finds what it needs.',
      contact: { name: 'The administrator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/rest', description: 'This server' }],
    security: [{ key: [] }, { bearer: [] }],
    tags: resources.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'A Rapport API key' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The same key as Authorization: Bearer. X-API-KEY takes precedence.',
        },
      },
      responses,
      schemas,
    },
  }
}

/**
 * The routes in the order in which their examples can be sent: those that need no record, those that
 * need one, those of paths that delete, last created first, and what erases. The order in which people read them
 * comes from the tags.
 */
function inOrder(resources: ResourceContract[]): { tag: string; route: Route }[] {
  const all = resources.flatMap(({ name, routes }) =>
    Object.values(routes).map((route) => ({ tag: name, route })),
  )
  const paths = [...new Set(all.map(({ route }) => route.path))].map((path) =>
    all.filter(({ route }) => route.path === path),
  )
  const [deleting, kept] = split(paths, (ofPath) => ofPath.some(({ route }) => deletes(route)))
  const [bound, free] = split(kept, (ofPath) => ofPath.every(({ route }) => needsRecord(route)))
  const [erasing, others] = split(
    deleting,
    ([first]) => first?.route.path.endsWith('/erase') === true,
  )
  return [...free, ...bound, ...others.reverse(), ...erasing].flat()
}

function split<T>(all: T[], test: (one: T) => boolean): [yes: T[], no: T[]] {
  return [all.filter(test), all.filter((one) => !test(one))]
}

const deletes = ({ method, path }: Route) => method === 'DELETE' || /\/(delete|erase)$/.test(path)

function needsRecord({ example }: Route): boolean {
  const text = JSON.stringify(example)
  return Object.values(exampleIds).some((id) => text.includes(id))
}

function operation(tag: string, route: Route, schemas: Components) {
  const { operationId, role, summary, description, common, person, reply, produces } = route
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route, schemas),
    ...(takesIdempotencyKey(route) ? [idempotencyKey] : []),
    ...(route.conditional ? [ifMatch] : []),
  ]
  return {
    tags: [tag],
    operationId,
    summary,
    description: person ? `${description} ${personTexts[person]}` : description,
    // The badge is for the reference page.
    ...(!common && { 'x-extension': true, 'x-badges': [{ name: 'Extension' }] }),
    'x-role': role,
    'x-scopes': scopesOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route, schemas),
    responses: {
      200: {
        description: 'Done',
        content: Object.fromEntries(
          (produces ?? ['application/json']).map((type) => [
            type,
            { schema: reference(produces ? fileContent : reply, schemas) },
          ]),
        ),
      },
      ...errorReferences,
    },
  }
}

const confirmed = `a browser session whose user signed in or confirmed their identity within the last ${confirmedMinutes} minutes`
const personTexts = {
  always: `Not available to API keys. Requires ${confirmed}.`,
  owners: `If it affects an owner, it is not available to API keys and requires ${confirmed}.`,
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `Any text that is unique per request. For ${onceHours} hours, a retry with the same key is not executed again but returns the first response, with the header Idempotency-Replayed. Using the key for a different request returns 422. While the first request is in progress, a retry returns 409.`,
  schema: { type: 'string', minLength: 1, maxLength: longestOnceKey },
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag that GET returned. If the record has changed since, nothing happens and the response is 412.',
  schema: { type: 'string' },
}

function pathParameters({ path, example }: Route): object[] {
  if (!path.includes('{id}')) return []
  const [, collection = ''] = path.split('/')
  return [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: `The id of the ${collection === 'status' ? collection : collection.replace(/s$/, '')}`,
      schema: { type: 'string', format: 'uuid' },
      example: example.id,
    },
  ]
}

/** Everything in a query is text. The document has the type that the text stands for. */
function queryParameters({ query, example }: Route, schemas: Components): object[] {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, object> }
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = documented(schema)
    const isFlag = [rest.enum].flat().join() === 'true,false'
    // The parameter may occur more than once. A single one is an array with one entry.
    const isSeveral = [rest.type].flat().includes('array')
    const sent = example.query?.[name]
    const given = isFlag && sent !== undefined ? sent === 'true' : sent
    return {
      name,
      in: 'query',
      description,
      schema: isFlag
        ? { type: 'boolean' }
        : reference({ ...rest, ...(isSeveral && { type: 'array' }) }, schemas),
      ...(given !== undefined && { example: isSeveral ? [given].flat() : given }),
    }
  })
}

function requestBody({ body, accepts, example }: Route, schemas: Components): object {
  if (!body && !accepts) return {}
  const { required, minProperties } = documented(body ?? {})
  const isRequired = accepts || minProperties !== undefined || [required ?? []].flat().length > 0
  const content = (accepts ?? ['application/json']).map((type, index) => [
    type,
    {
      schema: reference(body ?? fileContent, schemas),
      // Of several types the example is in the first.
      ...(index === 0 && { example: example.body }),
    },
  ])
  return {
    requestBody: { ...(isRequired && { required: true }), content: Object.fromEntries(content) },
  }
}

/** BAD_REQUEST → BadRequest */
function pascalCase(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')
}
