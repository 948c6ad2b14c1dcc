// A mail server: `smtp-server`, which keeps every mail that it has accepted, and misbehaves as the test says.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { MailSettings } from '../src/config-mail.ts'
import { root } from '../src/root.ts'

/** For localhost and 127.0.0.1, with its key. */
export const certificateFile = fileURLToPath(new URL('server/test/fixtures/localhost.pem', root))
export const certificate = readFileSync(certificateFile, 'utf8')

export interface Received {
  to: string
  raw: string
  mail: Email
}

export interface SmtpServer {
  settings: MailSettings
  port: number
  /** Those that were completely received, whatever was answered. */
  received: Received[]
  /** The addresses whose mails it has left without an answer. */
  held: string[]
  /** What becomes of the mails to this address. */
  behave(address: string, how: Behavior): void
  /** Resolves when this many mails were received. */
  until(count: number): Promise<Received[]>
  /** Ends all connections. */
  cut(): void
  close(): Promise<void>
}

/** A code is the answer to the address. The others end the connection, or say nothing more, before, in or after DATA. */
export type Behavior =
  | ('accept' | 450 | 550 | 'refuse after')
  | `${'cut' | 'hold'} ${'before' | 'in' | 'after'}`

/** It waits for `pace` before, in and after DATA of each mail. */
export async function startSmtp(
  options: SMTPServerOptions = {},
  scheme = 'smtp',
  pace = async () => {},
): Promise<SmtpServer> {
  const received: Received[] = []
  const held: string[] = []
  const behaviors = new Map<string, Behavior>()
  let onReceived = () => {}
  const cut = () => {
    for (const connection of server.connections) {
      ;(connection as unknown as { _socket: { destroy(): void } })._socket.destroy()
    }
  }
  const refusal = (code: number) =>
    Object.assign(new Error(code < 500 ? 'Try again later' : 'No such mailbox'), {
      responseCode: code,
    })
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], disableReverseLookup: true },
    ...{ key: certificate, cert: certificate, closeTimeout: 100 },
    async onRcptTo({ address }, _session, done) {
      await pace()
      const how = behaviors.get(address)
      if (how === 'cut before') return cut()
      if (how === 'hold before') return void held.push(address)
      done(typeof how === 'number' ? refusal(how) : null)
    },
    async onData(stream, { envelope }, done) {
      const to = envelope.rcptTo[0]?.address ?? ''
      const how = behaviors.get(to)
      if (how === 'cut in') return void stream.once('data', cut)
      if (how === 'hold in') return void stream.once('data', () => held.push(to))
      await pace()
      const pieces: Buffer[] = []
      try {
        for await (const piece of stream) pieces.push(piece)
      } catch {
        // The client has gone.
        return
      }
      const raw = Buffer.concat(pieces).toString()
      received.push({ to, raw, mail: await PostalMime.parse(raw) })
      await pace()
      if (how === 'cut after') cut()
      else if (how === 'hold after') held.push(to)
      else done(how === 'refuse after' ? refusal(554) : null)
      onReceived()
    },
    ...options,
  })
  // Connections that were cut.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  return {
    ...{ received, held, port, cut },
    settings: {
      ...{ host: '127.0.0.1', port, isSecure: scheme === 'smtps', login: undefined },
      from: { name: 'Rapport', address: 'crm@example.com' },
      page: 'https://crm.example.com',
    },
    behave: (address, how) => void behaviors.set(address, how),
    until: (count) =>
      new Promise((resolve) => {
        onReceived = () => received.length >= count && resolve(received)
        onReceived()
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
