// The roles of members as plain values, for readers that must not load the schemas: the page.

export const memberRoles = ['owner', 'admin', 'write', 'read'] as const
export type MemberRole = (typeof memberRoles)[number]
