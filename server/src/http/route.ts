// A route is data: the same object validates the input, serialises the answer, types the handler
// and makes the OpenAPI document.
import type { FastifyBaseLogger } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Pool } from '../db/connect.ts'

export const roles = ['read', 'write', 'admin'] as const
/** What a call needs, and what a key may do. */
export type Role = (typeof roles)[number]

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /rest, with `{id}` where a record is addressed. */
  path: string
  role: Role
  summary: string
  description?: string
  /** Beyond the interface that clients in the field speak. */
  extension?: true
  /** Changes as many records as it likes, in one transaction: only so many run at a time. */
  bulk?: true
  body?: TSchema
  /** Content types of a body that the handler reads as it comes; there is no `body` then. */
  accepts?: readonly string[]
  query?: TSchema
  reply: TSchema
  /** Content types of an answer that is a Download instead of JSON. */
  produces?: readonly string[]
  /** A request that works as it stands; tests run it. */
  example: { id?: string; body?: unknown; query?: Record<string, unknown> }
}

export function route<const R extends Route>(spec: R): R {
  return spec
}

type StaticOf<S> = S extends TSchema ? Static<S> : Record<string, never>

/** A body that is read as it comes. */
export interface Upload {
  /** One of those that the route accepts. */
  type: string
  /** What the content type says about it. */
  charset: string | undefined
  content: AsyncIterable<Buffer>
}

/** One request, as a handler sees it. */
export interface Call<R extends Route = Route> {
  /** The workspace of the key; every statement names it. */
  space: string
  /** The member the key acts as. */
  user: string
  /** What the key may do. */
  role: Role
  /** The record that the path addresses; always a uuid. */
  id: string
  body: StaticOf<R['body']>
  upload: R['accepts'] extends readonly string[] ? Upload : undefined
  query: StaticOf<R['query']>
  now: Date
  log: FastifyBaseLogger
  /** For work that has many pieces: each of them waits for its turn, so that others get theirs. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

/** Of an answer that is sent as it is made. */
export type Pieces = AsyncIterable<string | Buffer>

/** An answer that is JSON already: made by PostgreSQL, whole or piece by piece. */
export class Json {
  readonly content: string | Buffer | Pieces

  constructor(content: string | Buffer | Pieces) {
    this.content = content
  }
}

/** An answer that is no JSON, sent as it is made. */
export class Download {
  readonly type: string
  /** What a browser calls the file. */
  readonly name: string
  readonly content: Pieces

  constructor(type: string, name: string, content: Pieces) {
    this.type = type
    this.name = name
    this.content = content
  }
}

type Answer<R extends Route> = Static<R['reply']> | Json | Download

export type Handler<R extends Route> = (db: Pool, call: Call<R>) => Promise<Answer<R>> | Answer<R>

export interface Resource {
  name: string
  endpoints: { route: Route; handle: (db: Pool, call: Call) => unknown }[]
}

/** Puts the routes of a contract and their handlers together; the types make sure none is missing. */
export function resource<T extends Record<string, Route>>(
  name: string,
  routes: T,
  handlers: { [K in keyof T]: Handler<T[K]> },
): Resource {
  return {
    name,
    endpoints: Object.entries(routes).map(([key, spec]) => ({
      route: spec,
      // Validation has made the body what the route says before a handler sees it.
      handle: handlers[key as keyof T] as unknown as (db: Pool, call: Call) => unknown,
    })),
  }
}
