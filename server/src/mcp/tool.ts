// What a tool is: data and a function, as a route is.
import type { Route } from '@rapport/contract/route'
import type { Static, TSchema } from 'typebox'
import type { Call } from './ask.ts'
import type { Workspace } from './workspace.ts'

/** One call of a tool, as the tool sees it. */
export interface Visit {
  call: Call
  workspace: Workspace
  /** Whether the key may use a route. */
  may(route: Route): boolean
  /** The change feed names the request in what it did. */
  requestId: string
  now: Date
}

export interface Answer {
  /** One or two sentences, without any text of the workspace. */
  says: string
  /** What the caller needs for its next call. It is never shortened. */
  next?: Record<string, unknown>
  /** Everything that people have written. Marked as data, and shortened if it is long. */
  data: Record<string, unknown>
  /** A key of `data` with an array that is cut after as many as fit. Says where to go on. */
  cut?: { list: string; from: number; goOn: (at: number) => Record<string, unknown> }
}

export interface Tool<S extends TSchema = TSchema> {
  name: string
  title: string
  description: string
  input: S
  annotations: {
    readOnlyHint: boolean
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint: false
  }
  /** The tool is listed if the key may use one of these. */
  needs: readonly Route[]
  run(visit: Visit, args: Static<S>): Promise<Answer>
}

export const tool = <const S extends TSchema>(spec: Tool<S>): Tool => spec as unknown as Tool

/** For tools that change nothing. */
export const reads = { readOnlyHint: true, openWorldHint: false } as const
