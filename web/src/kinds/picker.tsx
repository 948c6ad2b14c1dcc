// Choosing the value of a field from a list: options, relations, a currency, another lead.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { call } from '../api/call.ts'
import { client } from '../api/client.ts'
import { type Lead, nameOf } from '../api/lead.ts'
import { searchQuery } from '../api/leads.ts'
import { type Records, recordQueries } from '../api/records.ts'
import { orTell } from '../ui/attempt.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Options } from '../ui/options.tsx'
import { words } from '../words/index.ts'
import type { Picking } from './edits.tsx'
import type { Field } from './field.ts'
import { saveField } from './save.ts'
import { setUpPipeline } from './set-up.ts'
import { listToSetUp, setUpOptions } from './stages.tsx'

/** Where to go after editing. */
export type Leave = 'stay' | 'next' | 'previous'

interface Props {
  field: Field
  lead: Lead
  records: Records
  onDone: (leave: Leave) => void
}

export function Picker({ field, lead, records, edit, onDone }: Props & { edit: Picking<unknown> }) {
  const at = { field, lead, records }
  const isStage = field.kind === 'status'
  const setUp = async (list: string) => {
    const made = await setUpPipeline(list || undefined)
    const first = client
      .getQueryData(recordQueries.status.queryKey)
      ?.find(({ id_list }) => id_list === made)
    if (first) await saveField(field, lead, [...lead.status, first])
  }
  const pick = (id: string) => {
    const list = isStage ? listToSetUp(id) : undefined
    if (list !== undefined) return void setUp(list)
    void saveField(field, lead, edit.next(field.read(lead) ?? null, id, at))
    if (!edit.isMany) onDone('stay')
  }
  const createTag = async (name: string) => {
    await orTell(words.faults.notSaved(name), async () => {
      const tag = await call('POST /tags', { body: { name } })
      await client.invalidateQueries({ queryKey: ['records', 'tags'] })
      void saveField(field, lead, [...lead.tags, tag])
    })
  }
  return (
    <Options
      label={words.fields.find(field.label)}
      options={isStage ? [...edit.options(at), ...setUpOptions(at)] : edit.options(at)}
      chosen={chosenIds(field, lead)}
      onPick={pick}
      onCreate={field.kind === 'tags' ? createTag : undefined}
    />
  )
}

function chosenIds(field: Field, lead: Lead): Set<string> {
  const value = field.read(lead)
  if (Array.isArray(value))
    return new Set(
      value.map((entry: string | { id: string }) => (typeof entry === 'string' ? entry : entry.id)),
    )
  return new Set(typeof value === 'string' && value ? [value] : [])
}

/** Chooses another lead. */
export function LeadPicker({ field, lead, onDone }: Omit<Props, 'records'>) {
  return (
    <LeadOptions
      not={lead.id}
      canClear={!!field.read(lead)}
      onPick={(id) => {
        void saveField(field, lead, id || null)
        onDone('stay')
      }}
    />
  )
}

/** Finds leads as someone types. '' clears. */
export function LeadOptions({
  not,
  canClear,
  onPick,
  isFramed = false,
  footer,
}: {
  /** This lead is not among them. */
  not?: string
  canClear: boolean
  onPick: (id: string) => void
  isFramed?: boolean
  footer?: ReactNode
}) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const { data = [], isFetching } = useQuery({
    ...searchQuery(wanted, 8),
    enabled: wanted.length > 1,
  })
  const options = data
    .filter(({ id }) => id !== not)
    .map((found) => ({
      id: found.id,
      label: nameOf(found),
      content: (
        <>
          <Avatar name={nameOf(found) || '?'} isCompany={found.is_company} />
          {nameOf(found)}
        </>
      ),
      hint: found.is_company ? undefined : (found.company ?? found.email),
    }))
  const clear = canClear ? [{ id: '', label: words.fields.noValue }] : []
  return (
    <Options
      label={words.fields.findLead}
      options={[...options, ...clear]}
      onSearch={setText}
      isBusy={isFetching}
      none={wanted.length > 1 ? undefined : words.fields.typeMore}
      onPick={onPick}
      isFramed={isFramed}
      footer={footer}
    />
  )
}
