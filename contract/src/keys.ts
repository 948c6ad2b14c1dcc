import { Type } from 'typebox'
import { effectiveSeconds, roles, scopes } from './roles.ts'
import { route } from './route.ts'
import { DateTime, Id, Message, Name, Nullable, OneOf, Ref, Shape } from './shapes.ts'

/** agent: the change feed and the audit log say that an agent did it. */
export const keyKinds = ['key', 'agent'] as const

const Scopes = Type.Array(OneOf(scopes, { title: 'Scope' }), {
  minItems: 1,
  maxItems: scopes.length,
  description: 'What the key is restricted to. Null: everything that its role allows.',
})
const Networks = Type.Array(Type.String({ maxLength: 50 }), {
  minItems: 1,
  maxItems: 50,
  description: 'The addresses and networks the key can be used from. Null: all.',
})

const key = {
  id: Id,
  kind: OneOf(keyKinds, { title: 'KeyKind' }),
  name: Type.String(),
  hint: Type.String({ description: 'The first and last characters of the key' }),
  role: OneOf(roles, { title: 'KeyRole' }),
  id_member: Type.String({ format: 'uuid', description: 'The member the key acts as' }),
  scopes: Nullable(Scopes),
  allowed_from: Nullable(Networks),
  created_at: DateTime,
  last_used_at: Nullable(DateTime),
  last_used_from: Nullable(Type.String({ description: 'The address of the last use' })),
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
  kind: Type.Optional(key.kind),
  scopes: Type.Optional(key.scopes),
  allowed_from: Type.Optional(key.allowed_from),
})

const examples = { key: '01920000-0000-7000-8000-000000000017' }

export const keys = {
  name: 'Keys',
  description: 'The API keys of the workspace, without browser sessions.',
  examples,
  routes: {
    list: route('GET /keys', {
      operationId: 'listKeys',
      role: 'admin',
      summary: 'List API keys',
      description: 'Returns all API keys of the workspace, oldest first, including revoked ones.',
      reply: Type.Array(Key, { title: 'Keys' }),
    }),
    create: route('POST /keys', {
      operationId: 'createKey',
      role: 'admin',
      summary: 'Create an API key',
      description:
        'The key acts as the given member, by default the caller, and has the role `write` unless you send another. Its role cannot exceed that of its member. Without `expires_at`, the key is valid until it is revoked. Only an owner can create a key for an owner. `scopes` restricts what the key may do, and `allowed_from` the addresses it can be used from, such as `10.0.0.0/8`; other requests get 403 with the reason. A key cannot create one that may do more than itself.',
      secret: true,
      person: 'owners',
      body: KeyInput,
      reply: NewKey,
      example: { body: { name: 'Dashboard', role: 'read', scopes: ['read'], kind: 'agent' } },
    }),
    remove: route('DELETE /keys/{id}', {
      operationId: 'deleteKey',
      role: 'admin',
      summary: 'Revoke an API key',
      description: `The key stops working within ${effectiveSeconds} seconds and stays in the list. Only an owner can revoke a key of an owner.`,
      person: 'owners',
      reply: Message,
      example: { id: examples.key },
    }),
  },
}
