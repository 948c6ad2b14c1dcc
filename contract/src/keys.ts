import { Type } from 'typebox'
import { exampleIds } from './examples.ts'
import { roles, route } from './route.ts'
import { DateTime, Id, Message, Name, Nullable, OneOf, Ref, Shape } from './shapes.ts'

const key = {
  id: Id,
  name: Type.String(),
  hint: Type.String({ description: 'The begin and the end of the key' }),
  role: OneOf(roles, { title: 'KeyRole' }),
  id_member: Type.String({ format: 'uuid', description: 'The member that the key acts as' }),
  created_at: DateTime,
  last_used_at: Nullable(DateTime),
  expires_at: Nullable(DateTime),
  revoked_at: Nullable(DateTime),
}

const Key = Shape('Key', key)

const NewKey = Shape('NewKey', {
  ...key,
  key: Type.String({ description: 'The key itself. It is shown this once.' }),
})

const KeyInput = Shape('KeyInput', {
  name: Name,
  role: Type.Optional(key.role),
  id_member: Type.Optional(Ref),
  expires_at: Type.Optional(Nullable(DateTime)),
})

export const keys = {
  name: 'Keys',
  description: 'The API keys of the workspace. Sessions of the page are not among them.',
  routes: {
    list: route({
      operationId: 'listKeys',
      method: 'GET',
      path: '/keys',
      role: 'admin',
      summary: 'List API keys',
      description: 'All API keys of the workspace, oldest first, also those that were revoked.',
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
        'The key acts as the member, or else as the caller, with the role `write` unless another is given. It cannot have a higher role than its member. Without `expires_at` it is valid until it is revoked. Only an owner can create a key of an owner.',
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
        'The key stops working within 5 seconds. It stays in the list. Only an owner can revoke a key of an owner.',
      extension: true,
      person: 'owners',
      reply: Message,
      example: { id: exampleIds.key },
    }),
  },
}
