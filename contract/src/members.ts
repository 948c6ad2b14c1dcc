import { Type } from 'typebox'
import { roles, route } from './route.ts'
import { Id, OneOf } from './shapes.ts'

export const memberRoles = ['owner', 'admin', 'write', 'read'] as const
export type MemberRole = (typeof memberRoles)[number]

const member = {
  id: Id,
  name: Type.String(),
  email: Type.String(),
  role: OneOf(memberRoles),
}

export const Member = Type.Object(member, { title: 'Member' })

export const Workspace = Type.Object({
  id_space: Id,
  name: Type.String(),
  time_zone: Type.String(),
})

export const members = {
  name: 'Members',
  routes: {
    me: route({
      method: 'GET',
      path: '/me',
      role: 'read',
      summary: 'Who the key acts as, where, and what it may do',
      extension: true,
      reply: Type.Object({
        ...member,
        id_space: Id,
        workspace: Workspace,
        key: Type.Object({ role: OneOf(roles) }),
      }),
      example: {},
    }),
    list: route({
      method: 'GET',
      path: '/members',
      role: 'read',
      summary: 'The members of the workspace: those who can own leads',
      extension: true,
      reply: Type.Array(Member),
      example: {},
    }),
  },
}
