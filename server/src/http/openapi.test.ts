// The route list as a whole: what each route declares, and the document made from it.
import { readFileSync } from 'node:fs'
import { contract } from '@rapport/contract'
import { answeredFields } from '@rapport/contract/leads/fields'
import { roles } from '@rapport/contract/roles'
import type { Route } from '@rapport/contract/route'
import { describe, expect, test } from 'vitest'
import { service } from '../../test/harness.ts'
import { version } from '../version.ts'
import { openapi } from './openapi.ts'

const routes = Object.values(contract).flatMap(({ routes }) => Object.values<Route>(routes))
const app = service()

test('openapi.json is up to date', () => {
  const committed = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
  const current = `${JSON.stringify(openapi(contract, version), null, 2)}\n`
  expect(committed === current, 'run: npm run -s rapport -- openapi > openapi.json').toBe(true)
})

interface Schema {
  $ref?: string
  type?: string | string[]
  required?: string[]
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  items?: Schema
  enum?: unknown[]
  minProperties?: number
}
interface Operation {
  operationId: string
  description?: string
  parameters?: { name: string; in: string; description?: string; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
}

describe('the document', () => {
  const document = JSON.parse(JSON.stringify(openapi(contract, version)))
  const schemas: Record<string, Schema> = document.components.schemas
  const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((methods) =>
    Object.values(methods),
  )
  const named = ({ $ref = '' }: Schema) => schemas[$ref.replace('#/components/schemas/', '')]
  const schemaOf = (content: Record<string, { schema: Schema }>) =>
    Object.values(content).map(({ schema }) => schema)
  const operation = (id: string) =>
    operations.find(({ operationId }) => operationId === id) as Operation

  test('operations have names that a person would choose, each its own', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const verbs =
      'create|list|get|search|update|delete|track|add|move|place|remove|import|export|stream|preview|undo|erase|rotate|test|replay|mark|send|resume|dismiss|undismiss'
    for (const id of ids) expect(id).toMatch(new RegExp(`^(${verbs})([A-Z][a-z]+)+$`))
    expect(ids).toEqual(expect.arrayContaining(['createLead', 'listLeads', 'moveLeads', 'getLead']))
  })

  test('operations, tags and parameters are described', () => {
    const { tags } = document as { tags: { description?: string }[] }
    const parameters = operations.flatMap(({ parameters = [] }) => parameters)
    for (const { description } of [...operations, ...tags, ...parameters]) {
      expect(description).toMatch(/\w+ \w+/)
    }
  })

  test('every body and every answer has a name', () => {
    for (const { operationId, requestBody, responses } of operations) {
      const bodies = schemaOf(requestBody?.content ?? {})
      const answers = schemaOf(responses[200]?.content ?? {})
      expect(answers).not.toEqual([])
      for (const schema of [...bodies, ...answers]) {
        expect(named(schema), operationId).toBeDefined()
      }
    }
    // Words that mean something else in most languages.
    for (const name of ['Error', 'Object', 'Array', 'String', 'Date', 'File', 'Response']) {
      expect(schemas).not.toHaveProperty(name)
    }
  })

  test('a body is required where something in it is', () => {
    const required = ({ requestBody }: Operation) => requestBody?.required ?? false
    for (const one of operations) {
      const [schema = {}] = schemaOf(one.requestBody?.content ?? {})
      const body = named(schema)
      if ((body?.required ?? []).length > 0) expect(required(one), one.operationId).toBe(true)
    }
    const others = ['searchLeads', 'importLeads']
    for (const id of others) expect(required(operation(id)), id).toBe(true)
    // Clients in the field call it without a body.
    expect(required(operation('listLeads'))).toBe(false)
  })

  test('items of the list have their fields required as they are', () => {
    const variants = schemas.ListedLead?.anyOf?.map(named) ?? []
    expect(variants).toHaveLength(3)
    for (const { required, properties } of variants as Schema[]) {
      expect(required).toEqual(Object.keys(properties ?? {}))
    }
  })

  test('what is true or false is a boolean, and the fields of an order are known', () => {
    const typeOf = (id: string, name: string) =>
      operation(id).parameters?.find((parameter) => parameter.name === name)?.schema.type
    expect(typeOf('importLeads', 'dry_run')).toBe('boolean')
    const flags = operation('listNotifications').parameters
    expect(flags?.find(({ name }) => name === 'unread')).toMatchObject({ example: true })
    expect(typeOf('importLeads', 'create_companies')).toBe('boolean')
    expect(typeOf('listCampaigns', 'page')).toEqual(['integer', 'boolean'])
    expect(typeOf('importLeads', 'list')).toBe('array')
    expect(schemas.LeadField?.enum).toEqual(answeredFields)
    expect(schemas.ReminderField?.enum).toContain('date')
  })

  test('an object that occurs twice has a name', () => {
    const seen = new Map<string, string>()
    const visit = (value: unknown, where: string): void => {
      if (value === null || typeof value !== 'object') return
      const { type, properties } = value as Schema
      if (type === 'object' && properties && !/^.components.schemas.\w+$/.test(where)) {
        const text = JSON.stringify(value)
        expect(seen.get(text), where).toBeUndefined()
        seen.set(text, where)
      }
      for (const [key, inner] of Object.entries(value)) visit(inner, `${where}/${key}`)
    }
    visit(document, '')
  })

  test('a key is sent in one header or the other', () => {
    expect(document.security).toEqual([{ key: [] }, { bearer: [] }])
    expect(document.components.securitySchemes).toMatchObject({
      key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
      bearer: { type: 'http', scheme: 'bearer' },
    })
  })
})

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    test('declares its role, summary, answer and example', () => {
      expect(roles).toContain(route.role)
      expect(route.summary).toMatch(/\S/)
      expect(Object.keys(route.reply)).not.toHaveLength(0)
      if (route.path.includes('{id}')) expect(route.example.id).toBeTypeOf('string')
      if (route.body) expect(route.example.body).toBeTypeOf('object')
    })

    test('asks for a key', async () => {
      const path = route.path.replace('{id}', '01920000-0000-7000-8000-0000000000ff')
      const { status, body } = await app.request(`/rest${path}`, { method: route.method })
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    })

    test('only a read route lets a read key in, unless it is for people', async () => {
      const path = route.path.replace('{id}', '01920000-0000-7000-8000-0000000000ff')
      const reader = app.as(await app.key(await app.workspace(), 'read'))
      const { status } = await reader.call(route.method, path)
      if (route.role === 'read' && route.person !== 'always') expect(status).not.toBe(403)
      else expect(status).toBe(403)
    })
  },
)

test('the document and the reference page are served, and need nothing from outside', async () => {
  const document = await app.request('/openapi.json')
  expect(document.body.openapi).toBe('3.1.0')
  const page = await app.request('/docs')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
  const sources = [...page.body.matchAll(/src="([^"]+)"/g)].map((match) => match[1])
  expect(sources).toEqual(['/docs/reference.js', '/docs/start.js'])
  for (const source of sources) expect((await app.request(source)).status).toBe(200)
})
