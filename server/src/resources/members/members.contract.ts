import { Type } from 'typebox'
import { roles, route } from '../../http/route.ts'
import { Id, OneOf } from '../../http/schema.ts'

export const Member = Type.Object(
  {
    id: Id,
    name: Type.String(),
    email: Type.String(),
    role: OneOf(['owner', 'admin', 'write', 'read']),
  },
  { title: 'Member' },
)

export const routes = {
  me: route({
    method: 'GET',
    path: '/me',
    role: 'read',
    summary: 'Who the key acts as, where, and what it may do',
    extension: true,
    reply: Type.Object({
      user: Member,
      workspace: Type.Object({ id_space: Id, name: Type.String() }),
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
}
