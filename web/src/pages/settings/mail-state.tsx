// Mail to members: whether it works, what could not be sent, and sending it again.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Reply } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { recordQueries } from '../../api/records.ts'
import { orTell } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { dotted, formatAgo } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { words } from '../../words/index.ts'
import { mail as said } from '../../words/mail.ts'
import css from './settings.module.css'

const mailQuery = {
  queryKey: ['mail'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call('GET /mail', { signal }),
  staleTime: 0,
}

type Mail = Reply<'GET /mail'>['mails'][number]

export function MailState() {
  const { data } = useQuery(mailQuery)
  const { data: members = [] } = useQuery(recordQueries.members)
  const [tested, setTested] = useState('')
  const [isBusy, setBusy] = useState(false)
  if (!data) return null
  const { state, from, mails } = data
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    setBusy(true)
    await orTell(words.faults.notSaved(what), work)
    await client.invalidateQueries({ queryKey: ['mail'] })
    await client.invalidateQueries({ queryKey: ['system'] })
    setBusy(false)
  }
  const test = async () => {
    setBusy(true)
    setTested(said.testing)
    setTested(
      await call('POST /mail/test').then(
        ({ text }) => text,
        (error) => reasonOf(error),
      ),
    )
    setBusy(false)
  }
  const nameOf = ({ id_member }: Mail) => {
    const member = members.find(({ id }) => id === id_member)
    return member ? member.name || member.email : said.removed
  }
  return (
    <section aria-labelledby="mail">
      <h3 id="mail">{said.title}</h3>
      <p className={css.hint}>
        {state === 'off' ? said.off : state === 'paused' ? said.paused : said.on(from ?? '')}
      </p>
      {mails.length > 0 && (
        <ul>
          {mails.map((mail) => (
            <li key={mail.id} className={css.row}>
              <div className="block">
                <div>{said.to(said.kinds[mail.kind], nameOf(mail))}</div>
                <div className="note">
                  {dotted(said.states[mail.state], formatAgo(mail.created_at), mail.last_error)}
                </div>
              </div>
              {mail.can_send && (
                <Button
                  aria-label={said.againOf(said.kinds[mail.kind], nameOf(mail))}
                  disabled={isBusy}
                  onClick={() =>
                    void attempt(said.again, () => call('POST /mail/{id}/send', { id: mail.id }))
                  }
                >
                  {said.again}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {state === 'paused' && (
        <Button
          disabled={isBusy}
          onClick={() => void attempt(said.resume, () => call('POST /mail/resume'))}
        >
          {said.resume}
        </Button>
      )}
      {state === 'on' && (
        <Button disabled={isBusy} onClick={() => void test()}>
          {said.test}
        </Button>
      )}
      <p role="status" className="note">
        {tested}
      </p>
    </section>
  )
}
