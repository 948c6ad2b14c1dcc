// A route is data. The same object validates the input, serialises the answer, types the handler and
// makes the OpenAPI document.
import type { Static, TSchema } from 'typebox'

/** What a call needs and what a key may do, weakest first. */
export const roles = ['read', 'write', 'admin'] as const
export type Role = (typeof roles)[number]

export interface Route {
  /** What generated clients call the operation: a verb and what it acts on. */
  operationId: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /rest, with `{id}` where a record is addressed. */
  path: string
  role: Role
  summary: string
  description: string
  /** Goes beyond the interface that clients in the field speak. */
  extension?: true
  /** The answer has a secret that is shown once. So it is not kept for a repeated request. */
  secret?: true
  /**
   * Needs a person who has signed in or confirmed it within 15 minutes, not a key. `owners`: only where it
   * concerns an owner, which the handler finds out.
   */
  person?: 'always' | 'owners'
  /** Changes any number of records in one transaction. Only a few of these run at a time. */
  bulk?: true
  /** Takes If-Match: the ETag of the record as it was read. */
  conditional?: true
  /** Waits for something to say: always, or when the parameter `wait` asks for it. It takes no slot meanwhile. */
  waits?: 'always' | 'asked'
  body?: TSchema
  /** Content types of a body that the handler reads as a stream. Such a route has no `body`. */
  accepts?: readonly string[]
  query?: TSchema
  reply: TSchema
  /** Content types of an answer that is a file instead of JSON. */
  produces?: readonly string[]
  /**
   * A request that works as it stands: on an empty workspace, unless it has one of `exampleIds`. Tests
   * send the examples in the order of the document.
   */
  example: { id?: string; body?: unknown; query?: Record<string, unknown> }
}

/**
 * Whether a request may carry an Idempotency-Key. Reading twice does no harm, imports have an identity of
 * their own, an answer with a secret must not be stored, and a person is no program that repeats requests.
 */
export function takesIdempotencyKey({ role, method, accepts, secret, person }: Route): boolean {
  return method !== 'GET' && role !== 'read' && !accepts && !secret && person !== 'always'
}

export function route<const R extends Route>(spec: R): R {
  return spec
}

/** The routes of one resource, under the name that people read in the documentation. */
export interface ResourceContract {
  name: string
  description: string
  routes: Record<string, Route>
}

type StaticOf<S> = S extends TSchema ? Static<S> : Record<string, never>

export type BodyOf<R extends { body?: TSchema }> = StaticOf<R['body']>
export type QueryOf<R extends Route> = StaticOf<R['query']>
export type ReplyOf<R extends { reply: TSchema }> = Static<R['reply']>
