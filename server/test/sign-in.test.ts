// Signing in as a person does it for the first time: by the link of the first start, and by the command that
// prints another. Real processes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstSignIn } from './program.ts'
import { program, type Serving } from './running-program.ts'

const box = program()
let server: Serving
beforeAll(async () => {
  server = await box.start()
})
afterAll(async () => {
  server.child.kill('SIGINT')
  await server.ended
})

const linkIn = (text: string) => /(http:\S+)\/#sign-in=(rl_[\w-]{43})(\s|$)/.exec(text)

/** Opens the link as the page does. Returns the cookie of the session. */
async function open(token: string): Promise<{ status: number; cookie: string }> {
  const answer = await fetch(`${server.url}/session/link`, {
    method: 'POST',
    headers: { Origin: server.url, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

async function me(cookie: string) {
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
  return (await fetch(`${server.url}/rest/me`, { headers })).json()
}

test('the first start has a link to the page, which works once', async () => {
  const [, address, token = ''] = linkIn(firstSignIn(server.output)) ?? []
  expect(address).toBe(server.url)
  const { status, cookie } = await open(token)
  expect(status).toBe(200)
  expect(await me(cookie)).toMatchObject({ role: 'owner', email: 'owner@localhost' })
  expect((await open(token)).status).toBe(404)
  // The log has the requests, and nothing of the secrets in them.
  const log = server.output.slice(server.output.indexOf('Stop with Ctrl-C.'))
  expect(log).toContain('/session/link')
  for (const secret of [token, cookie.split('=')[1]]) expect(log).not.toContain(secret)
})

test('no password, token, email or address of a link is in the log', async () => {
  const { stdout } = await box.run(['sign-in', '--json'])
  const { cookie } = await open(linkIn(JSON.parse(stdout).link)?.[2] ?? '')
  const send = (method: string, path: string, body: object, more: object = {}) =>
    fetch(server.url + path, {
      method,
      headers: { Origin: server.url, 'Content-Type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
  const password = 'a fine long sentence'
  const mine = { Cookie: cookie }
  expect((await send('PATCH', '/session/password', { password }, mine)).status).toBe(200)
  const email = 'owner@localhost'
  const wrong = 'a wrong long sentence'
  expect((await send('POST', '/session/password', { email, password: wrong })).status).toBe(401)
  const signedIn = await send('POST', '/session/password', { email, password })
  expect(signedIn.status).toBe(200)
  const invited = await send('POST', '/rest/members', { email: 'ann@example.com' }, mine)
  const { link } = (await invited.json()) as { link: string }
  const made = await send('POST', '/rest/keys', { name: 'Dashboard' }, mine)
  const { key } = (await made.json()) as { key: string }
  await send('POST', '/session/link/look', { token: 'rl_a-guess' })
  await fetch(`${server.url}/session/openid/return?code=a-code&state=a-state`)
  await server.says(/"path":"\/session\/openid\/return"/)
  const log = server.output.slice(server.output.indexOf('Stop with Ctrl-C.'))
  const session = signedIn.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? ''
  const secrets = [cookie.split('=')[1], session, link.split('=')[1], key, password, wrong]
  for (const secret of [...secrets, email, 'rl_a-guess', 'a-code', 'a-state']) {
    expect(secret).toMatch(/.{5}/)
    expect(log).not.toContain(secret)
  }
  for (const path of ['/session/password', '/rest/members', '/rest/keys'])
    expect(log).toContain(path)
})

test('the command prints another, for the owner or for a member', async () => {
  const owner = await box.run(['sign-in'])
  expect(owner.stderr).toContain('Member: owner@localhost (the owner)')
  const first = await open(linkIn(owner.stdout)?.[2] ?? '')
  expect(await me(first.cookie)).toMatchObject({ role: 'owner' })

  await box.run(['members', 'add', '--email', 'tom@example.com', '--role', 'read'])
  const { code, stdout } = await box.run(['sign-in', '--member', 'TOM@example.com', '--json'])
  expect(code).toBe(0)
  const { link, expires_at } = JSON.parse(stdout)
  expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(29 * 60_000)
  const second = await open(linkIn(link)?.[2] ?? '')
  expect(await me(second.cookie)).toMatchObject({ role: 'read', email: 'tom@example.com' })

  const keys = await box.run(['keys', 'list', '--json'])
  expect(JSON.parse(keys.stdout).map((one: { name: string }) => one.name)).toEqual([
    'First key',
    'Dashboard',
  ])
  const removal = await box.run(['members', 'remove', '--member', 'tom@example.com', '--yes'])
  expect(removal.code).toBe(0)
  await expect.poll(() => me(second.cookie)).toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a member that does not exist is told, and no link is printed', async () => {
  const { code, stdout, stderr } = await box.run(['sign-in', '--member', 'x@example.com'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('No member x@example.com')
})
