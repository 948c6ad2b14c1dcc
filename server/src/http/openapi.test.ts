// The route list as a whole: what each route declares, and the document made from it.
import { readFileSync } from 'node:fs'
import { contract } from '@rapport/contract'
import { type Route, roles } from '@rapport/contract/route'
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

    test('only a read route lets a read key in', async () => {
      const path = route.path.replace('{id}', '01920000-0000-7000-8000-0000000000ff')
      const reader = app.as(await app.key(await app.workspace(), 'read'))
      const { status } = await reader.call(route.method, path)
      if (route.role === 'read') expect(status).not.toBe(403)
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
