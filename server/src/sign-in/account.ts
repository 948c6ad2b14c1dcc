// Reads what a provider says about a person.
import { type Role, roles } from '@rapport/contract/roles'
import type { OpenidSettings } from '../config.ts'
import { normalizeEmail } from '../email-address.ts'
import type { Account } from './places.ts'

/** What OpenID Connect allows. */
const subject = /^[\x20-\x7e]{1,255}$/
const longestName = 500

/** Undefined when the provider has not verified the email address. */
export function readAccount(
  claims: Record<string, unknown>,
  settings: Pick<OpenidSettings, 'issuer' | 'role' | 'groupRoles' | 'groupsClaim'>,
): Account | undefined {
  const { sub, email, email_verified, name } = claims
  const normal = typeof email === 'string' ? normalizeEmail(email) : undefined
  if (normal === undefined || email_verified !== true) return undefined
  if (typeof sub !== 'string' || !subject.test(sub)) return undefined
  return {
    issuer: settings.issuer,
    subject: sub,
    email: normal,
    name: typeof name === 'string' ? name.slice(0, longestName) : undefined,
    role: roleOf(claims[settings.groupsClaim], settings),
  }
}

/**
 * The highest role of the person's groups. Someone in none of them gets the role of newcomers: who leaves a
 * group must lose its role. Undefined: the settings name no groups.
 */
function roleOf(
  claim: unknown,
  { groupRoles, role }: Pick<OpenidSettings, 'groupRoles' | 'role'>,
): Role | undefined {
  if (groupRoles.size === 0) return undefined
  const groups = [claim].flat()
  const found = [...groupRoles].filter(([group]) => groups.includes(group)).map(([, one]) => one)
  const height = (one: Role) => roles.indexOf(one)
  return found.sort((a, b) => height(b) - height(a))[0] ?? role
}
