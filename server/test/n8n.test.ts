// The nodes for n8n, held to the contract: what they send, the service accepts.
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { contract } from '@rapport/contract'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { root } from '../src/root.ts'

// Not part of the build, which has none of n8n's packages.
const load = (file: string) =>
  import(pathToFileURL(join(fileURLToPath(root), 'integrations/n8n/nodes', file)).href)
const { lead } = await load('Rapport/lead.ts')
const { note, reminder } = await load('Rapport/work.ts')
const { isSigned } = await load('RapportTrigger/signature.ts')

const routes = Object.values(contract).flatMap(
  (resource): { method: string; path: string; body?: unknown }[] => Object.values(resource.routes),
)

interface Property {
  name: string
  value?: string
  options?: Property[]
  displayOptions?: { show: { operation?: string[] } }
  routing?: { request?: { method: string; url: string }; send?: { property?: string } }
}

/** The fields of the body that a property sends. */
const sentBy = ({ routing, options = [] }: Property): string[] => [
  ...(routing?.send?.property ? [routing.send.property] : []),
  ...options.flatMap(sentBy),
]

const operations = [lead, note, reminder].flatMap((properties: Property[]) =>
  (properties[0]?.options ?? []).map(({ value = '', routing }) => ({
    method: routing?.request?.method,
    path: routing?.request?.url.replace(/^=/, '').replace('{{$parameter.id}}', '{id}'),
    fields: properties
      .filter(({ displayOptions }) => displayOptions?.show.operation?.includes(value))
      .flatMap(sentBy),
  })),
)

test.each(operations)('$method $path takes what the node sends', ({ method, path, fields }) => {
  const found = routes.find((route) => route.method === method && route.path === path)
  const body = found?.body as { properties?: object } | undefined
  expect(found).toBeDefined()
  expect(Object.keys(body?.properties ?? {})).toEqual(
    expect.arrayContaining(fields.map((field) => field.split('.', 1)[0])),
  )
})

describe('the trigger', () => {
  const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`
  const now = new Date('2026-11-18T10:00:00Z')
  const body = '{"seq":1}'
  const headers = {
    'webhook-id': '1',
    'webhook-timestamp': String(now.getTime() / 1000),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('1', now, body)}`,
  }
  const isTaken = (changes: object, text = body, key = secret, at = now.getTime()) =>
    isSigned(Buffer.from(text), { ...headers, ...changes }, key, at)

  test('takes what is signed', () => {
    expect(isTaken({})).toBe(true)
  })

  test.each([
    ['another body', () => isTaken({}, '{"seq":2}')],
    ['another id', () => isTaken({ 'webhook-id': '2' })],
    ['another secret', () => isTaken({}, body, 'whsec_YW5vdGhlciBzZWNyZXQ=')],
    ['no secret', () => isTaken({}, body, '')],
    ['no signature', () => isTaken({ 'webhook-signature': undefined })],
    ['no time', () => isTaken({ 'webhook-timestamp': undefined })],
    ['an old event', () => isTaken({}, body, secret, now.getTime() + 301_000)],
  ])('refuses %s', (_, take) => {
    expect(take()).toBe(false)
  })
})
