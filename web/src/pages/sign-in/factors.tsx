// One's own second factors: passkeys, the authenticator app, recovery codes.
import type { Factors } from '@rapport/contract/second-factor'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, LifeBuoy, Smartphone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { orTell, useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { dotted, formatAgo } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { Refusal, Skeleton } from '../../ui/small.tsx'
import { factors as said } from '../../words/factors.ts'
import { words } from '../../words/index.ts'
import { factorsQuery, ownFactors } from './factor-api.ts'
import { AppSetup, RecoveryCodes } from './factor-setup.tsx'
import { isPasskeyBrowser } from './passkey.ts'
import css from './sign-in.module.css'

const refresh = () => client.invalidateQueries({ queryKey: factorsQuery.queryKey })

type Open = 'app' | { codes: string[] } | { removing: string; title: string } | undefined

export function FactorList() {
  const { data: factors, error } = useQuery(factorsQuery)
  const [open, setOpen] = useState<Open>()
  const { fault, attempt } = useAttempt()
  const close = () => setOpen(undefined)
  const onAdded = async (codes: string[] | null) => {
    setOpen(codes ? { codes } : undefined)
    await refresh()
  }
  if (error) return <Refusal text={reasonOf(error)} />
  if (!factors) return <Skeleton width="60%" />
  const hasFactor = factors.passkeys.length > 0 || factors.app !== null
  return (
    <section aria-labelledby="factors">
      <h3 id="factors">{said.heading}</h3>
      <p className={css.soft}>{factors.is_required ? said.required : said.intro}</p>
      <Refusal text={fault} />
      <ul className={css.rows}>
        {factors.passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            onRemove={() =>
              setOpen({ removing: passkey.id, title: said.removeTitle(passkey.name) })
            }
          />
        ))}
        {factors.app && (
          <li>
            <Smartphone size={16} aria-hidden="true" />
            <div className="block">
              <div>{said.app}</div>
              <div className={css.soft}>{usedText(factors.app)}</div>
            </div>
            <Button onClick={() => setOpen('app')}>{said.replace}</Button>
            <Button
              look="icon"
              aria-label={said.removeOf(said.app)}
              onClick={() => setOpen({ removing: 'app', title: said.removeTitle(said.app) })}
            >
              <Trash2 size={15} />
            </Button>
          </li>
        )}
        {hasFactor && (
          <li>
            <LifeBuoy size={16} aria-hidden="true" />
            <div className="block">
              <div>{said.codes}</div>
              <div className={css.soft}>{said.left(factors.recovery_codes)}</div>
            </div>
            <Button
              onClick={() =>
                void attempt(async () =>
                  onAdded((await call('POST /session/factors/recovery-codes')).recovery_codes),
                )
              }
            >
              {said.newCodes}
            </Button>
          </li>
        )}
      </ul>
      <div className={css.buttons}>
        {factors.no_passkeys === null && isPasskeyBrowser() && (
          <Button
            onClick={() =>
              void attempt(async () => onAdded((await ownFactors.addPasskey()).recovery_codes))
            }
          >
            <KeyRound size={15} /> {said.addPasskey}
          </Button>
        )}
        {!factors.app && factors.no_app === null && (
          <Button onClick={() => setOpen('app')}>
            <Smartphone size={15} /> {said.setUpApp}
          </Button>
        )}
      </div>
      {factors.no_passkeys && <p className={css.soft}>{factors.no_passkeys}.</p>}
      {factors.no_app && <p className={css.soft}>{factors.no_app}.</p>}
      {open === 'app' && (
        <Dialog title={said.setUpApp} onClose={close}>
          <AppSetup adding={ownFactors} onAdded={(codes) => void onAdded(codes)} onCancel={close} />
        </Dialog>
      )}
      {typeof open === 'object' && 'codes' in open && (
        // They are shown only once.
        <Dialog title={said.codes}>
          <RecoveryCodes codes={open.codes} onDone={close} />
        </Dialog>
      )}
      {typeof open === 'object' && 'removing' in open && (
        <Confirm
          title={open.title}
          action={said.remove}
          onConfirm={async () => {
            const id = open.removing
            if (id === 'app') await call('DELETE /session/factors/app')
            else await call('DELETE /session/factors/passkeys/{id}', { id })
            await refresh()
          }}
          onClose={close}
        >
          {said.removeText}
        </Confirm>
      )}
    </section>
  )
}

type Passkey = Factors['passkeys'][number]

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { id, name, host, backed_up } = passkey
  const [text, setText] = useState(name)
  const rename = async () => {
    const next = text.trim()
    if (!next || next === name) return setText(name)
    const isRenamed = await orTell(words.faults.notSaved(said.nameOf(name)), () =>
      call('PATCH /session/factors/passkeys/{id}', { id, body: { name: next } }),
    )
    if (!isRenamed) setText(name)
    await refresh()
  }
  return (
    <li>
      <KeyRound size={16} aria-hidden="true" />
      <div className="block">
        <input
          className={css.name}
          aria-label={said.nameOf(name)}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => void rename()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
            if (event.key === 'Escape') setText(name)
          }}
        />
        <div className={css.soft}>
          {dotted(
            backed_up ? said.synced : said.oneDevice,
            usedText(passkey),
            host !== window.location.hostname && said.worksAt(host),
          )}
        </div>
      </div>
      <Button look="icon" aria-label={said.removeOf(name)} onClick={onRemove}>
        <Trash2 size={15} />
      </Button>
    </li>
  )
}

const usedText = ({ created_at, last_used_at }: Pick<Passkey, 'created_at' | 'last_used_at'>) =>
  last_used_at ? words.signIn.lastUsed(formatAgo(last_used_at)) : said.added(formatAgo(created_at))
