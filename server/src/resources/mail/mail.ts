// Handlers of mail. Its statements are in mail/, with what sends it.
import { badRequest, notFound } from '@rapport/contract/errors'
import { mail as contract } from '@rapport/contract/mail'
import { maxListedMails } from '@rapport/contract/mail.values'
import { selectMember, selectSpace } from '../../access/access.sql.ts'
import { transaction } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import { resource } from '../../http/handler.ts'
import {
  hasMail,
  isMailPaused,
  queueAgain,
  resumeMail,
  selectOpenMails,
} from '../../mail/mail.sql.ts'
import { queueId } from '../../mail/mail.ts'
import { sendTest } from '../../mail/test-mail.ts'
import { enqueue } from '../../outgoing/queue.sql.ts'

export const mail = resource(contract, {
  async list(db, { space, now, settings }) {
    const [isPaused, mails] = await Promise.all([
      isMailPaused(db, space),
      selectOpenMails(db, space, now, maxListedMails),
    ])
    const on = isPaused ? ('paused' as const) : ('on' as const)
    const state = settings.mail ? on : ('off' as const)
    return { state, from: settings.mail?.settings.from.address ?? null, mails }
  },

  async resend(db, { space, id, now }) {
    await transaction(db, async (tx) => {
      if (await queueAgain(tx, space, id, now)) return enqueue(tx, space, queueId(space), now)
      if (!(await hasMail(tx, space, id))) throw notFound()
      const message = 'This mail cannot be sent again. Create a new link instead.'
      throw badRequest({ path: [], code: 'not_sendable', message })
    })
    return 'The mail will be sent again'
  },

  async resume(db, call) {
    const { space, now } = call
    await transaction(db, async (tx) => {
      if (!(await resumeMail(tx, space))) return
      await enqueue(tx, space, queueId(space), now)
      await audit(tx, call, 'mail.resumed', {})
    })
    return 'Mail resumed'
  },

  async test(db, { space, user, now, settings }) {
    const [member, workspace] = await Promise.all([
      selectMember(db, space, user),
      selectSpace(db, space),
    ])
    if (!member || !workspace) throw notFound()
    return sendTest(settings.mail?.settings, member.email, workspace.name, now)
  },
})
