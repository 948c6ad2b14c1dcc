// The address in the header List-Unsubscribe of notifications (mail/unsubscribe.ts).
import { badRequest, notFound } from '@rapport/contract/errors'
import { notificationKinds } from '@rapport/contract/notifications.values'
import type { FastifyInstance } from 'fastify'
import { type Member, selectMember } from '../../access/access.sql.ts'
import { type Db, type Pool, transaction } from '../../db/driver.ts'
import type { Attempts } from '../../http/attempts.ts'
import { settingsPath } from '../../mail/compose.ts'
import { deleteQueued } from '../../mail/mail.sql.ts'
import { recipientOf } from '../../mail/unsubscribe.ts'
import type { Secrets } from '../../secrets.ts'
import { selectSettings, upsertSetting } from './notifications.sql.ts'
import { choicesOf, rowOf } from './settings.ts'

export interface UnsubscribeOptions {
  db: Pool
  secrets: Secrets | undefined
  /** Slows wrong addresses from one client. */
  attempts: Attempts
}

/** The body is one field, whose value says what is meant. */
const maxBytes = 4096
const told =
  'You will get no more notifications by mail. They still appear in your inbox in Rapport.\n'

export function serveUnsubscribe(
  app: FastifyInstance,
  { db, secrets, attempts }: UnsubscribeOptions,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: maxBytes },
    (_request, body, done) => done(null, body),
  )

  // The token is longer than a parameter may be.
  const url = '/unsubscribe/*'
  // Scanners and previews of mail follow links: this changes nothing.
  app.get(url, (_request, reply) => reply.redirect(settingsPath))

  app.post<{ Params: { '*': string } }>(url, async (request, reply) => {
    const { params, body, ip } = request
    const recipient = secrets && recipientOf(secrets, params['*'])
    const member = recipient && (await selectMember(db, recipient.space, recipient.member))
    if (!member) {
      await attempts.failed(ip)
      throw notFound()
    }
    if (!String(body).includes('One-Click')) {
      const message = 'Must be List-Unsubscribe=One-Click'
      throw badRequest({ path: [], code: 'one_click', message })
    }
    await transaction(db, (tx) => turnOffMail(tx, member))
    return reply.type('text/plain; charset=utf-8').send(told)
  })
}

async function turnOffMail(
  tx: Db,
  { id_space, id }: Pick<Member, 'id_space' | 'id'>,
): Promise<void> {
  const [before] = await selectSettings(tx, id_space, [id])
  const kinds = Object.fromEntries(notificationKinds.map((kind) => [kind, 'page' as const]))
  await upsertSetting(tx, id_space, rowOf(id, { ...choicesOf(before), kinds }))
  for (const kind of ['notification', 'digest'] as const) {
    await deleteQueued(tx, id_space, id, kind)
  }
}
