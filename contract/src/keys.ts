import { Type } from 'typebox'
import { roles } from './roles.ts'
import { route } from './route.ts'
import { DateTime, Id, Message, Name, Nullable, OneOf, Ref, Shape } from './shapes.ts'

const key = {
  id: Id,
  name: Type.String(),
  hint: Type.String({ description: 'The first and last characters of the key' }),
  role: OneOf(roles, { title: 'KeyRole' }),
  id_member: Type.String({ format: 'uuid', description: 'The member the key acts as' }),
  created_at: DateTime,
  last_used_at: Nullable(DateTime),
  expires_at: Nullable(DateTime),
  revoked_at: Nullable(DateTime),
}

const Key = Shape('Key', key)

const NewKey = Shape('NewKey', {
  ...key,
  key: Type.String({ description: 'The key itself. It is returned only once.' }),
})

const KeyInput = Shape('KeyInput', {
  name: Name,
  role: Type.Optional(key.role),
  id_member: Type.Optional(Ref),
  expires_at: Type.Optional(Nullable(DateTime)),
})

const examples = { key: '01920000-0000-7000-8000-000000000017' }

export const keys = {
  name: 'Keys',
  description: 'The API keys of the workspace, without browser sessions.',
  examples,
  routes: {
    list: route({
      operationId: 'listKeys',
      method: 'GET',
      path: '/keys',
      role: 'admin',
      summary: 'List API keys',
      description: 'Returns all API keys of the workspace, oldest first, including revoked ones.',
      extension: true,
      reply: Type.Array(Key, { title: 'Keys' }),
      example: {},
    }),
    create: route({
      operationId: 'createKey',
      method: 'POST',
      path: '/keys',
      role: 'admin',
      summary: 'Create an API key',
      description:
        'The key acts as the given member, by default the caller, and has the role `write` unless you send another. Its role cannot exceed that of its member. Without `expires_at`, the key is valid until it is revoked. Only an owner can create a key for an owner.',
      extension: true,
      secret: true,
      person: 'owners',
      body: KeyInput,
      reply: NewKey,
      example: { body: { name: 'Dashboard', role: 'read' } },
    }),
    remove: route({
      operationId: 'deleteKey',
      method: 'DELETE',
      path: '/keys/{id}',
      role: 'admin',
      summary: 'Revoke an API key',
      description:
        'The key stops working within 5 seconds and stays in the list. Only an owner can revoke a key of an owner.',
      extension: true,
      person: 'owners',
      reply: Message,
      example: { id: examples.key },
    }),
  },
}
