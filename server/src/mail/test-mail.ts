// A mail that is sent at once, to check whether mail works.
import type { MailSettings } from '../config-mail.ts'
import { newId } from '../ids.ts'
import { compose } from './compose.ts'
import { openLine, type Result } from './smtp.ts'

export interface TestResult {
  accepted: boolean
  text: string
}

const off = 'Mail is not set up. Set SMTP_URL, MAIL_FROM and PUBLIC_URL, and restart Rapport'

const advice: Record<Exclude<Result['came'], 'accepted'>, string> = {
  refused: 'Nothing was sent.',
  unreachable: 'Nothing was sent. Check SMTP_URL.',
  uncertain: 'It may have been sent.',
}

export async function sendTest(
  settings: MailSettings | undefined,
  to: string,
  workspace: string,
  now: Date,
): Promise<TestResult> {
  if (!settings) return { accepted: false, text: `${off}.` }
  const content = {
    subject: 'Mail from Rapport works',
    lines: ['This is the test that somebody has asked for. There is nothing to do.'],
  }
  const messageId = `<${newId()}@${settings.from.address.split('@').at(-1)}>`
  const without = { path: undefined, unsubscribe: undefined }
  const about = { ...without, content, kind: 'test', to, workspace, messageId } as const
  const line = openLine(settings)
  const result = await line.send({ to, content: await compose(settings, { ...about, date: now }) })
  line.close()
  const { came, text } = result
  if (came === 'accepted') {
    return { accepted: true, text: `${settings.host} has accepted the mail to ${to}: ${text}` }
  }
  return { accepted: false, text: `${text}. ${advice[came]}` }
}
