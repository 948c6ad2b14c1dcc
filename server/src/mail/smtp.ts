// Speaks to the mail server. What matters is how far a mail got: before its content was sent, it was certainly not
// accepted; after that, only the server's answer says whether it was.
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailSettings } from '../config-mail.ts'

export interface Message {
  to: string
  /** As it goes over the line. */
  content: Buffer
}

export type Result =
  | { came: 'accepted'; text: string }
  /** The server refused this mail. `isForNow`: it may take it later. */
  | { came: 'refused'; isForNow: boolean; text: string }
  /** It did not come to this mail: no server, no TLS, no sign-in. */
  | { came: 'unreachable'; text: string }
  /** The line was cut after the content was sent. */
  | { came: 'uncertain'; text: string }

/** One connection at a time, for several mails in sequence. */
export interface Line {
  send(message: Message): Promise<Result>
  /** Connects and signs in, and sends nothing. */
  greet(): Promise<Result>
  /** Says goodbye. */
  close(): void
  /** Ends what is under way, as if the line was cut. */
  cut(): void
}

export interface LineOptions {
  /** Certificate authorities in addition to those of Node.js. */
  ca?: string
  /** Shortens the wait for a server that does not respond. */
  silenceMs?: number
}

type SmtpError = Error & {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

export function openLine(settings: MailSettings, { ca, silenceMs }: LineOptions = {}): Line {
  const { host, port, isSecure, login, from } = settings
  let current: SMTPConnection | undefined

  async function connect(): Promise<SMTPConnection> {
    // Loaded here, so that a service without mail has nothing of it.
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    const connection = new Connection({
      ...{ host, port, secure: isSecure },
      // A password goes over no line that others can read.
      requireTLS: login !== undefined && !isSecure && !isLoopback(host),
      ...{ connectionTimeout: silenceMs ?? 15_000, greetingTimeout: silenceMs ?? 30_000 },
      // Servers may take their time to look at a mail before they accept it.
      socketTimeout: silenceMs ?? 120_000,
      dnsTimeout: silenceMs ?? 10_000,
      tls: { ...(ca && { ca }) },
    })
    current = connection
    await new Promise<void>((resolve, reject) => {
      // It stays: an error may come at any time, and without a listener it would end the process.
      connection.on('error', reject)
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
    if (login) {
      const { user, password: pass } = login
      await new Promise<void>((resolve, reject) => {
        connection.once('error', reject)
        connection.login({ user, pass }, (error) => (error ? reject(error) : resolve()))
      })
    }
    return connection
  }

  function drop(): void {
    current?.close()
    current = undefined
  }

  function unreachable(error: unknown): Result {
    drop()
    return { came: 'unreachable', text: sayUnreachable(error as SmtpError, settings) }
  }

  async function send(message: Message): Promise<Result> {
    const isKept = current !== undefined
    let connection: SMTPConnection
    try {
      connection = current ?? (await connect())
    } catch (error) {
      return unreachable(error)
    }
    let isBegun = false
    // Read only when the server has said that it takes the content.
    const content = new Readable({
      read() {
        isBegun = true
        this.push(message.content)
        this.push(null)
      },
    })
    try {
      const envelope = { from: from.address, to: [message.to], size: message.content.length }
      const { response } = await new Promise<{ response: string }>((resolve, reject) =>
        connection.send(envelope, content, (error, info) =>
          error ? reject(error) : resolve(info as { response: string }),
        ),
      )
      return { came: 'accepted', text: response }
    } catch (thrown) {
      const error = thrown as SmtpError
      drop()
      const answer = error.responseCode
      // The answer to a command of ours, not what came when the line was cut.
      const isRefused = answer !== undefined && /^(MAIL|RCPT|DATA)/.test(error.command ?? '')
      if (isRefused) {
        return { came: 'refused', isForNow: answer < 500, text: sayRefused(error) }
      }
      if (isBegun) return { came: 'uncertain', text: sayCut(error) }
      // The server may have ended a connection that was kept for the next mail.
      return isKept ? send(message) : unreachable(error)
    }
  }

  return {
    send,
    async greet() {
      try {
        const connection = await connect()
        return { came: 'accepted', text: String(connection.lastServerResponse || '') }
      } catch (error) {
        return unreachable(error)
      }
    },
    close() {
      current?.quit()
      // A server that does not answer must not keep the process.
      if (current?._socket) current._socket.unref()
      current = undefined
    },
    cut() {
      if (current?._socket) current._socket.destroy(new Error('Rapport was stopped'))
    },
  }
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host)

/** What the server said, on one line and not endless. */
const said = ({ response, message }: SmtpError) =>
  (response ?? message).replace(/\s+/g, ' ').trim().slice(0, 300)

function sayRefused(error: SmtpError): string {
  const where = { RCPT: 'the address', MAIL: 'the sender (MAIL_FROM)' }[
    (error.command ?? '').split(' ')[0] ?? ''
  ]
  return `The server refused ${where ?? 'the mail'}: ${said(error)}`
}

const sayCut = (error: SmtpError) =>
  `The connection ended before the server confirmed the mail: ${said(error)}`

function sayUnreachable(error: SmtpError, { host, port }: MailSettings): string {
  const at = `${host}:${port}`
  const text = said(error)
  const cause = `${error.code} ${error.message} ${(error.cause as Error | undefined)?.message ?? ''}`
  if (/EDNS|ENOTFOUND|EAI_AGAIN/.test(cause)) return `The name ${host} cannot be found`
  if (/ECONNREFUSED/.test(cause)) return `${at} refused the connection`
  if (/EHOSTUNREACH|ENETUNREACH/.test(cause)) return `${host} is unreachable`
  if (error.code === 'EAUTH' || error.command?.startsWith('AUTH')) {
    return `${at} refused the user or the password: ${text}`
  }
  if (/EHLO failed|STARTTLS|does not support.*TLS/i.test(cause) && !/certificate/i.test(cause)) {
    return `${at} offers no TLS, and the password is not sent without it: ${text}`
  }
  if (/wrong version number|packet length|EPROTO/i.test(cause)) {
    return `${at} does not speak TLS from the start. Write smtp:// for STARTTLS, as on port 587`
  }
  if (/certificate|self.signed|altname/i.test(cause)) {
    return `The certificate of ${at} is not trusted: ${text}`
  }
  if (/ETIMEDOUT|timeout/i.test(cause)) return `${at} did not answer in time`
  return `${at} ended the conversation: ${text}`
}
