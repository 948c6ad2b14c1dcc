// The routes of the contract as methods. Only this file knows the contract: the build replaces it with plain data and
// plain types (build.mjs), so that the package needs nothing else.
import { contract } from '@rapport/contract'
import { type Route, takesIdempotencyKey } from '@rapport/contract/route'
import type { Static, TSchema } from 'typebox'
import type { FileBody, Options } from './options.ts'
import type { Pages } from './pages.ts'

export type { Event, EventType } from '@rapport/contract'
export type { ErrorCode, Issue } from '@rapport/contract/errors'
export type { BulkData } from '@rapport/contract/leads/bulk'
export type { LeadFilter } from '@rapport/contract/leads/filter'
export type { LeadWithRelations } from '@rapport/contract/leads/shapes'
export type { Operation, Preview } from '@rapport/contract/operations'
export type { BulkKind } from '@rapport/contract/operations.values'

type Contract = typeof contract
type Shown<S> = S extends TSchema ? Static<S> : never

export type Lead = Shown<Contract['leads']['routes']['create']['reply']>
export type LeadPage = Shown<Contract['leads']['routes']['list']['reply']>
export type LeadQuery = Shown<Contract['leads']['routes']['list']['body']>

/** The parts of a query are text. Numbers and flags are written as text, and arrays as several parts. */
type Loose<Query> = {
  [Name in keyof Query]: string extends Query[Name] ? Query[Name] | number : Query[Name]
}

type IdOf<R> = R extends { path: `${string}{id}${string}` } ? [id: string] : []
type FileOf<R> = R extends { accepts: readonly string[] } ? [file: FileBody] : []
type DataOf<R> = R extends { body: infer S }
  ? Maybe<Shown<S>>
  : R extends { query: infer S }
    ? Maybe<Loose<Shown<S>>>
    : []
type Maybe<Data> = object extends Data ? [data?: Data] : [data: Data]

type ReplyOf<R> = R extends { produces: readonly string[] }
  ? Response
  : R extends { reply: infer S }
    ? Shown<S>
    : never
type ItemOf<Page> = {
  [Name in keyof Page]: Page[Name] extends (infer Item)[] ? Item : never
}[keyof Page]
type Answer<Reply> = Reply extends { next: infer Next }
  ? null extends Next
    ? Pages<Reply, ItemOf<Reply>>
    : Promise<Reply>
  : Promise<Reply>

type Method<R> = (
  ...args: [...IdOf<R>, ...FileOf<R>, ...DataOf<R>, options?: Options]
) => Answer<ReplyOf<R>>

/** A method for each route, under the names of the contract. */
export type Resources = {
  [Name in keyof Contract]: {
    [Key in keyof Contract[Name]['routes']]: Method<Contract[Name]['routes'][Key]>
  }
}

type Properties = Record<string, { type?: unknown }> | undefined
const propertiesOf = (schema: TSchema | undefined) =>
  (schema as { properties?: Properties } | undefined)?.properties

/** Whether a page of the answer says where the next one begins, and where there is none. */
export function hasPages({ body, query, reply }: Route): boolean {
  const asked = propertiesOf(body ?? query) ?? {}
  const next = propertiesOf(reply)?.next?.type
  return 'cursor' in asked || ('after' in asked && Array.isArray(next))
}

/** What a call has to know of its route: letters, see `call` in request.ts. */
function lettersOf(route: Route): string {
  const { body, query, accepts, produces, method, role, bulk } = route
  const letters = {
    f: accepts,
    b: body,
    q: !body && query,
    r: produces,
    p: hasPages(route),
    k: takesIdempotencyKey(route),
    s: method === 'GET' || role === 'read',
    l: bulk,
  }
  return Object.entries(letters)
    .map(([letter, is]) => (is ? letter : ''))
    .join('')
}

/** `POST /lead bk` by resource and name. */
export const routes: Record<string, Record<string, string>> = Object.fromEntries(
  Object.entries(contract).map(([name, resource]) => [
    name,
    Object.fromEntries(
      Object.entries(resource.routes as Record<string, Route>).map(([key, route]) => [
        key,
        `${route.method} ${route.path} ${lettersOf(route)}`,
      ]),
    ),
  ]),
)
