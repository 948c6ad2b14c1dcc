// Who made a change, and how it came in.
import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf, Shape } from './shapes.ts'

/** api: a key. agent: a key made for an agent. web: the page. command: the command line. schedule: the service itself. */
export const ways = ['api', 'agent', 'web', 'command', 'import', 'schedule'] as const
export type Way = (typeof ways)[number]

export const Actor = Shape('Actor', {
  member: Nullable(Id),
  /** The API key or the session. Null for the command line, schedules and RAPPORT_API_KEY. */
  key: Nullable(Id),
  way: OneOf(ways),
  request_id: Nullable(Type.String()),
})
export type Actor = Static<typeof Actor>
