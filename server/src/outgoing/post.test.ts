// Where the service connects to, and where it does not, whatever an address says.
import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../test/receiver.ts'
import { type Address, createGuard, type Resolve } from './addresses.ts'
import { createOutgoing } from './post.ts'

let receiver: Receiver
let port: string
beforeAll(async () => {
  receiver = await startReceiver()
  port = new URL(receiver.url).port
})

const nothing: Resolve = async () => []
const request = { headers: {}, body: '{}' }

async function post(url: string, allow: string[] = [], resolve = nothing) {
  const line = createOutgoing(allow, resolve).openLine()
  const answer = await line.post({ ...request, url })
  line.close()
  return answer
}

/** Ways to write addresses of this machine and of its networks. */
const hostile = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
  ],
  ...[
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '127.255.255.254',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
  ],
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '0xa9fea9fe'],
  ...['100.64.0.1', '100.127.255.255', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
  ],
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::1]',
    '[fe80::1]',
  ],
  ...[
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[fec0::1]',
    '[2001:db8::1]',
    '[100::1]',
    '[3fff::1]',
  ],
]

describe.each(['http', 'https'])('%s', (scheme) => {
  test.each(hostile)(`${scheme}://%s is not connected to`, async (host) => {
    const url = `${scheme}://${host}:${port}/`
    const before = receiver.connections
    expect(await post(url)).toMatchObject({
      status: null,
      error: expect.stringMatching(/address|https/),
    })
    expect(createOutgoing([], nothing).faultOf(url)).toBeDefined()
    // Nor as the address of a name.
    const address = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
    const family = address.includes(':') ? 6 : 4
    const named = await post(`${scheme}://name.example:${port}/`, [], async () => [
      { address, family },
    ])
    expect(named).toMatchObject({ status: null, error: expect.stringContaining('name.example') })
    expect(receiver.connections).toBe(before)
  })
})

test('public addresses may be reached', () => {
  const { mayReach } = createGuard([])
  const open: Address[] = [
    { address: '93.184.215.14', family: 4 },
    { address: '172.32.0.1', family: 4 },
    { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 },
  ]
  expect(open.filter(mayReach)).toEqual(open)
})

test('allowed networks are connected to, also without TLS', async () => {
  expect(await post(receiver.url, ['127.0.0.0/8'])).toMatchObject({ status: 200, text: 'ok' })
  expect(await post(receiver.url, ['127.0.0.1'])).toMatchObject({ status: 200 })
  expect(await post(receiver.url, ['10.0.0.0/8', '::1'])).toMatchObject({ status: null })
  const name = `http://tools.example:${port}/`
  const local: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  expect(await post(name, ['127.0.0.1'], local)).toMatchObject({ status: 200 })
})

test('a name without an address, and one of which not every address is allowed', async () => {
  expect((await post('https://gone.example/')).error).toBe(
    'The name gone.example cannot be resolved',
  )
  const before = receiver.connections
  const mixed: Resolve = async () => [
    { address: '127.0.0.1', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ]
  const { error } = await post(`http://mixed.example:${port}/`, ['127.0.0.1'], mixed)
  expect(error).toContain('private or reserved')
  expect(receiver.connections).toBe(before)
})

describe('a name server that changes its answer', () => {
  /** Answers queries for A: with each address once, then with the last one. */
  async function nameServer(...addresses: string[]) {
    const socket = createSocket('udp4')
    let asked = 0
    socket.on('message', (query, from) => {
      const isV4 = query.readUInt16BE(query.length - 4 - tail(query)) === 1
      const head = Buffer.from(query.subarray(0, query.length - tail(query)))
      head.writeUInt16BE(0x8180, 2)
      head.writeUInt16BE(isV4 ? 1 : 0, 6)
      head.writeUInt16BE(0, 10)
      const address = addresses[Math.min(asked, addresses.length - 1)] as string
      if (isV4) asked++
      const answer = Buffer.from([
        0xc0,
        12,
        0,
        1,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
        4,
        ...address.split('.').map(Number),
      ])
      socket.send(isV4 ? Buffer.concat([head, answer]) : head, from.port, from.address)
    })
    await once(socket.bind(0, '127.0.0.1'), 'listening')
    const resolver = new dns.Resolver()
    resolver.setServers([`127.0.0.1:${socket.address().port}`])
    const resolve: Resolve = async (name) =>
      (await resolver.resolve4(name)).map((address) => ({ address, family: 4 }))
    return { resolve, asked: () => asked, close: () => socket.close() }
  }

  /** The length of what follows the question: an OPT record, if there is one. */
  const tail = (query: Buffer) => (query.readUInt16BE(10) > 0 ? 11 : 0)

  test('is asked once for a connection, which goes to the address that was checked', async () => {
    const reached: (string | undefined)[] = []
    // At both addresses, so that the one that must not be reached would answer, too.
    const server = createServer((socket) => {
      reached.push(socket.localAddress)
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    })
    await once(server.listen(0, '0.0.0.0'), 'listening')
    const names = await nameServer('127.0.0.2', '127.0.0.1')
    const line = createOutgoing(['127.0.0.2/32'], names.resolve).openLine()
    const url = `http://rebind.example:${(server.address() as AddressInfo).port}/`
    expect(await line.post({ ...request, url })).toMatchObject({ status: 200 })
    expect(names.asked()).toBe(1)
    const second = await line.post({ ...request, url })
    expect(second).toMatchObject({ status: null, error: expect.stringContaining('rebind.example') })
    expect(names.asked()).toBe(2)
    expect(reached).toEqual(['127.0.0.2'])
    line.close()
    for (const each of [server, names]) each.close()
  })
})

describe('responses', () => {
  const local = ['127.0.0.0/8']

  test('of any length: a kilobyte is kept', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(500)
      const send = () => {
        while (response.writable && response.write('ä'.repeat(10_000)));
      }
      response.on('drain', send)
      send()
    }
    const { status, text } = await post(receiver.url, local)
    expect([status, Buffer.byteLength(text)]).toEqual([500, 1024])
  })

  test('that end early, or are not HTTP', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 })
      response.write('part', () => response.destroy())
    }
    expect(await post(receiver.url, local)).toMatchObject({ status: 200, text: 'part' })
    receiver.answer = (_request, response) => void response.socket?.end('nonsense\r\n\r\n')
    expect(await post(receiver.url, local)).toMatchObject({ error: 'The response is not HTTP' })
    receiver.answer = (_request, response) => void response.destroy()
    expect((await post(receiver.url, local)).error).toBe(
      'The connection was closed without a response',
    )
  })

  test('a connection is kept for the next request, and opened anew if it was closed', async () => {
    receiver.answer = (_request, response) => void response.end('ok')
    const before = receiver.connections
    const line = createOutgoing(local, nothing).openLine()
    for (let time = 0; time < 3; time++) {
      expect(await line.post({ ...request, url: receiver.url })).toMatchObject({ status: 200 })
    }
    expect(receiver.connections).toBe(before + 1)
    line.close()
  })

  test('an attempt ends when it is aborted', async () => {
    const asked = new Promise<void>((resolve) => {
      receiver.answer = () => resolve()
    })
    const stop = new AbortController()
    const line = createOutgoing(local, nothing).openLine()
    const answer = line.post({ ...request, url: receiver.url, signal: stop.signal })
    await asked
    stop.abort()
    expect(await answer).toMatchObject({ status: null, error: expect.stringContaining('stopped') })
    line.close()
  })
})

afterAll(() => {
  receiver.answer = (_request, response) => void response.end()
})
