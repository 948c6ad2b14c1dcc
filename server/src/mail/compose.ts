// What a mail looks like: plain text, and a simple HTML part with the look of the page.
import type { MailKind } from '@rapport/contract/mail.values'
import type { MailSettings } from '../config-mail.ts'
import type { MailContent, MailItem } from './content.ts'

export interface Composed {
  content: MailContent
  /** The path of the one-time link. */
  path: string | undefined
  kind: MailKind | 'test'
  /** Of a notification: the path that turns them off. */
  unsubscribe: string | undefined
  to: string
  workspace: string
  messageId: string
  date: Date
}

/** Where members choose what they get by mail. */
export const settingsPath = '/settings/notifications'

/** The mail as it goes over the line. */
export async function compose(settings: MailSettings, mail: Composed): Promise<Buffer> {
  const { default: Composer } = await import('nodemailer/lib/mail-composer')
  const { content, to, messageId, date } = mail
  const { page } = settings
  const choice = mail.unsubscribe && page + settingsPath
  const node = new Composer({
    ...{ from: settings.from, to, subject: content.subject, messageId, date },
    text: textOf(settings, mail, choice),
    html: htmlOf(settings, mail, choice),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(mail.unsubscribe && {
        'List-Unsubscribe': `<${page}${mail.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }).compile()
  return node.build()
}

const itemsOf = ({ items = [], more }: MailContent): MailItem[] =>
  more ? [...items, { text: `And ${more} more`, path: '/inbox' }] : items

const because = ({ kind, workspace }: Composed) =>
  `You get this because you ${kind === 'invitation' ? 'were invited to' : 'are a member of'} ${workspace}.`

function textOf({ page }: MailSettings, mail: Composed, choice: string | undefined): string {
  const { content, path } = mail
  const { lines, action } = content
  return [
    ...lines,
    ...itemsOf(content).map(({ text, detail, path }) =>
      [text, ...(detail ? [detail] : []), page + path].join('\n'),
    ),
    ...(action ? [`${action.text}:\n${page}${path ?? action.path ?? ''}`] : []),
    `-- \n${because(mail)}${choice ? `\nChoose what you get by mail: ${choice}` : ''}`,
  ].join('\n\n')
}

/** Light first, which every program shows; those that know the dark scheme take the rules of the style. */
function htmlOf({ page }: MailSettings, mail: Composed, choice: string | undefined): string {
  const { content, path, workspace } = mail
  const { subject, lines, action } = content
  const list = itemsOf(content).map(
    ({ text, detail, path }) =>
      `<tr><td class="line" style="padding:10px 0;border-top:1px solid #e7e6e3"><a class="accent" href="${escaped(page + path)}" style="color:#2f5bd7;text-decoration:none;font-weight:600">${escaped(text)}</a>${detail ? `<br><span class="quiet" style="color:#5c6066">${escaped(detail)}</span>` : ''}</td></tr>`,
  )
  const address = action && escaped(page + (path ?? action.path ?? ''))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #131416 !important; }
  .panel { background: #191b1e !important; border-color: #2a2e33 !important; }
  .line { border-color: #2a2e33 !important; }
  .ink { color: #eceef0 !important; }
  .quiet { color: #a3a9b1 !important; }
  .accent { color: #7c9cff !important; }
  .button { background: #7c9cff !important; color: #0e1220 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#fbfbfa">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#fbfbfa"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;font-family:Inter,system-ui,-apple-system,'Segoe UI',sans-serif;font-size:15px;line-height:1.5">
<tr><td class="quiet" style="padding:0 4px 12px;color:#5c6066;font-size:13px">${escaped(workspace)}</td></tr>
<tr><td class="panel ink" style="padding:28px;background:#ffffff;border:1px solid #e7e6e3;border-radius:10px;color:#1c1d1f">
<h1 class="ink" style="margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600;color:#1c1d1f">${escaped(subject)}</h1>
${lines.map((line) => `<p style="margin:0 0 16px">${escaped(line)}</p>`).join('\n')}
${list.length > 0 ? `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${list.join('\n')}</table>` : ''}
${action ? `<p style="margin:24px 0 0"><a class="button" href="${address}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#2f5bd7;color:#ffffff;text-decoration:none;font-weight:600">${escaped(action.text)}</a></p>` : ''}
</td></tr>
<tr><td class="quiet" style="padding:16px 4px;color:#5c6066;font-size:12px">${escaped(because(mail))}${choice ? `<br><a class="quiet" href="${escaped(choice)}" style="color:#5c6066">Choose what you get by mail</a>` : ''}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function escaped(text: string): string {
  const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (sign) => signs[sign] as string)
}
