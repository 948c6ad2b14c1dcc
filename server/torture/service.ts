// A service with new workspaces, and direct access to its database to check what is stored.
import type { Pool } from '../src/db/driver.ts'
import {
  type Answer,
  HttpClient,
  type HttpRequest,
  restRequest,
  withBody,
} from '../test/http-client.ts'
import { addMember, makeWorkspace, type NewWorkspace } from '../test/workspace.ts'
import { boxHome, clusterHome } from './home.ts'
import type { Server } from './server.ts'
import { Breach, type Context } from './torture.ts'

export interface Workspace extends NewWorkspace {
  /** The owner first. */
  members: string[]
  /** A request of the interface with the owner's key. A body of another type is sent as it is. */
  call(method: string, path: string, body?: unknown, type?: string): Promise<Answer>
}

export interface Service {
  server: Server
  db: Pool
  send(request: HttpRequest): Promise<Answer>
  /** Makes a workspace with an owner and two more members. */
  workspace(name: string): Promise<Workspace>
}

/** Starts a service on new data. Both are removed when the work is done. */
export async function withService<T>(
  { random, isOnCluster }: Pick<Context, 'random' | 'isOnCluster'>,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const home = isOnCluster ? await clusterHome(random.fork()) : await boxHome()
  // Only what hangs takes this long: a busy machine does not.
  const http = new HttpClient({ timeoutMs: 300_000 })
  try {
    const server = await home.start()
    try {
      const { pool: db, close } = await home.open()
      try {
        const send = (request: HttpRequest) => sendTo(server.url, http, request)
        const workspace = (name: string) => newWorkspace(db, send, name)
        const done = await work({ server, db, send, workspace })
        http.close()
        await stopSoon(server)
        return done
      } finally {
        await close()
      }
    } finally {
      http.close()
      await server.kill()
    }
  } finally {
    await home.remove()
  }
}

/** Whatever was done to it, the service must stop when asked to. */
async function stopSoon(server: Server): Promise<void> {
  const started = performance.now()
  const status = await server.stop()
  const seconds = Math.round((performance.now() - started) / 1000)
  if (seconds > 60) throw new Breach(`The service took ${seconds} seconds to stop`)
  if (status !== 0) throw new Breach(`The service stopped with status ${status}`)
}

async function sendTo(url: string, http: HttpClient, request: HttpRequest): Promise<Answer> {
  try {
    return withBody(await http.send(url, request))
  } catch (error) {
    throw new Breach(`${request.method} ${request.path.slice(0, 200)}: ${error}`)
  }
}

async function newWorkspace(db: Pool, send: Service['send'], name: string): Promise<Workspace> {
  const created_at = new Date().toISOString()
  const space = await makeWorkspace(db, { name, created_at })
  const { id_space, owner, key } = space
  const members = [owner]
  for (const number of [1, 2]) {
    const colleague = { id_space, name: `${name} ${number}`, role: 'write', created_at } as const
    members.push(await addMember(db, colleague))
  }
  const call: Workspace['call'] = (...request) => send(restRequest(key, ...request))
  return { ...space, members, call }
}
