// kill -9 under mail: each is sent at most once, and what may be lost is listed.
import { setTimeout as sleep } from 'node:timers/promises'
import { run as query, sql } from '../src/db/sql.ts'
import { startSmtp } from '../test/smtp.ts'
import { addMember } from '../test/workspace.ts'
import type { Client } from './client.ts'
import { type Sending, sendUnderKills } from './deliveries.ts'
import type { Home } from './home.ts'
import { Breach, type Context, type Figures, type Size, type Torture } from './torture.ts'
import { until } from './until.ts'

export const mail: Torture = {
  name: 'mail',
  summary: 'kills server and PostgreSQL before, in and after DATA of the mails that they send',
  run,
}

const members = 5

async function run(size: Size, context: Context): Promise<Figures> {
  const random = context.random.fork()
  let begun = 0
  // A kill is as likely at each step of the conversation.
  const pace = async () => {
    begun++
    await sleep(random.between(0, 60))
  }
  const smtp = await startSmtp({}, 'smtp', pace)
  /** Each reminder is of a lead of its own, by which its mail is recognized. */
  const due = new Set<string>()
  const users: string[] = []
  const sending: Sending = {
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: smtp.settings.from.address,
      PUBLIC_URL: smtp.settings.page,
    },
    async prepare(client, home) {
      const { id_space } = await client.send({ method: 'GET', path: '/me' })
      const member = { id_space, role: 'write', created_at: new Date().toISOString() } as const
      await home.inspect(async (db) => {
        for (let number = 1; number <= members; number++) {
          users.push(await addMember(db, { ...member, name: `Member ${number}` }))
        }
      })
    },
    async write(client) {
      const lead = await client.send({ method: 'POST', path: '/lead', body: {} })
      if (!lead) return
      const about = { name: 'Call', date: new Date().toISOString(), id_lead: lead.id }
      const body = { ...about, users: [random.pick(users)] }
      const reminder = await client.send({ method: 'POST', path: '/reminders', body })
      if (reminder) due.add(lead.id)
    },
    begun: () => begun,
    async check(client, home) {
      const listed = await allSent(client, home)
      const texts = smtp.received.map(({ mail }) => mail.text ?? '')
      const received = texts.flatMap(leadsIn)
      const twice = received.filter((id, at) => received.indexOf(id) !== at)
      if (twice.length > 0) throw new Breach(`${twice.length} reminders came twice: ${twice[0]}`)
      const known = new Set([...received, ...listed.leads])
      const lost = [...due].filter((id) => !known.has(id))
      if (lost.length > 0) throw new Breach(`${lost.length} reminders came by no mail: ${lost[0]}`)
      const unsure = listed.leads.filter((id) => received.includes(id)).length
      return {
        'reminders that were due': due.size,
        'mails received': texts.length,
        'reminders in them, each once': received.length,
        'mails listed as uncertain': listed.count,
        'reminders in these that had arrived': unsure,
        'that had not': listed.leads.length - unsure,
      }
    },
  }
  try {
    return await sendUnderKills(sending, size, context)
  } finally {
    smtp.cut()
    await smtp.close()
  }
}

const leadsIn = (text: string) => [...text.matchAll(/\/lead\/([0-9a-f-]{36})/g)].map(([, id]) => id)

/** Waits until nothing is left to send. Returns what is listed as uncertain. */
async function allSent(
  client: Client,
  home: Home,
): Promise<{ count: number; leads: (string | undefined)[] }> {
  await until('every mail is sent or listed', 120, () =>
    home.inspect(async (db) => {
      const [left] = await query<[{ count: number }]>(
        db,
        sql`select (select count(*) from mail_out where state in ('queued', 'handed'))
            + (select count(*) from notification where mail_at is not null)
            + (select count(*) from reminder where not is_done and fired_at is null)
            + (select count(*) from event_new) as count`,
      )
      return Number(left.count) === 0
    }),
  )
  const { mails } = await client.send({ method: 'GET', path: '/mail' })
  const contents = await home.inspect((db) =>
    query<{ id: string; state: string; content: string }[]>(
      db,
      sql`select id, state, content::text from mail_out where state <> 'sent'`,
    ),
  )
  const wrong = contents.find(
    ({ id, state }) => state !== 'uncertain' || !mails.some((one: { id: string }) => one.id === id),
  )
  if (wrong) throw new Breach(`Mail ${wrong.id} is ${wrong.state}, or not listed`)
  return { count: contents.length, leads: contents.flatMap(({ content }) => leadsIn(content)) }
}
