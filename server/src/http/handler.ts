// What a handler gets and returns, and how the routes of a contract get their handlers.
import type { Actor } from '@rapport/contract/actor'
import type {
  BodyOf,
  QueryOf,
  ReplyOf,
  ResourceContract,
  Role,
  Route,
} from '@rapport/contract/route'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../db/driver.ts'

/** A body that the handler reads as a stream. */
export interface Upload {
  /** One of the content types that the route accepts. */
  type: string
  /** The charset that the content type names. */
  charset: string | undefined
  content: AsyncIterable<Buffer>
}

/** One request, as a handler sees it. */
export interface Call<R extends Route = Route> {
  /** The workspace of the key or session. Every statement names it. */
  space: string
  /** The member the key acts as. */
  user: string
  /** What the key may do. */
  role: Role
  /** The record that the path addresses; always a uuid. */
  id: string
  body: BodyOf<R>
  upload: R['accepts'] extends readonly string[] ? Upload : undefined
  query: QueryOf<R>
  /** Who calls, for the change feed and the audit log. */
  actor: Actor
  /** The address of the page as the caller sees it, for links. */
  page(): string
  now: Date
  log: FastifyBaseLogger
  /** For work in many pieces: runs one piece when a slot is free, so that others get theirs. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

/** The pieces of a streamed response. */
export type Pieces = AsyncIterable<string | Buffer>

/** A response that PostgreSQL has built as JSON: whole or streamed. It is sent unchanged. */
export class Json {
  readonly content: string | Buffer | Pieces

  constructor(content: string | Buffer | Pieces) {
    this.content = content
  }
}

/** A streamed response that is not JSON. */
export class Download {
  readonly type: string
  /** The file name that a browser suggests. */
  readonly name: string
  readonly content: Pieces

  constructor(type: string, name: string, content: Pieces) {
    this.type = type
    this.name = name
    this.content = content
  }
}

export type Answer<R extends Route> = ReplyOf<R> | Json | Download

export type Handler<R extends Route> = (db: Pool, call: Call<R>) => Promise<Answer<R>> | Answer<R>

export interface Endpoint {
  route: Route
  handle: (db: Pool, call: Call) => unknown
}

export interface Resource {
  name: string
  endpoints: Endpoint[]
}

/** Puts the routes of a contract and their handlers together. The types make sure none is missing. */
export function resource<C extends ResourceContract>(
  { name, routes }: C,
  handlers: { [K in keyof C['routes']]: Handler<C['routes'][K]> },
): Resource {
  return {
    name,
    endpoints: Object.entries(routes).map(([key, route]) => ({
      route,
      // The validator has checked the body against the route before a handler sees it.
      handle: handlers[key as keyof C['routes']] as unknown as Endpoint['handle'],
    })),
  }
}
