// A route is data. The same object validates the input, serializes the response, types the handler and
// produces the OpenAPI document.
import type { Static, TSchema } from 'typebox'
import type { Role, Scope } from './roles.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** `PATCH /tags/{id}`. The path is below /rest, with `{id}` where a record is addressed. */
export type Address = `${Method} /${string}`
type PartsOf<A extends Address> = A extends `${infer M extends Method} ${infer P}`
  ? { method: M; path: P }
  : never

export function partsOf<const A extends Address>(address: A): PartsOf<A> {
  const [method, path] = address.split(' ')
  return { method, path } as PartsOf<A>
}

export interface Example {
  id?: string
  body?: unknown
  query?: Record<string, unknown>
}

interface Spec {
  /** The name in generated clients: a verb and its object. */
  operationId: string
  role: Role
  /** The scopes that a narrowed key needs, where `scopesOf` would not find them. */
  scopes?: readonly Scope[]
  summary: string
  description: string
  /** Part of the common interface. All others are marked as extensions. */
  common?: true
  /** The response has a secret that is shown once, so it is not stored for a retry. */
  secret?: true
  /**
   * Requires a person who signed in or confirmed their identity within 15 minutes, not a key. `owners`: only if it
   * affects an owner, which the handler finds out.
   */
  person?: 'always' | 'owners'
  /** Changes any number of records in one transaction. Only a few of these run at a time. */
  bulk?: true
  /** Takes If-Match: the ETag of the record as it was read. */
  conditional?: true
  /**
   * Waits for events or for another server: always, or if the parameter `wait` asks for it. It occupies no slot while
   * it waits.
   */
  waits?: 'always' | 'asked'
  body?: TSchema
  /** Content types of a body that the handler reads as a stream. Such a route has no `body`. */
  accepts?: readonly string[]
  query?: TSchema
  reply: TSchema
  /** Content types of a response that is a file instead of JSON. */
  produces?: readonly string[]
  /**
   * A request that works as it is: on an empty workspace, unless it names records of `exampleIds`. Tests
   * send the examples in the order of the document. Absent: it needs nothing.
   */
  example?: Example
}

export type Route = Spec & { method: Method; path: string; example: Example }

/** The scopes that a key needs if it is narrowed to some. */
export function scopesOf({
  scopes,
  role,
  method,
  bulk,
  accepts,
  produces,
}: Route): readonly Scope[] {
  if (scopes) return scopes
  if (role === 'admin') return ['admin']
  if (produces) return ['export']
  if (role === 'read') return ['read']
  if (method === 'DELETE') return ['delete']
  return bulk || accepts ? ['bulk'] : ['write']
}

/** How long the response to a request with an Idempotency-Key is kept, and the most characters of the key. */
export const onceHours = 24
export const longestOnceKey = 255

/**
 * Whether a request may have an Idempotency-Key. Reading twice does no harm, imports have their own
 * identity, a response with a secret must not be stored, what waits must not do so in a transaction, and a person
 * is not a program that retries.
 */
export function takesIdempotencyKey({ role, method, ...route }: Route): boolean {
  const { accepts, secret, waits, person } = route
  const isStored = !accepts && !secret && !waits && person !== 'always'
  return method !== 'GET' && role !== 'read' && isStored
}

export function route<const A extends Address, const S extends Spec>(address: A, spec: S) {
  return { example: {} as Example, ...spec, ...partsOf(address) }
}

/** The routes of one resource, under its name in the documentation. */
export interface ResourceContract {
  name: string
  description: string
  /**
   * The ids in its examples, by the kind of record. The document that the service serves to a caller with a key
   * has ids of the caller's own records instead.
   */
  examples?: Record<string, string>
  routes: Record<string, Route>
}

type StaticOf<S> = S extends TSchema ? Static<S> : Record<string, never>

export type BodyOf<R extends { body?: TSchema }> = StaticOf<R['body']>
export type QueryOf<R extends Route> = StaticOf<R['query']>
export type ReplyOf<R extends { reply: TSchema }> = Static<R['reply']>
