import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { compose } from './compose.ts'

const settings = {
  ...{ host: 'mail.example.com', port: 465, isSecure: true, login: undefined },
  from: { name: 'Sales" <evil@example.com>', address: 'crm@example.com' },
  page: 'https://crm.example.com',
}

test('no name and no text adds a header, a recipient or markup', async () => {
  const nasty = 'Hi\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>"\u0000\u202e'
  const raw = await compose(settings, {
    content: {
      subject: nasty,
      lines: [nasty],
      items: [{ text: nasty, detail: nasty, path: `/lead/"onclick="x` }],
      action: { text: nasty, path: '/' },
    },
    ...{
      path: undefined,
      unsubscribe: undefined,
      kind: 'notification',
      to: 'ann@example.com',
      workspace: nasty,
    },
    ...{ messageId: '<1@example.com>', date: new Date('2026-03-02T09:00:00Z') },
  })
  const mail = await PostalMime.parse(raw)
  const [head] = raw.toString().split('\r\n\r\n', 1) as [string]
  expect(head).not.toMatch(/^(bcc|hi|<script)/im)
  expect(mail.bcc).toBeUndefined()
  expect(mail.from?.address).toBe('crm@example.com')
  expect(mail.to).toEqual([{ address: 'ann@example.com', name: '' }])
  expect(mail.subject).toContain('<script>')
  expect(mail.html).not.toMatch(/<script|"onclick/)
})
