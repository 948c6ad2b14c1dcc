// The audit log: who did something security-relevant.
import { type Static, Type } from 'typebox'
import { Actor } from './actor.ts'
import { route } from './route.ts'
import { AllOptional, AnyObject, DateTime, Id, Nullable, nextPage, OneOf, Shape } from './shapes.ts'

export const auditLimits = { min: 1, max: 1000, otherwise: 100 }

/** `about` names the record and what else is worth knowing. */
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
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.rotated',
  'webhook.replayed',
  'webhook.disabled',
  'mail.resumed',
  'calendar.created',
  'calendar.revoked',
] as const
export type AuditAction = (typeof auditActions)[number]

export const AuditEntry = Shape('AuditEntry', {
  id: Id,
  at: DateTime,
  actor: Actor,
  action: OneOf(auditActions),
  about: AnyObject({
    description:
      'The subject of the action: the id, name and role of a key or member, or the filter of an export. Never a key or a password.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const audit = {
  name: 'Audit',
  description:
    'Security-relevant actions: keys, members, exports, webhooks, restored backups and undo. The log is append-only, except that erasing a lead also removes its data from export filters.',
  routes: {
    list: route('GET /audit', {
      operationId: 'listAudit',
      role: 'admin',
      summary: 'Read the audit log',
      description: 'Newest first. Send `next` of the previous page as `after` to continue.',
      query: AllOptional(Shape('AuditQuery', nextPage(auditLimits, 'entries'))),
      reply: Shape('AuditPage', {
        entries: Type.Array(AuditEntry),
        /** Null at the end. */
        next: Nullable(Id),
      }),
      example: { query: { limit: 10 } },
    }),
  },
}
