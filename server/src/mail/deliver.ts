// Sends the mails of one workspace, one at a time. A mail is marked as handed over before the server is spoken to: if
// this process dies then, nobody knows whether it was sent, and it is never sent again automatically.
import type { MailSettings } from '../config-mail.ts'
import { type Pool, transaction } from '../db/driver.ts'
import type { Perform } from '../outgoing/dispatcher.ts'
import { dequeueIdle, renew, type Outcome as TurnOutcome } from '../outgoing/queue.sql.ts'
import type { Secrets } from '../secrets.ts'
import { compose } from './compose.ts'
import { isLinkKind, linkContext, listOf, type MailContent } from './content.ts'
import {
  failOver,
  failQueued,
  lockNext,
  markHanded,
  markUncertain,
  type NextMail,
  type Outcome,
  selectNextTime,
  settle,
  takeOthers,
} from './mail.sql.ts'
import { openLine, type Result } from './smtp.ts'
import { unsubscribePath } from './unsubscribe.ts'

export interface MailDeliveryOptions {
  /** Undefined: no mail is sent. */
  settings: MailSettings | undefined
  secrets: Secrets | undefined
  clock: () => Date
  /** Called after each attempt. */
  onMail(came: Result['came']): void
}

/** Connections to the server at a time. */
const maxLines = 4
const busyMs = 500
/** A worker gives way to others after this many mails. */
const maxMails = 50
/** The lease is renewed this often while the server takes its time. */
const renewMs = 10_000
const minuteMs = 60_000
/** Minutes until the next attempt. The last one is repeated. */
const pauses = [1, 5, 15, 30, 60, 120, 240]
const giveUpMs = 3 * 24 * 60 * minuteMs

const texts = {
  crashed: 'Rapport stopped while it was sending this mail',
  over: 'Its link had expired or was used before it could be sent',
  off: 'Mail is no longer set up (SMTP_URL)',
  unreadable: 'Its link was encrypted with another SECRET_KEY',
}

export function createMailDelivery(options: MailDeliveryOptions): Perform {
  const { settings, secrets, clock, onMail } = options
  let lines = 0

  return async (db, job, turn) => {
    const { id_space: space } = job
    const until = (ms: number, isFailing = false): TurnOutcome => ({
      ...{ due: new Date(clock().getTime() + ms), isFailing, isHeld: true },
    })
    await markUncertain(db, space, texts.crashed)
    if (!settings || !secrets) {
      await failQueued(db, space, texts.off)
      return end()
    }
    if (lines >= maxLines) return until(busyMs)
    lines++
    const line = openLine(settings)
    turn.stopped.addEventListener('abort', line.cut)
    const alive = setInterval(() => void renew(db, job, turn.leaseEnd()).catch(() => {}), renewMs)
    try {
      for (let count = 0; count < maxMails && !turn.stopping.aborted; count++) {
        const mail = await take(db, space)
        if (!mail) return end()
        const { outcome, waitMs } = await send(mail)
        await settle(db, space, mail.id, outcome)
        if (waitMs !== undefined) return until(waitMs, true)
      }
      return until(0)
    } finally {
      clearInterval(alive)
      turn.stopped.removeEventListener('abort', line.cut)
      line.close()
      lines--
    }

    async function end(): Promise<TurnOutcome> {
      const next = settings ? await selectNextTime(db, space) : null
      if (next === null) await dequeueIdle(db, job)
      return { due: next === null ? null : new Date(next), isFailing: false, isHeld: true }
    }

    async function send(mail: Handed): Promise<{ outcome: Outcome; waitMs?: number }> {
      const { content, message_id, link, kind, id_member: member } = mail
      const path = link === null ? undefined : secrets?.open(link, linkContext(space, mail.id))
      if (link !== null && path === undefined) {
        return { outcome: { state: 'failed', last_error: texts.unreadable } }
      }
      const composed = await compose(settings as MailSettings, {
        ...{ content, path, kind, to: mail.email, workspace: mail.workspace },
        unsubscribe: isLinkKind(kind)
          ? undefined
          : unsubscribePath(secrets as Secrets, { space, member }),
        ...{ messageId: message_id, date: clock() },
      })
      const result = await line.send({ to: mail.email, content: composed })
      onMail(result.came)
      return outcomeOf(result, mail, clock())
    }
  }

  /** Marks the next mail as handed over. */
  async function take(db: Pool, space: string): Promise<Handed | undefined> {
    const now = clock()
    await failOver(db, space, now, texts.over)
    return transaction(db, async (tx) => {
      const mail = await lockNext(tx, space, now)
      if (!mail) return undefined
      const others = mail.kind === 'notification' ? await takeOthers(tx, space, mail, now) : []
      const content = merged([mail.content, ...others])
      const domain = settings?.from.address.split('@').at(-1)
      const message_id = `<${mail.id}@${domain}>`
      await markHanded(tx, space, mail.id, { content, message_id, now })
      return { ...mail, content, message_id, attempts: mail.attempts + 1 }
    })
  }
}

type Handed = NextMail & { message_id: string }

/** Notifications that had to wait become one mail. */
function merged(contents: MailContent[]): MailContent {
  const [first, ...others] = contents as [MailContent]
  if (others.length === 0) return first
  const items = contents.flatMap(({ items = [] }) => items)
  return listOf(
    items,
    contents.reduce((sum, { more = 0 }) => sum + more, 0),
  )
}

function outcomeOf(
  result: Result,
  { attempts, created_at }: Handed,
  now: Date,
): { outcome: Outcome; waitMs?: number } {
  const { came, text: last_error } = result
  if (came === 'accepted') {
    return { outcome: { state: 'sent', last_error: null, content: null, link: null } }
  }
  if (came === 'uncertain') return { outcome: { state: 'uncertain', last_error } }
  const waitMs = (pauses[Math.min(attempts, pauses.length) - 1] ?? 1) * minuteMs
  const isOver = now.getTime() + waitMs - Date.parse(created_at) > giveUpMs
  const isFinal = came === 'refused' && !result.isForNow
  if (isFinal || isOver) return { outcome: { state: 'failed', last_error } }
  if (came === 'unreachable') return { outcome: { state: 'queued', last_error }, waitMs }
  const not_before = new Date(now.getTime() + waitMs)
  return { outcome: { state: 'queued', last_error, not_before } }
}
