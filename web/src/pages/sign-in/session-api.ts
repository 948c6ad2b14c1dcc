// What the forms of the sign-in share.
import { call, type Reply } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { reasonOf } from '../../ui/reason.ts'
import { words } from '../../words/index.ts'

export type Session = Reply<'GET /session/list'>[number]

export const waysQuery = {
  queryKey: ['ways'],
  queryFn: () => call('GET /session/ways'),
  staleTime: 60_000,
}

/** For what can be asked once: it is neither kept nor asked again. */
export const once = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, retry: false }

/** Why someone was not let in. */
export function refusalOf(error: unknown): string {
  return error instanceof Fault && error.status === 429 ? words.signIn.tooMany : reasonOf(error)
}

/** Why the fields of a form were refused, by field. What concerns none of them is at `other`. */
export function refusedFields(error: unknown, other: string): Record<string, string> {
  const issues = error instanceof Fault ? error.issues : []
  if (issues.length === 0) return { [other]: reasonOf(error) }
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0] ?? ''), message]))
}
