// Mail of the service to its members.
import { Type } from 'typebox'
import { mailDays, mailKinds, mailStates, maxListedMails } from './mail.values.ts'
import { route } from './route.ts'
import { DateTime, Id, Message, Nullable, OneOf, Shape } from './shapes.ts'

const MailEntry = Shape('MailEntry', {
  id: Id,
  id_member: Id,
  kind: OneOf(mailKinds, { title: 'MailKind' }),
  state: OneOf(mailStates, {
    title: 'MailState',
    description:
      'queued: waits to be sent. handed: being sent. uncertain: the connection ended before the mail server confirmed it, or Rapport stopped in the meantime; it is not sent again automatically.',
  }),
  attempts: Type.Integer(),
  last_error: Nullable(Type.String({ description: 'In words' })),
  created_at: DateTime,
  handed_at: Nullable(DateTime),
  not_before: DateTime,
  can_send: Type.Boolean({
    description: 'It failed or is uncertain, and can be sent again: its link has not expired',
  }),
})

const examples = { mail: '01920000-0000-7000-8000-000000000040' }

export const mail = {
  name: 'Mail',
  description:
    'What the service sends to its members by mail, when `SMTP_URL` is set: invitations, links and notifications. Each mail is sent at most once.',
  examples,
  routes: {
    list: route('GET /mail', {
      operationId: 'listMail',
      role: 'admin',
      summary: 'List mail to members',
      description: `Whether mail is sent, and the mails of the last ${mailDays} days that are waiting, failed or uncertain, newest first, up to ${maxListedMails}, without their content.`,
      reply: Shape('MailOverview', {
        state: OneOf(['off', 'on', 'paused'], {
          description: 'off: SMTP_URL is not set. paused: since a backup was restored.',
        }),
        from: Nullable(Type.String({ description: 'The address of the sender' })),
        mails: Type.Array(MailEntry),
      }),
    }),
    resend: route('POST /mail/{id}/send', {
      operationId: 'sendMailAgain',
      role: 'admin',
      summary: 'Send a mail again',
      description:
        'For a mail that failed or is uncertain. An uncertain one may arrive twice, with the same Message-ID.',
      reply: Message,
      example: { id: examples.mail },
    }),
    resume: route('POST /mail/resume', {
      operationId: 'resumeMail',
      role: 'admin',
      summary: 'Resume mail after a restore',
      description:
        'A restored backup sends no mail until an admin resumes it. All waiting notifications of a member become one mail.',
      reply: Message,
    }),
    test: route('POST /mail/test', {
      operationId: 'sendTestMail',
      role: 'admin',
      waits: 'always',
      summary: 'Send a test mail',
      description: 'Sends a mail to the caller now, and says in words what happened.',
      reply: Shape('MailTest', {
        accepted: Type.Boolean({ description: 'The mail server accepted it' }),
        text: Type.String(),
      }),
    }),
  },
}
