// Importing a file: what was recognised and what would happen first, then the import itself.
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import type { Reply } from '../api/call.ts'
import { client } from '../api/client.ts'
import { readFault, reasonOf } from '../api/fault.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { formatNumber } from '../ui/format.ts'
import { tell } from '../ui/toast.tsx'
import { words } from '../words.ts'
import css from './import.module.css'

type Result = Reply<'POST /leads/import'>

const types: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/csv',
  txt: 'text/csv',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const typeOf = (file: File) => types[file.name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/csv'

async function send(file: File, isDryRun: boolean): Promise<Result> {
  const query = isDryRun ? '?dry_run=true' : ''
  const response = await fetch(`/rest/leads/import${query}`, {
    method: 'POST',
    headers: { 'Content-Type': typeOf(file) },
    body: file,
  })
  if (!response.ok) throw await readFault(response)
  return (await response.json()) as Result
}

export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File>()
  const [plan, setPlan] = useState<Result>()
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setFault('')
    try {
      await work()
    } catch (error) {
      setFault(reasonOf(error))
    }
    setBusy(false)
  }
  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    setFile(chosen)
    setPlan(undefined)
    void attempt(async () => setPlan(await send(chosen, true)))
  }
  const run = () =>
    attempt(async () => {
      if (!file) return
      const { created, updated } = await send(file, false)
      await client.invalidateQueries()
      tell(words.import.done(created + updated))
      onClose()
    })
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    choose(event.dataTransfer.files[0])
  }
  const ready = (plan?.created ?? 0) + (plan?.updated ?? 0)
  return (
    <Dialog title={words.import.title} size="m" onClose={onClose}>
      <button
        type="button"
        className={css.drop}
        onClick={() => input.current?.click()}
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      >
        <FileUp size={20} aria-hidden="true" />
        <b>{file?.name ?? words.import.choose}</b>
        <span>{words.import.hint}</span>
      </button>
      <input
        ref={input}
        type="file"
        className="hidden"
        tabIndex={-1}
        aria-label={words.import.choose}
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,.xlsx"
        onChange={(event) => choose(event.target.files?.[0])}
      />
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      {isBusy && !plan && <p className={css.text}>{words.import.reading}</p>}
      {plan && <Plan plan={plan} />}
      <DialogActions>
        <Button onClick={onClose}>{words.actions.cancel}</Button>
        <Button look="go" disabled={!plan || ready === 0 || isBusy} onClick={() => void run()}>
          {isBusy && plan ? words.import.running : words.import.run(ready)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Plan({ plan }: { plan: Result }) {
  const { system, columns, rejected, rejected_total } = plan
  return (
    <>
      <p className={css.text}>
        {system && `${words.import.from(system)} `}
        {words.import.plan(plan.created, plan.updated, plan.skipped)}
      </p>
      {rejected_total > 0 && (
        <details className={css.rejected}>
          <summary>{words.import.rejected(rejected_total)}</summary>
          <ul>
            {rejected.slice(0, 20).map(({ row, reason }) => (
              <li key={row}>
                {words.grid.row} {formatNumber(row)}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      <table className={css.columns}>
        <thead>
          <tr>
            <th>{words.import.column}</th>
            <th>{words.import.field}</th>
            <th>{words.import.samples}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ header, field, samples }) => (
            <tr key={header}>
              <td>{header}</td>
              <td>{field ?? <span className={css.ignored}>{words.import.ignored}</span>}</td>
              <td className={css.samples}>{samples.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
