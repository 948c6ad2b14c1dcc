// Facts about signing in as plain values, so that the page can import them without the schemas.

/** What a link is for. Each has its name in the address: /#sign-in=… */
export const linkPurposes = {
  sign_in: 'sign-in',
  invitation: 'invitation',
  reset: 'reset',
} as const
export type LinkPurpose = keyof typeof linkPurposes

/** How long an invitation works. */
export const invitationDays = 7

/** Why signing in with OpenID Connect failed, as in /#sign-in-error=refused */
export const openidErrors = ['unavailable', 'refused', 'expired'] as const
export type OpenidError = (typeof openidErrors)[number]

/** How long after a sign-in or a confirmation a session may do what only a person may. */
export const confirmedMinutes = 15

export const shortestPassword = 10
/** A longer one would only cost time. */
export const longestPassword = 500

/** What is left to do after the first step of signing in. */
export const nextSteps = ['verify', 'enrol'] as const
export type NextStep = (typeof nextSteps)[number]

/** Who needs a second factor. Owners count as admins. */
export const factorRules = ['optional', 'admins', 'everybody'] as const
export type FactorRule = (typeof factorRules)[number]
