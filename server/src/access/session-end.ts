// A session ends after a while without use, and no later than some time after its sign-in.

const dayMs = 24 * 60 * 60 * 1000
const unusedMs = 30 * dayMs
/** SESSION_DAYS changes it. */
export const standardSessionMs = 90 * dayMs

export function sessionEnd(now: Date, signedIn: Date, sessionMs: number): string {
  const end = Math.min(now.getTime() + unusedMs, signedIn.getTime() + sessionMs)
  return new Date(end).toISOString()
}
