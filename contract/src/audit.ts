// The audit log: who did what matters for the safety of the workspace.
import { type Static, Type } from 'typebox'
import { Actor } from './actor.ts'
import { route } from './route.ts'
import {
  AllOptional,
  AnyObject,
  DateTime,
  Documented,
  Id,
  Nullable,
  OneOf,
  Shape,
} from './shapes.ts'

/** What can be in the log. `about` says which record, and what else is worth knowing. */
export const auditActions = [
  'key.created',
  'key.revoked',
  'key.refused',
  'session.created',
  'session.confirmed',
  'session.ended',
  'password.changed',
  'password.refused',
  'factor.added',
  'factor.removed',
  'factor.reset',
  'factor.required',
  'passkey.copied',
  'recovery_codes.created',
  'recovery_code.used',
  'link.created',
  'member.created',
  'member.invited',
  'member.updated',
  'member.deleted',
  'member.address_kept',
  'identity.bound',
  'identity.unbound',
  'identity.refused',
  'leads.exported',
  'leads.erased',
  'operation.undone',
  'backup.restored',
] as const
export type AuditAction = (typeof auditActions)[number]

export const AuditEntry = Shape('AuditEntry', {
  id: Id,
  at: DateTime,
  actor: Actor,
  action: OneOf(auditActions),
  about: AnyObject({
    description:
      'What it was done to: the id, name and role of a key or a member, the filter of an export. Never a key or a password.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const audit = {
  name: 'Audit',
  description:
    'What matters for the safety of the workspace: keys, members, exports, restored backups, undo. Entries are only added; erasing a lead takes its names out of the filters of exports.',
  routes: {
    list: route({
      operationId: 'listAudit',
      method: 'GET',
      path: '/audit',
      role: 'admin',
      summary: 'Read the audit log',
      description: 'Newest first. `after` goes on behind the `next` of the page before.',
      extension: true,
      query: AllOptional(
        Shape('AuditQuery', {
          after: Type.String({ description: '`next` of the page before' }),
          limit: Documented(Type.String({ description: '1 to 1000 entries, 100 when absent' }), {
            type: 'integer',
          }),
        }),
      ),
      reply: Shape('AuditPage', {
        entries: Type.Array(AuditEntry),
        /** Null at the end. */
        next: Nullable(Id),
      }),
      example: { query: { limit: 10 } },
    }),
  },
}
