// A running service for one test file: with its own database, real HTTP, and a clock that tests set.
import type { MemberRole, Role } from '@rapport/contract/roles'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { issueKey } from '../src/access/issue-key.ts'
import { startSession } from '../src/access/sessions.ts'
import { type AppOptions, buildApp } from '../src/app.ts'
import { setForAccount } from '../src/db/distribute.sql.ts'
import { connect, type Pool } from '../src/db/driver.ts'
import type { Dispatcher } from '../src/outgoing/dispatcher.ts'
import { createSecrets } from '../src/secrets.ts'
import { copyTemplate, isOnCluster } from './databases.ts'
import { freePort } from './free-port.ts'
import { type Answer, HttpClient, type HttpRequest, restRequest, withBody } from './http-client.ts'
import { expectOneTask } from './one-task.ts'
import { expectPinned } from './pinned.ts'
import './statements.ts'
import { addMember, makeWorkspace } from './workspace.ts'

export type { Answer }

export interface Workspace {
  id_space: string
  owner: string
  key: string
  /** Sends a request with the owner's key. A body of another type than JSON is sent as it is. */
  call(method: string, path: string, body?: unknown, type?: string): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  remove(path: string): Promise<Answer>
}

/** Options of the service, as far as they differ from those of the tests. */
type Changes = Partial<Omit<AppOptions, 'config'>> & { config?: Partial<AppOptions['config']> }

export type Client = Omit<Workspace, 'id_space' | 'owner'>

export interface Service {
  db: Pool
  url: string
  clock: { now: Date; advance(ms: number): void }
  /** The connections of the service. Tests use others, because its statements are checked. */
  pool: Pool
  /** The number of statements that the service has sent outside of transactions. */
  statements: number
  /** The texts of all statements so far. */
  sent: Iterable<string>
  workspace(): Promise<Workspace>
  member(space: Workspace, role?: MemberRole): Promise<string>
  key(space: Workspace, role: Role, member?: string): Promise<string>
  as(key: string): Client
  /** Sends requests of the page for a member (default: the owner) who has just signed in. */
  person(space: Workspace, member?: string): Promise<Client>
  /** Starts another service on the same database, at a free port if none is said. The caller closes it. */
  another(port?: number, more?: Changes): Promise<{ url: string; app: FastifyInstance }>
  /** Sends webhooks, once a test starts it. */
  dispatcher: Dispatcher
  /** Sends any request. It is described as for fetch. */
  request(path: string, init?: RequestInit): Promise<Answer>
}

/** Starts a service before the tests of a file, and stops it after them. */
export function service({
  config,
  lockTimeoutMs = 0,
  connections = 5,
  ...options
}: Changes & {
  lockTimeoutMs?: number
  /** Of the service to its database. */
  connections?: number
} = {}): Service {
  const clock = {
    now: new Date('2026-03-02T09:00:00.000Z'),
    advance(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms)
    },
  }
  const self = { clock, statements: 0 } as Service
  const http = new HttpClient()
  let close = async () => {}

  beforeAll(async () => {
    const { target, service, drop } = await copyTemplate('test')
    self.db = connect(target, { max: 5, lockTimeoutMs })
    if (isOnCluster()) await setForAccount(self.db, lockTimeoutMs)
    const statements = new Map<string, unknown[]>()
    self.sent = { [Symbol.iterator]: () => statements.keys() }
    const onStatement = (text: string, values: unknown[]) => void statements.set(text, values)
    self.pool = connect(service, { max: connections, lockTimeoutMs, onStatement })
    const counted = new Proxy(self.pool, {
      get(target, name) {
        if (name === 'unsafe') self.statements++
        return Reflect.get(target, name)
      },
    })
    const start = (db: Pool, { config: changed, ...more }: Changes = {}) =>
      buildApp({
        db,
        config: {
          host: '127.0.0.1',
          publicUrl: undefined,
          sessionMs: 90 * 86_400_000,
          logLevel: 'silent',
          rateLimit: 0,
          maxRequests: 1_000,
          trustProxy: [],
          webhookAllow: [],
          mail: undefined,
          openid: undefined,
          undoKeepMs: 30 * 86_400_000,
          metricsToken: undefined,
          backupEvery: undefined,
          backupKey: undefined,
          backupDir: '/nonexistent',
          slowStatementMs: Number.POSITIVE_INFINITY,
          dataDir: '/nonexistent',
          databaseUrl: undefined,
          secretKey: undefined,
          mistyped: [],
          deletedKeepMs: undefined,
          timeouts: { ordinary: 0, bulk: 0, transfer: 0, background: 0 },
          ...config,
          ...changed,
        },
        clock: () => clock.now,
        sleep: async () => {},
        // About a thousandth of the work.
        passwordCost: { log2: 7, r: 8, p: 1 },
        secrets: createSecrets('a key for tests'),
        resolve: async () => [],
        ...options,
        ...more,
      })
    const address = { port: 0, host: '127.0.0.1' }
    const app = start(counted)
    self.dispatcher = app.dispatcher
    self.url = await app.listen(address)
    self.another = async (wanted = 0, more = {}) => {
      const other = start(self.pool, more)
      const port = wanted || (await freePort())
      return { url: await other.listen({ ...address, port }), app: other }
    }
    close = async () => {
      http.close()
      await app.close()
      // The driver would wait without end for a connection that was killed and not used since.
      await self.pool.end({ timeout: 0.1 })
      const checked = async () => {
        await expectPinned(self.db, statements.keys())
        if (isOnCluster()) await expectOneTask(self.db, statements)
      }
      await checked().finally(async () => {
        await self.db.end()
        await drop()
      })
    }
  })
  afterAll(() => close())

  const send = async (request: HttpRequest) => withBody(await http.send(self.url, request))

  self.request = async (path, init) => {
    const request = new Request(self.url + path, init)
    const { pathname, search } = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    return send({
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(request.body && { body }),
    })
  }

  const clientOf = (key: string, call: Client['call']): Client => {
    return {
      key,
      call,
      get: (path) => call('GET', path),
      post: (path, body) => call('POST', path, body),
      patch: (path, body) => call('PATCH', path, body),
      remove: (path) => call('DELETE', path),
    }
  }

  self.as = (key) => clientOf(key, (...request) => send(restRequest(key, ...request)))

  self.workspace = async () => {
    const created_at = clock.now.toISOString()
    const wanted = { name: 'Test', ownerName: 'Member owner', created_at }
    const { key, ...space } = await makeWorkspace(self.db, wanted)
    return { ...space, ...self.as(key) }
  }

  self.member = ({ id_space }, role = 'write') => {
    const created_at = clock.now.toISOString()
    return addMember(self.db, { id_space, name: `Member ${role}`, role, created_at })
  }

  self.key = async ({ id_space, owner }, role, member = owner) => {
    const created_at = clock.now.toISOString()
    const order = { id_space, id_member: member, role, name: 'Test', created_at }
    return (await issueKey(self.db, order)).key
  }

  self.person = async ({ id_space, owner }, member = owner) => {
    const by = { way: 'link', device: 'Test', now: clock.now } as const
    const session = await startSession(self.db, { id_space, id: member }, by)
    return clientOf(session, (...request) =>
      send(fromThePage(restRequest(session, ...request), self.url)),
    )
  }

  return self
}

/** The same request with the session in its cookie instead of a key. */
function fromThePage({ headers, ...request }: HttpRequest, server: string): HttpRequest {
  const { 'X-API-KEY': session, ...others } = headers
  const Cookie = `rapport-${new URL(server).port}=${session}`
  return { ...request, headers: { ...others, Cookie, 'Sec-Fetch-Site': 'same-origin' } }
}
