// Restores a backup into a new installation.
import type { Restored } from '@rapport/contract/system'
import { useRef, useState } from 'react'
import { send } from '../../api/call.ts'
import { orTell } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { formatExact } from '../../ui/format.ts'
import { settings } from '../../words/settings.ts'
import css from './settings.module.css'

const { restore: said } = settings.system

export function RestoreBackup({ isOffered }: { isOffered: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [restored, setRestored] = useState<Restored>()

  async function restore(file: File | undefined): Promise<void> {
    if (!file) return
    setBusy(true)
    await orTell(said.failed, async () =>
      setRestored(await send<Restored>('POST /session/restore', { body: file })),
    )
    setBusy(false)
  }

  if (!isOffered && !restored) return null
  return (
    <section className={css.apart}>
      <h3>{said.title}</h3>
      {restored ? (
        <Result {...restored} />
      ) : (
        <>
          <p className={css.hint}>{said.hint}</p>
          <Button disabled={isBusy} onClick={() => input.current?.click()}>
            {isBusy ? said.busy : said.choose}
          </Button>
          <input
            ref={input}
            type="file"
            className="hidden"
            tabIndex={-1}
            aria-label={said.choose}
            onChange={(event) => {
              const [file] = event.target.files ?? []
              // The same file can be chosen again.
              event.target.value = ''
              void restore(file)
            }}
          />
        </>
      )}
    </section>
  )
}

function Result({ workspaces, rows, made_at, made_by, sign_in }: Restored) {
  return (
    <div role="status">
      <p>{said.done(workspaces, rows)}</p>
      <p className={css.hint}>{said.origin(formatExact(made_at), made_by)}</p>
      {sign_in && (
        <Button look="go" onClick={() => window.location.assign(sign_in)}>
          {said.signIn(workspaces[0] ?? '')}
        </Button>
      )}
    </div>
  )
}
