// Who may do what, as plain values, so that the page can import them without the schemas.
import type { FactorRule } from './sign-in.ts'

/** What a call requires and what a key may do, weakest first. */
export const roles = ['read', 'write', 'admin'] as const
export type Role = (typeof roles)[number]

/** What a key can be narrowed to, each with the role that it takes. A key without scopes may do all that its role allows. */
export const scopeRoles = {
  read: 'read',
  export: 'read',
  write: 'write',
  bulk: 'write',
  delete: 'write',
  mail: 'write',
  admin: 'admin',
} as const satisfies Record<string, Role>
export type Scope = keyof typeof scopeRoles
export const scopes = Object.keys(scopeRoles) as Scope[]

/** A change of a key or of a member's role takes effect everywhere within this many seconds. */
export const effectiveSeconds = 5

export const memberRoles = ['owner', 'admin', 'write', 'read'] as const
export type MemberRole = (typeof memberRoles)[number]

/** The highest role that a member's keys can have. An owner may do what an admin may. */
export const rightsOf = (role: MemberRole): Role => (role === 'owner' ? 'admin' : role)

/** Members who may do everything. */
export const adminRoles = memberRoles.filter((role) => rightsOf(role) === 'admin')

export const allows = (has: Role, needs: Role) => roles.indexOf(has) >= roles.indexOf(needs)

/** Only an owner can change an owner or make someone an owner. The roles are those before and after. */
export const mayChange = (own: MemberRole | undefined, ...roles: (MemberRole | undefined)[]) =>
  own === 'owner' || !roles.includes('owner')

interface WithRole {
  id: string
  role: MemberRole
}

/** One owner must remain. */
export const isLastOwner = ({ id, role }: WithRole, members: readonly WithRole[]) =>
  role === 'owner' && !members.some((one) => one.role === 'owner' && one.id !== id)

export const needsFactor = (rule: FactorRule, role: MemberRole) =>
  rule === 'everybody' || (rule === 'admins' && rightsOf(role) === 'admin')
