// Where links lead: never where a header of the request says.
import { afterAll, expect, test } from 'vitest'
import { type Browser, openBrowser, signedIn } from '../../test/browser.ts'
import { type Service, service } from '../../test/harness.ts'
import { openidSettings, startOpenidProvider } from '../../test/openid-provider.ts'

const trustProxy = ['127.0.0.0/8']
const provider = await startOpenidProvider()
provider.allow('https://crm.example')
afterAll(() => provider.close())
const { openid } = openidSettings(provider)
const local = service()
const named = service({
  config: { publicUrl: 'https://crm.example', host: '0.0.0.0', trustProxy, openid },
})
const open = service({ config: { host: '0.0.0.0', openid } })
const proxied = service({ config: { trustProxy } })

const forged = {
  Host: 'evil.example',
  Origin: 'http://evil.example',
  Forwarded: 'host=evil.example',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'https',
}

async function makeLinks(app: Service) {
  const space = await app.workspace()
  const id = await app.member(space)
  const owner: Browser = await signedIn(app, { id_space: space.id_space, id: space.owner })
  // The cookie has the port of the real host in its name.
  const [[, session] = []] = owner.cookies
  const Cookie = ['rapport', '__Host-rapport'].map((name) => `${name}=${session}`).join('; ')
  const made = []
  for (const headers of [{}, { ...forged, Cookie }]) {
    const email: string = `ann.${made.length}@example.com`
    made.push(await owner.call('POST', '/rest/members', { email }, headers))
    made.push(await owner.call('POST', `/rest/members/${id}/link`, undefined, headers))
  }
  return { made, space }
}

test('on the machine itself they lead to its own address', async () => {
  const { made } = await makeLinks(local)
  for (const { body } of made) expect(body.link).toMatch(new RegExp(`^${local.url}/#`))
})

test('with PUBLIC_URL they lead there', async () => {
  const { made } = await makeLinks(named)
  for (const { body } of made) expect(body.link).toMatch(/^https:\/\/crm\.example\/#/)
})

test.each([
  ['that listens beyond it', open],
  ['behind a proxy', proxied],
])('without it a service %s makes none, says why, and changes nothing', async (_what, app) => {
  const { made, space } = await makeLinks(app)
  for (const { status, body } of made) {
    expect([status, body.issues]).toMatchObject([400, [{ path: [], code: 'public_url' }]])
    expect(body.issues[0].message).toMatch(/^Set PUBLIC_URL to /)
  }
  expect((await space.get('/members')).body).toHaveLength(2)
  const actions = (await space.get('/audit')).body.entries.map(
    (one: { action: string }) => one.action,
  )
  expect(actions).not.toContain('link.created')
})

test('OpenID Connect sends the browser back there too, or nowhere', async () => {
  const start = async (app: Service) =>
    (await openBrowser(app).call('GET', '/session/openid', undefined, forged)).headers.get(
      'location',
    )
  const address = new URL((await start(named)) ?? '')
  expect(address.searchParams.get('redirect_uri')).toBe('https://crm.example/session/openid/return')
  expect(await start(open)).toBe('/#sign-in-error=unavailable')
})
