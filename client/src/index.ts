// The client of Rapport: a method for each route of its interface, and what makes them pleasant.
import { type Change, previewed, type Wanted } from './change.ts'
import { type FeedEvent, type Following, follow } from './events.ts'
import type { Options, Settings } from './options.ts'
import { Pages } from './pages.ts'
import { call } from './request.ts'
import {
  type BulkKind,
  type Lead,
  type LeadPage,
  type LeadQuery,
  type LeadWithRelations,
  type Resources,
  routes,
} from './routes.ts'

export type { Change, Done, Wanted } from './change.ts'
export * from './errors.ts'
export type { FeedEvent, Following } from './events.ts'
export type { FileBody, Options, Settings } from './options.ts'
export { Pages } from './pages.ts'
export type * from './routes.ts'
export { verifyWebhook, type WebhookEvent } from './webhook.ts'

/** A lead as a query asks for it. */
export type ListedAs<Query> = Query extends { id_only: true }
  ? { id: string }
  : Query extends { include: false }
    ? Lead
    : LeadWithRelations

export interface Leads extends Omit<Resources['leads'], 'list'> {
  /** Awaited, the first page; in `for await`, every lead. */
  list<const Query extends LeadQuery>(
    query?: Query,
    options?: Options,
  ): Pages<Omit<LeadPage, 'leads'> & { leads: ListedAs<Query>[] }, ListedAs<Query>>
  /** Says what a bulk change would do. Then `apply()` it, and `undo()` what was done. */
  preview<Kind extends BulkKind>(
    kind: Kind,
    wanted: Wanted<Kind>,
    options?: Options,
  ): Promise<Change>
}

export interface Rapport extends Omit<Resources, 'leads' | 'events'> {
  leads: Leads
  /** Follows the change feed, without an end. */
  events: Resources['events'] & ((following?: Following) => AsyncGenerator<FeedEvent, void>)
}

type Method = (...args: unknown[]) => unknown

/** `new Rapport({ url: 'http://127.0.0.1:3000', key: process.env.RAPPORT_KEY })` */
export const Rapport: new (settings: Settings) => Rapport = class {
  constructor(settings: Settings) {
    // A page has an address of its own, which others begin with.
    if (!/^https?:/i.test(settings.url) && !('location' in globalThis)) {
      throw new TypeError('url must begin with http:// or https://')
    }
    const { leads, events, ...others } = Object.fromEntries(
      Object.entries(routes).map(([name, methods]) => [name, methodsOf(settings, methods)]),
    ) as unknown as Resources
    Object.assign(this, others, {
      leads: { ...leads, preview: previewed.bind(undefined, others.operations) },
      events: Object.assign(
        (following: Following = {}) => follow(events.stream, following),
        events,
      ),
    })
  }
} as never

function methodsOf(settings: Settings, methods: Record<string, string>): Record<string, Method> {
  return Object.fromEntries(
    Object.entries(methods).map(([name, route]) => {
      const send = (args: unknown[]) => call(settings, route, args)
      const [, path = '', letters = ''] = route.split(' ')
      return [name, letters.includes('p') ? paged(path, send) : (...args) => send(args)]
    }),
  )
}

/** A page of fifty is for people. */
const manyLeads = { pagination: { page_size: 500 } }

/** All pages of a route, with the same arguments but for the place. */
function paged(path: string, send: (args: unknown[]) => Promise<unknown>): Method {
  const at = path.includes('{id}') ? 1 : 0
  return (...args) =>
    new Pages((place, isOneOfAll) => {
      const more = isOneOfAll && path === '/leads/list' && manyLeads
      return send(args.toSpliced(at, 1, { ...more, ...Object(args[at]), ...place }))
    })
}
