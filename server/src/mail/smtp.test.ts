import type { SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { certificate, type SmtpServer, startSmtp } from '../../test/smtp.ts'
import { type LineOptions, openLine } from './smtp.ts'

const message = { to: 'ann@example.com', content: Buffer.from('Subject: Hello\r\n\r\nHello\r\n') }

async function smtpForTest(options: SMTPServerOptions, scheme?: string): Promise<SmtpServer> {
  const server = await startSmtp(options, scheme)
  onTestFinished(() => server.close())
  return server
}

async function send({ settings }: SmtpServer, more: object = {}, options?: LineOptions) {
  const line = openLine({ ...settings, ...more }, options)
  const result = await line.send(message)
  line.close()
  return result
}

const login = { user: 'crm', password: 'right' }
const withLogin: SMTPServerOptions = {
  authOptional: false,
  onAuth: ({ password }, _session, done) =>
    password === 'right' ? done(null, { user: 'crm' }) : done(new Error('Wrong password')),
}

test('a mail goes over TLS, from the start or after STARTTLS, with a password', async () => {
  const tls = await smtpForTest({ ...withLogin, secure: true }, 'smtps')
  expect(await send(tls, { login }, { ca: certificate })).toMatchObject({ came: 'accepted' })
  expect(await send(tls, { login })).toEqual({
    came: 'unreachable',
    text: expect.stringMatching(/^The certificate of 127.0.0.1:\d+ is not trusted: /),
  })
  const starttls = await smtpForTest({ ...withLogin, disabledCommands: [] })
  expect(await send(starttls, { login }, { ca: certificate })).toMatchObject({ came: 'accepted' })
  expect(await send(starttls, { login })).toMatchObject({
    ...{ came: 'unreachable', text: expect.stringContaining('is not trusted') },
  })
  expect(tls.received.length + starttls.received.length).toBe(2)
  // Plain text where TLS is expected.
  expect(await send(starttls, { isSecure: true })).toMatchObject({
    ...{ came: 'unreachable', text: expect.stringContaining('does not speak TLS from the start') },
  })
})

test('what is wrong with the server is said in words', async () => {
  const server = await smtpForTest({ ...withLogin, disabledCommands: ['STARTTLS'] })
  expect(await send(server, { login: { user: 'crm', password: 'wrong' } })).toEqual({
    ...{ came: 'unreachable' },
    text: expect.stringMatching(/refused the user or the password: 535/),
  })
  const nobody = await smtpForTest({})
  await nobody.close()
  expect(await send(nobody)).toEqual({
    ...{ came: 'unreachable', text: `127.0.0.1:${nobody.port} refused the connection` },
  })
  expect(await send(server, { host: 'no-such-host.invalid' })).toEqual({
    ...{ came: 'unreachable', text: 'The name no-such-host.invalid cannot be found' },
  })
  // A name, not 127.0.0.1: a password would go over a network.
  const line = openLine({ ...server.settings, host: '0.0.0.0', login })
  expect(await line.greet()).toEqual({
    ...{ came: 'unreachable', text: expect.stringContaining('offers no TLS') },
  })
})

test.each([
  ['cut before', 'unreachable'],
  ['cut in', 'uncertain'],
  ['cut after', 'uncertain'],
] as const)('a line that is %s DATA leaves a mail %s', async (how, came) => {
  const server = await smtpForTest({})
  server.behave(message.to, how)
  expect(await send(server)).toMatchObject({ came })
})

test.each([
  [450, true, 'The server refused the address: 450 Try again later'],
  [550, false, 'The server refused the address: 550 No such mailbox'],
  ['refuse after', false, 'The server refused the mail: 554 No such mailbox'],
] as const)('the answer %s is not an uncertain one', async (how, isForNow, text) => {
  const server = await smtpForTest({})
  server.behave(message.to, how)
  expect(await send(server)).toEqual({ came: 'refused', isForNow, text })
})

test('several mails share a connection, also after the server has ended it', async () => {
  const connections: string[] = []
  const server = await smtpForTest({
    onConnect: ({ id }, done) => {
      connections.push(id)
      done()
    },
  })
  const line = openLine(server.settings)
  expect(await line.send(message)).toMatchObject({ came: 'accepted' })
  expect(await line.send(message)).toMatchObject({ came: 'accepted' })
  expect(connections).toHaveLength(1)
  server.cut()
  expect(await line.send(message)).toMatchObject({ came: 'accepted' })
  line.close()
})

test('a server that says nothing is not waited for without end', async () => {
  const server = await smtpForTest({ onConnect: () => {} })
  expect(await send(server, {}, { silenceMs: 50 })).toEqual({
    ...{ came: 'unreachable', text: `127.0.0.1:${server.port} did not answer in time` },
  })
})
