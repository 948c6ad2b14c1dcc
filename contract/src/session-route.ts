// A route outside /rest, for the page. Clients with an API key have no use for these, so they are not in the
// OpenAPI document.
import type { TSchema } from 'typebox'
import { type Address, partsOf, type Route } from './route.ts'

interface Spec {
  /**
   * What a request requires. Without a session, only the sign-in routes are available. `step`: a sign-in
   * whose first step is done. `person`: a session with a sign-in or a confirmation within 15 minutes.
   */
  needs: 'nothing' | 'step' | 'session' | 'person'
  body?: TSchema
  reply: TSchema
}

export type SessionRoute = Spec & Pick<Route, 'method' | 'path'>

/** The path is below /session. */
export function route<const A extends Address, const S extends Spec>(address: A, spec: S) {
  return { ...spec, ...partsOf(address) }
}
