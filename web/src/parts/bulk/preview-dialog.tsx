// Before a bulk change: how many, which ones, what changes. Deleting asks to type the number.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { listLeads } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import { eventChanges } from '../../kinds/event-changes.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form.tsx'
import { formatNumber } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { Refusal, Skeleton } from '../../ui/small.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import css from './bulk.module.css'
import { type Preview, previewOperation, startOperation, type Wanted } from './operations.ts'
import { Shares } from './shares.tsx'
import { follow, type Said } from './tray.tsx'

/** What the button says, where leads are changed as a whole. */
const runWords: { [Kind in Preview['kind']]?: (number: string) => string } = {
  delete: words.bulk.runDelete,
  restore: words.bulk.runRestore,
  merge: words.bulk.runMerge,
}

interface Props {
  wanted: Wanted
  said: Said
  records: Records
  onClose: () => void
  onStarted: () => void
}

export default function PreviewDialog({ wanted, said, records, onClose, onStarted }: Props) {
  const {
    data: preview,
    error,
    refetch,
  } = useQuery({
    queryKey: ['preview', wanted],
    queryFn: ({ signal }) => previewOperation(wanted, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState('')
  const [isRunning, setRunning] = useState(false)
  const isDelete = wanted.kind === 'delete'
  const go = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Enter then does what was looked at.
    if (preview && !isDelete) go.current?.focus()
  }, [preview, isDelete])
  const number = preview ? words.leads.count(preview.changed) : words.leads.many
  const title = preview
    ? words.bulk.changes[said.change].will(preview.changed, said.name)
    : words.bulk.counting
  const digits = typed.replaceAll(/\D/g, '')
  const mayRun =
    preview !== undefined &&
    preview.changed > 0 &&
    !isRunning &&
    (!isDelete || digits === String(preview.changed))

  const run = async () => {
    if (!preview || !mayRun) return
    setRunning(true)
    setFault('')
    try {
      const operation = await startOperation(wanted, preview.confirm)
      follow({ ...said, id: operation.id, count: preview.changed })
      onClose()
      onStarted()
    } catch (error) {
      setRunning(false)
      const hasMoved = error instanceof Fault && error.status === 409
      setFault(hasMoved ? words.bulk.moved : reasonOf(error))
      if (hasMoved) await refetch()
    }
  }
  const { groups, skipped = 0 } = preview ?? {}
  const stay = preview && groups === undefined ? preview.count - preview.changed : 0
  return (
    <Dialog title={title} size="m" onClose={onClose}>
      <form onSubmit={submitting(run)}>
        {error && !preview && <Refusal text={reasonOf(error)} />}
        {preview && stay > 0 && (
          <p className={css.text}>{words.bulk.unchanged(said.change, stay)}</p>
        )}
        {groups !== undefined && groups > 0 && (
          <p className={css.text}>{words.bulk.become(groups)}</p>
        )}
        {skipped > 0 && <p className={css.text}>{words.bulk.skipped(skipped)}</p>}
        {preview?.changed === 0 && <p className={css.text}>{words.bulk.nothing}</p>}
        {preview?.shares && <Shares shares={preview.shares} members={records.members} />}
        {preview ? <Sample preview={preview} records={records} /> : !error && <Loading />}
        {isDelete && preview && preview.changed > 0 && (
          <div className={css.typed}>
            <Field
              label={words.bulk.typeNumber(formatNumber(preview.changed))}
              value={typed}
              onValue={setTyped}
              isFirst
            />
          </div>
        )}
        <Refusal text={fault} />
        <DialogActions aside={words.bulk.undoNote}>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" look={isDelete ? 'danger' : 'go'} disabled={!mayRun} ref={go}>
            {runWords[wanted.kind]?.(number) ?? words.bulk.run(number)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Loading() {
  return (
    <div className={css.sample}>
      {[70, 62, 78, 56].map((width) => (
        <div key={width} className={css.sampleRow}>
          <Skeleton width={`${width}%`} />
        </div>
      ))}
    </div>
  )
}

function Sample({ preview, records }: { preview: Preview; records: Records }) {
  const { kind } = preview
  const ids = preview.sample.map(({ id }) => id)
  const { data: leads = [] } = useQuery({
    queryKey: ['leads', 'sample', ids],
    queryFn: async ({ signal }) =>
      (await listLeads({ filter: { leads: ids }, pagination: { page_size: 10 } }, signal)).leads,
    // Deleted leads are in no list.
    enabled: ids.length > 0 && kind !== 'restore',
  })
  if (ids.length === 0) return null
  return (
    <ul className={css.sample} aria-label={words.bulk.sample}>
      {preview.sample.map(({ id, name: known, before, after, merged }) => {
        const lead = leads.find((entry) => entry.id === id)
        const name = known || words.leads.unnamed
        return (
          <li key={id} className={css.sampleRow}>
            <Avatar name={name} isCompany={lead?.is_company ?? false} />
            <span className={css.sampleName}>{kind === 'delete' ? <del>{name}</del> : name}</span>
            <span className={css.sampleCompany}>
              {lead && !lead.is_company ? lead.company : ''}
            </span>
            {merged && <span>{words.leads.count(merged.length + 1)}</span>}
            {!runWords[kind] && <Changes before={before} after={after} records={records} />}
          </li>
        )
      })}
    </ul>
  )
}

/** Of two lists, what goes and what comes. */
function difference(before: unknown, after: unknown): [unknown, unknown] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [before, after]
  const idOf = (entry: unknown) => JSON.stringify(entry)
  const without = (list: unknown[], other: unknown[]) => {
    const known = new Set(other.map(idOf))
    return list.filter((entry) => !known.has(idOf(entry)))
  }
  return [without(before, after), without(after, before)]
}

function Changes({
  before,
  after,
  records,
}: {
  before: Record<string, unknown>
  after: Record<string, unknown>
  records: Records
}) {
  const names = Object.keys(after ?? {}).filter(
    (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]),
  )
  const changed = Object.fromEntries(
    names.map((name) => [name, difference(before?.[name], after[name])]),
  )
  return (
    <span className={css.changes}>
      {eventChanges({ changed }, records).map(({ label, before, after }) => (
        <span key={label}>
          {before && <del>{before}</del>} {after && <ins>{after}</ins>}
        </span>
      ))}
    </span>
  )
}
