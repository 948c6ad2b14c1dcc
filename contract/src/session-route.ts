// A route outside /rest, for the page. Clients with an API key have no use for these, so they are not in the
// OpenAPI document.
import type { TSchema } from 'typebox'

export interface SessionRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /session. */
  path: string
  /**
   * What a request requires. Without a session, only the sign-in routes are available. `step`: a sign-in
   * whose first step is done. `person`: a session with a sign-in or a confirmation within 15 minutes.
   */
  needs: 'nothing' | 'step' | 'session' | 'person'
  body?: TSchema
  reply: TSchema
}

export function route<const R extends SessionRoute>(spec: R): R {
  return spec
}
