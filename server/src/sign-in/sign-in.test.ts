// What can be reached without signing in, and what the page may load.
import { contract } from '@rapport/contract'
import { sessionRoutes } from '@rapport/contract/session'
import type { SessionRoute } from '@rapport/contract/session-route'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '../../test/browser.ts'
import { service } from '../../test/harness.ts'

const app = service()
const routes = Object.values<SessionRoute>(sessionRoutes)
const nameOf = ({ method, path }: SessionRoute) => `${method} ${path}`
const some = '01920000-0000-7000-8000-0000000000ff'

test('only signing in needs no session', () => {
  expect(routes.filter(({ needs }) => needs === 'nothing').map(nameOf)).toEqual([
    'GET /ways',
    'POST /password',
    'POST /link/look',
    'POST /link',
    'POST /link/mail',
    'GET /choice',
    'POST /choice',
    'POST /passkey/options',
    'POST /passkey',
  ])
})

describe.each(routes.map((route) => [nameOf(route), route] as const))('%s', (_name, route) => {
  const path = `/session${route.path.replace('{id}', some)}`

  test('without a session tells nothing and changes nothing', async () => {
    const { status, headers } = await openBrowser(app).call(route.method, path)
    if (route.needs !== 'nothing') expect(status).toBe(401)
    // The choice of a workspace has its own cookie.
    else expect(route.path === '/choice' ? [400, 401] : [200, 400]).toContain(status)
    expect(headers.getSetCookie()).toEqual([])
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('refuses a made-up session and an API key', async () => {
    if (route.needs === 'nothing') return
    const browser = openBrowser(app)
    browser.cookies.set(`rapport-${new URL(app.url).port}`, `rs_${'x'.repeat(43)}`)
    expect((await browser.call(route.method, path)).status).toBe(401)
    const { key } = await app.workspace()
    const answer = await openBrowser(app).call(route.method, path, undefined, { 'X-API-KEY': key })
    expect(answer.status).toBe(route.needs === 'step' ? 401 : 403)
  })
})

test('the ways to sign in are all that a stranger learns', async () => {
  await app.workspace()
  const { body } = await app.request('/session/ways')
  expect(body).toEqual({ password: false, openid: null, passkey: false, mail: false })
})

test('the session routes are not part of the interface for clients with keys', () => {
  const paths = Object.values(contract).flatMap(({ routes }) =>
    Object.values<{ path: string }>(routes).map(({ path }) => path),
  )
  expect(paths.filter((path) => path.startsWith('/session/'))).toEqual([])
})

test('the page may run no script and style in its text, be in no frame, and send forms only here', async () => {
  const { headers } = await app.request('/')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:/)
  const rules = policy.split('; ')
  for (const rule of ["default-src 'self'", "frame-ancestors 'none'", "form-action 'self'"]) {
    expect(rules).toContain(rule)
  }
  expect(headers.get('referrer-policy')).toBe('same-origin')
})
