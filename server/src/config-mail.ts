// The settings of mail that the service sends.
import { ConfigError } from './config-error.ts'
import { normalizeEmail } from './email-address.ts'

export interface MailSettings {
  host: string
  port: number
  /** TLS from the first byte, not after STARTTLS. */
  isSecure: boolean
  login: { user: string; password: string } | undefined
  from: { name: string; address: string }
  /** The address of the page, for links. */
  page: string
}

type Get = (name: string) => string | undefined

export function readMailSettings(get: Get, page: string | undefined): MailSettings | undefined {
  const text = get('SMTP_URL')
  const from = get('MAIL_FROM')
  if (text === undefined) {
    if (from) throw new ConfigError('MAIL_FROM requires SMTP_URL.')
    return undefined
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  const hasMore = url && (url.search || url.hash || !/^\/?$/.test(url.pathname))
  if (!url?.hostname || !/^smtps?:$/.test(url.protocol) || hasMore) {
    // The message does not repeat the value, which may contain a password.
    throw new ConfigError(
      'SMTP_URL must look like smtps://user:password@mail.example.com or smtp://mail.example.com:587; this one does not. In the user and the password, write @ as %40, / as %2F and : as %3A.',
    )
  }
  if (!from) throw new ConfigError('SMTP_URL requires MAIL_FROM.')
  if (!page) throw new ConfigError('SMTP_URL requires PUBLIC_URL, for the links in mails.')
  if (get('DATABASE_URL') && !get('SECRET_KEY')) {
    throw new ConfigError(
      'SMTP_URL requires SECRET_KEY, with the same value for every process, because DATABASE_URL is set. It encrypts links until they are sent.',
    )
  }
  const isSecure = url.protocol === 'smtps:'
  const [user, password] = [url.username, url.password].map(decode) as [string, string]
  return {
    // An IPv6 address without its brackets.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : isSecure ? 465 : 587,
    isSecure,
    login: user ? { user, password } : undefined,
    from: sender(from),
    page,
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ConfigError('SMTP_URL has a % that is not part of an escape. Write it as %25.')
  }
}

/** "crm@example.com" or "Rapport <crm@example.com>" */
function sender(text: string): MailSettings['from'] {
  const [, name = '', inside] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = normalizeEmail(inside ?? text)
  if (address === undefined || /\p{Cc}/u.test(name)) {
    throw new ConfigError(
      `MAIL_FROM must be an address such as crm@example.com or Rapport <crm@example.com>, not "${text}".`,
    )
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || 'Rapport', address }
}
