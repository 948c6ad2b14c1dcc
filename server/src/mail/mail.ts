// Mail to members. Whatever is to be sent is queued in the transaction that gives the reason for it.
import type { MailKind } from '@rapport/contract/mail.values'
import type { MailSettings } from '../config-mail.ts'
import type { Db } from '../db/driver.ts'
import { newId } from '../ids.ts'
import { enqueue } from '../outgoing/queue.sql.ts'
import type { Secrets } from '../secrets.ts'
import { isLinkKind, linkContext, type MailContent } from './content.ts'
import { deleteQueued, insertMail } from './mail.sql.ts'

export interface NewMail extends MailContent {
  space: string
  /** The address is the member's when the mail is sent. */
  member: string
  kind: MailKind
  now: Date
  notBefore?: Date
  /** It is not sent later. */
  expiresAt?: Date
}

export interface Mail {
  settings: MailSettings
  /** It is sent soon after the commit of the transaction. */
  queue(tx: Db, mail: NewMail): Promise<void>
}

/** The row of the queue of deliveries that stands for all mails of a workspace has its id. */
export const queueId = (space: string) => space

export function createMail(settings: MailSettings, secrets: Secrets): Mail {
  return {
    settings,
    async queue(tx, { space, member, kind, now, notBefore = now, expiresAt, ...content }) {
      const id = newId()
      const { action } = content
      const isLink = isLinkKind(kind)
      if (isLink) await deleteQueued(tx, space, member, kind)
      const sealed = isLink && secrets.seal(action?.path ?? '', linkContext(space, id))
      await insertMail(tx, {
        ...{ id_space: space, id, id_member: member, kind, state: 'queued' },
        content: isLink && action ? { ...content, action: { text: action.text } } : content,
        link: sealed || null,
        not_before: notBefore.toISOString(),
        expires_at: expiresAt?.toISOString() ?? null,
        created_at: now.toISOString(),
      })
      await enqueue(tx, space, queueId(space), notBefore)
    },
  }
}
