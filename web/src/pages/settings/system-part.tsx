// How the installation is doing: what the service has found, in words, with what to do.
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { call, type Reply } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { settings } from '../../words/settings.ts'
import { MailState } from './mail-state.tsx'
import { type Part, PartState } from './part-state.tsx'
import { RestoreBackup } from './restore-backup.tsx'
import css from './settings.module.css'

const { system: said } = settings

type Check = Reply<'GET /system'>['checks'][number]

const icons = { ok: CircleCheck, warning: TriangleAlert, error: CircleAlert }

function SystemPart() {
  const query = useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => call('GET /system', { signal }),
    staleTime: 0,
  })
  return (
    <>
      <p className={css.hint}>{said.hint}</p>
      <PartState query={{ ...query, data: query.data?.checks }}>
        {(checks) => (
          <ul>
            {checks.map((check) => (
              <CheckRow key={check.name} {...check} />
            ))}
          </ul>
        )}
      </PartState>
      <p className={css.apart}>
        <Button onClick={() => void query.refetch()} disabled={query.isFetching}>
          {said.again}
        </Button>
      </p>
      <MailState />
      <RestoreBackup isOffered={query.data?.is_new ?? false} />
    </>
  )
}

function CheckRow({ name, state, text, advice }: Check) {
  const Icon = icons[state]
  return (
    <li className={css.row} data-state={state}>
      <Icon className={css.state} size={18} role="img" aria-label={said.states[state]} />
      <div className="block">
        <div>{said.names[name]}</div>
        <div className="note">{text}</div>
        {advice && <div className={css.advice}>{advice}</div>}
      </div>
    </li>
  )
}

export default { needs: 'admin', Content: SystemPart } satisfies Part
