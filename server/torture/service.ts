// A service with workspaces of its own, and its database beside it for a look behind its answers.
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { insertMember, insertSpace } from '../src/access/access.sql.ts'
import { issueKey } from '../src/access/issue-key.ts'
import type { Pool } from '../src/db/driver.ts'
import { openDatabase } from '../src/engine/open-database.ts'
import { newId } from '../src/ids.ts'
import { makeDataDir, removeDataDir, type Server, startServer } from './server.ts'
import { Breach } from './torture.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service sent; undefined when it is no JSON
  body: any
}

export interface Sent {
  method: string
  /** As it goes over the wire, with the query. */
  path: string
  headers: Record<string, string | string[]>
  body?: string | Buffer | undefined
}

export interface Workspace {
  id_space: string
  owner: string
  members: string[]
  key: string
  /** A request below /rest with the owner's key. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

export interface Service {
  server: Server
  db: Pool
  send(sent: Sent): Promise<Answer>
  /** A new one, with an owner and two more members. */
  workspace(name: string): Promise<Workspace>
}

/** Starts a service on data of its own; both are gone when the work is done. */
export async function withService<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const dataDir = await makeDataDir()
  const agent = new Agent({ keepAlive: true })
  try {
    const server = await startServer(dataDir)
    try {
      const { pool: db, close } = await openDatabase(
        { databaseUrl: undefined, dataDir, poolSize: 3 },
        () => {},
      )
      try {
        const send = (sent: Sent) => sendTo(server.url, agent, sent)
        const workspace = (name: string) => makeWorkspace(db, send, name)
        const done = await work({ server, db, send, workspace })
        agent.destroy()
        await stopSoon(server)
        return done
      } finally {
        await close()
      }
    } finally {
      agent.destroy()
      await server.kill()
    }
  } finally {
    await removeDataDir(dataDir)
  }
}

/** Whatever was done to it, the service ends when it is told to. */
async function stopSoon(server: Server): Promise<void> {
  const started = performance.now()
  const status = await server.stop()
  const seconds = Math.round((performance.now() - started) / 1000)
  if (seconds > 20) throw new Breach(`The service took ${seconds} seconds to stop`)
  if (status !== 0) throw new Breach(`The service stopped with status ${status}`)
}

const patienceMs = 30_000

function sendTo(url: string, agent: Agent, { method, path, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const what = `${method} ${path.slice(0, 200)}`
    // Node says no length of a GET's or DELETE's body, and the server would take it for a request.
    const isMeasured = body !== undefined && !('Transfer-Encoding' in headers)
    const length = isMeasured ? { 'Content-Length': Buffer.byteLength(body) } : {}
    const options = { agent, method, path, headers: { ...length, ...headers } }
    const call = request(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: parse(text),
        })
      })
    })
    call.setTimeout(patienceMs, () =>
      call.destroy(new Breach(`${what} was not answered within ${patienceMs / 1000} seconds`)),
    )
    call.on('error', (error) =>
      reject(error instanceof Breach ? error : new Breach(`${what} broke off: ${error.message}`)),
    )
    call.end(body)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function makeWorkspace(db: Pool, send: Service['send'], name: string): Promise<Workspace> {
  const id_space = newId()
  const created_at = new Date().toISOString()
  await insertSpace(db, { id_space, name, time_zone: 'UTC', created_at })
  const members = [newId(), newId(), newId()]
  for (const [index, id] of members.entries()) {
    const role = index === 0 ? 'owner' : 'write'
    const email = `${id}@example.com`
    await insertMember(db, { id_space, id, name: `${name} ${index}`, email, role, created_at })
  }
  const [owner = ''] = members
  const order = { id_space, id_member: owner, role: 'admin', name, created_at } as const
  const { key } = await issueKey(db, order)
  const call = (method: string, path: string, body?: unknown) =>
    send({
      method,
      path: `/rest${path}`,
      headers: {
        'X-API-KEY': key,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  return { id_space, owner, members, key, call }
}
