import { Type } from 'typebox'
import { roles, route } from './route.ts'
import { Id, OneOf, Shape } from './shapes.ts'

export const memberRoles = ['owner', 'admin', 'write', 'read'] as const
export type MemberRole = (typeof memberRoles)[number]

const member = {
  id: Id,
  name: Type.String(),
  email: Type.String(),
  role: OneOf(memberRoles),
}

export const Member = Shape('Member', member)

export const Workspace = Shape('Workspace', {
  id_space: Id,
  name: Type.String(),
  time_zone: Type.String(),
})

const Me = Shape('Me', {
  ...member,
  id_space: Id,
  workspace: Workspace,
  key: Type.Object({ role: OneOf(roles) }),
})

export const members = {
  name: 'Members',
  description: 'The people of the workspace, and the one that the key acts as.',
  routes: {
    me: route({
      operationId: 'getMe',
      method: 'GET',
      path: '/me',
      role: 'read',
      summary: 'Get the member that the key acts as',
      description: 'The member, the workspace, and what the key may do.',
      extension: true,
      reply: Me,
      example: {},
    }),
    list: route({
      operationId: 'listMembers',
      method: 'GET',
      path: '/members',
      role: 'read',
      summary: 'List members',
      description: 'All members of the workspace. They can own leads and be reminded.',
      extension: true,
      reply: Type.Array(Member, { title: 'Members' }),
      example: {},
    }),
  },
}
