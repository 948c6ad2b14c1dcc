// The only way to call the service. Paths, bodies and replies have the types of the contract: a change of
// the contract that the page does not follow fails in the type checker.
import { addressOf } from '@rapport/client/address'
import type { contract } from '@rapport/contract'
import type { sessionRoutes } from '@rapport/contract/session'
import type { Static, TSchema } from 'typebox'
import { Fault, readFault } from './fault.ts'

type Contract = typeof contract
type Routes = {
  [Name in keyof Contract]: Contract[Name]['routes'][keyof Contract[Name]['routes']]
}[keyof Contract]
type SessionRoutes = (typeof sessionRoutes)[keyof typeof sessionRoutes]

/** Each route under its address, which names it in calls. */
type Addressed = { [R in Routes as `${R['method']} ${R['path']}`]: R } & {
  [R in SessionRoutes as `${R['method']} /session${R['path']}`]: R
}
export type RouteKey = keyof Addressed
type RouteOf<Key extends RouteKey> = Addressed[Key]

type StaticOf<S> = S extends TSchema ? Static<S> : Record<string, never>
type BodyOf<R> = R extends { body: infer S } ? StaticOf<S> : Record<string, never>
type QueryOf<R> = R extends { query: infer S } ? StaticOf<S> : Record<string, never>
type ReplyOf<R> = R extends { reply: infer S } ? StaticOf<S> : never

export interface Request<Body, Query> {
  id?: string
  body?: Body
  query?: Query
  signal?: AbortSignal | undefined
  headers?: Record<string, string>
  /** It works in the background: people learn that they were signed out when they do something. */
  isQuiet?: boolean
}

/** What a route takes. */
export type Body<Key extends RouteKey> = BodyOf<RouteOf<Key>>

/** What a route returns. */
export type Reply<Key extends RouteKey> = ReplyOf<RouteOf<Key>>

/** `call('POST /leads/list', { body })` */
export function call<Key extends RouteKey>(
  key: Key,
  request: Request<BodyOf<RouteOf<Key>>, QueryOf<RouteOf<Key>>> = {},
): Promise<Reply<Key>> {
  return send(key, request)
}

type Listener = () => void
const listeners = new Set<Listener>()

/** Called whenever the service says that nobody is signed in. */
export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function tellSignedOut(): void {
  for (const listener of listeners) listener()
}

/** Asks the person to confirm that it is them. Resolves to whether they did. */
type Asker = () => Promise<boolean>
let asker: Asker | undefined
let asking: Promise<boolean> | undefined

export function setAsker(next: Asker): () => void {
  asker = next
  return () => {
    asker = undefined
  }
}

/** Requests that need it at the same time ask once. */
function isConfirmed(): Promise<boolean> {
  asking ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

/** For routes that the contract does not have. Use `call` for all others. */
export async function send<Reply>(
  key: string,
  request: Request<unknown, unknown> = {},
): Promise<Reply> {
  return (await (await open(key, request)).json()) as Reply
}

/** The name of this page in the ids of its requests, by which it knows its own changes in the feed. */
const page = `page-${Math.random().toString(36).slice(2)}`
let requests = 0

/** An id for a request that is to be found in the feed: send it as X-Request-Id. */
export const newRequestId = () => `${page}-${++requests}`

export const isOwnRequest = (id: string | null) => id?.startsWith(`${page}-`) ?? false

/**
 * The response itself, for its headers or its stream. It is one of success. What needs a person who has
 * just signed in asks for that, and is then sent again, once.
 */
export async function open(key: string, request: Request<unknown, unknown>): Promise<Response> {
  try {
    return await sendOnce(key, request)
  } catch (error) {
    const needsPerson =
      error instanceof Fault && error.issues.some(({ code }) => code === 'sign_in_again')
    if (!needsPerson || request.isQuiet || !(await isConfirmed())) throw error
    return sendOnce(key, request)
  }
}

async function sendOnce(
  key: string,
  { id, body, query, signal, headers, isQuiet }: Request<unknown, unknown>,
): Promise<Response> {
  const [method = 'GET', path = ''] = key.split(' ')
  // Signing in is outside the REST API: only the page does it.
  const place = path.startsWith('/session/') ? '' : '/rest'
  const url = addressOf(place, path, id, query as object | undefined)
  const isFile = body instanceof Blob
  let response: Response
  try {
    response = await fetch(url, {
      method,
      headers: {
        'X-Request-Id': newRequestId(),
        ...(body !== undefined && {
          'Content-Type': `application/${isFile ? 'octet-stream' : 'json'}`,
        }),
        ...headers,
      },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Fault(0)
  }
  if (response.ok) return response
  const fault = await readFault(response)
  if (fault.status === 401 && !isQuiet) tellSignedOut()
  throw fault
}
