// What a handler gets and returns, and how the routes of a contract get their handlers.
import type { Actor } from '@rapport/contract/actor'
import type { Role, Scope } from '@rapport/contract/roles'
import type { BodyOf, QueryOf, ReplyOf, ResourceContract, Route } from '@rapport/contract/route'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../db/driver.ts'
import type { Mail } from '../mail/mail.ts'
import type { Outgoing } from '../outgoing/post.ts'
import type { Secrets } from '../secrets.ts'

/** A body that the handler reads as a stream. */
export interface Upload {
  /** One of the content types that the route accepts. */
  type: string
  /** The charset that the content type names. */
  charset: string | undefined
  content: AsyncIterable<Buffer>
}

/** For a route that waits for events. While it waits, it holds no slot and no connection. */
export interface Waiting {
  /** Reads when a slot is free. Requests that read the same at the same time share one read. */
  read<T>(what: string, work: () => Promise<T>): Promise<T>
  /** The workspace has events that came after the last read began. */
  hasNews(): boolean
  /** Resolves when there is news, at the latest after `ms`. It may resolve earlier. */
  forNews(ms: number): Promise<void>
  /** Changes with the notifications of the member. */
  inboxVersion(): number
  /** The client has left, or the service stops. */
  isOver(): boolean
  /** False when the key was revoked in the meantime. */
  isStillAllowed(): Promise<boolean>
  /** A stream sends something at least this often. */
  commentMs: number
  /** The last event that a client got before it lost its connection. */
  lastEventId: string | undefined
}

export interface Settings {
  /** How long an operation can be undone. */
  undoKeepMs: number
  /** How long deleted leads are kept. Undefined: for ever. */
  deletedKeepMs: number | undefined
  /** People sign in with the provider only: there are no passwords and no links. */
  openidOnly: boolean
  /** Undefined: there is no key to encrypt secrets with. */
  secrets: Secrets | undefined
  /** The way to other servers. */
  outgoing: Outgoing
  /** Undefined: the service sends no mail. */
  mail: Mail | undefined
}

export type BackgroundWork = (db: Pool) => Promise<void>

/** One request, as a handler sees it. */
export interface Call<R extends Route = Route> {
  /** The workspace of the key or session. Every statement names it. */
  space: string
  /** The member the key acts as. */
  user: string
  /** What the key may do. */
  role: Role
  /** What the key is narrowed to. */
  scopes?: Scope[] | undefined
  /** The record that the path addresses; always a uuid. */
  id: string
  body: BodyOf<R>
  upload: R['accepts'] extends readonly string[] ? Upload : undefined
  query: QueryOf<R>
  waiting: R['waits'] extends string ? Waiting : undefined
  /** If-Match: make the change only if the record is still this version. Undefined: always. */
  ifMatch: string | undefined
  /** Who calls, for the change feed and the audit log. */
  actor: Actor
  /** When the person behind a session last proved who they are; undefined for a key. */
  confirmedAt: number | undefined
  /** The address of the page, for links. Throws a BAD_REQUEST if the service does not know it. */
  page(): string
  now: Date
  /** The time, for work that takes long. */
  clock(): Date
  log: FastifyBaseLogger
  /** Settings of the service. */
  settings: Settings
  /** Signs a text so that only the same key can use it. */
  sign(text: string): string
  /**
   * Does work after the response, when a slot is free. The service stops after it. The work gets a pool,
   * because that of the handler may be a transaction that has ended by then.
   */
  inBackground(work: BackgroundWork): void
  /** Aborted when the client leaves or the service stops, for work that can continue another time. */
  left(): AbortSignal
  /** Adds a header to the response. */
  say(header: string, value: string): void
  /**
   * For work in many pieces, and for handlers that take no slot before: runs one piece when a slot is free, so
   * that others get theirs.
   */
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

/** Server-sent events: a response that continues until the client leaves. */
export class EventStream {
  readonly content: AsyncIterable<string>

  constructor(content: AsyncIterable<string>) {
    this.content = content
  }
}

export type Answer<R extends Route> = ReplyOf<R> | Json | Download | EventStream

export type Handler<R extends Route> = (db: Pool, call: Call<R>) => Promise<Answer<R>> | Answer<R>

/** A request with an Idempotency-Key. */
export interface Repeatable {
  id_space: string
  /** The API key that sent it. */
  id_key: string
  key: string
  /** Hash of method, path and body. */
  fingerprint: string
}

export interface Done {
  /** The body of the response, as JSON. */
  body: string
  /** The operation that it was. */
  operation: string | null
}

export interface Outcome extends Done {
  isReplayed: boolean
}

/** Does what the handler of the route does, and stores the response in its own transaction. */
export type OnceHandler<R extends Route> = (
  db: Pool,
  call: Call<R>,
  request: Repeatable,
) => Promise<Outcome>

/** For a route that is called often: it takes slots by itself, with `inTurn`. */
export interface SlotTaker<R extends Route> {
  handle: Handler<R>
  /** Of a write that can also store its response. */
  handleOnce?: OnceHandler<R>
}

export interface Endpoint {
  route: Route
  handle: (db: Pool, call: Call) => unknown
  handleOnce?: OnceHandler<Route>
  /** Whether the handler takes slots by itself. */
  takesSlots: boolean
}

export interface Resource {
  name: string
  endpoints: Endpoint[]
}

/** Combines the routes of a contract with their handlers. The types make sure none is missing. */
export function resource<C extends ResourceContract>(
  { name, routes }: C,
  handlers: { [K in keyof C['routes']]: Handler<C['routes'][K]> | SlotTaker<C['routes'][K]> },
): Resource {
  return {
    name,
    endpoints: Object.entries(routes).map(([key, route]) => {
      const given = handlers[key as keyof C['routes']]
      const takesSlots = typeof given !== 'function'
      const handling: object = takesSlots ? given : { handle: given }
      // The validator has checked the body against the route before a handler sees it.
      return { route, takesSlots, ...(handling as Pick<Endpoint, 'handle' | 'handleOnce'>) }
    }),
  }
}
