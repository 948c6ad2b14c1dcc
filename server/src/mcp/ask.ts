// The way from a tool to the handlers of the service: the same checks, limits and handlers as over HTTP.
import type { BodyOf, QueryOf, ReplyOf, Route } from '@rapport/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'

interface Asked {
  id?: string
  body?: unknown
  query?: unknown
  /** Says all about a write: the second time, it is not done again, and the answer is that of the first. */
  once?: string
}

/** Calls one endpoint with the rights of the request around it. Throws an ApiError if it is refused. */
export type Ask = (request: FastifyRequest, reply: FastifyReply, asked: Asked) => Promise<unknown>

/** All endpoints of the service. */
export type Asks = Map<Route, Ask>

export type Call = <R extends Route>(
  route: R,
  asked?: Omit<Asked, 'body' | 'query'> & { body?: BodyOf<R>; query?: QueryOf<R> },
) => Promise<ReplyOf<R>>
