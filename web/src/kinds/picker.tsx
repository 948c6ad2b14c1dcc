// Choosing the value of a field from a list: options, relations, a currency, another lead.
import { currencies } from '@rapport/contract/attributes.values'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { call } from '../api/call.ts'
import { client } from '../api/client.ts'
import { type Lead, nameOf } from '../api/lead.ts'
import { searchQuery } from '../api/leads.ts'
import type { Records } from '../api/records.ts'
import { Avatar } from '../ui/avatar.tsx'
import { type Option, Options } from '../ui/options.tsx'
import { Stage } from '../ui/small.tsx'
import { tellFault } from '../ui/toast.tsx'
import { words } from '../words/index.ts'
import type { Field } from './fields.ts'
import { recordOptions } from './record-options.tsx'
import { saveField } from './save.ts'

/** Where to go after editing. */
export type Leave = 'stay' | 'next' | 'previous'

interface Props {
  field: Field
  lead: Lead
  records: Records
  onDone: (leave: Leave) => void
}

interface Named {
  id: string
}

export function Picker({ field, lead: current, records, onDone }: Props) {
  if (field.kind === 'lead')
    return <LeadPicker field={field} lead={current} records={records} onDone={onDone} />
  const chosen = chosenIds(field, current)
  const isMany = field.kind !== 'option' && field.kind !== 'currency'
  const pick = (id: string) => {
    void saveField(field, current, nextValue(field, current, records, id))
    if (!isMany) onDone('stay')
  }
  const createTag = async (name: string) => {
    try {
      const tag = await call('POST /tags', { body: { name } })
      await client.invalidateQueries({ queryKey: ['records', 'tags'] })
      void saveField(field, current, [...current.tags, tag])
    } catch (error) {
      tellFault(words.faults.notSaved(name), error)
    }
  }
  return (
    <Options
      label={words.fields.find(field.label)}
      options={optionsFor(field, records)}
      chosen={chosen}
      onPick={pick}
      onCreate={field.kind === 'tags' ? createTag : undefined}
    />
  )
}

export function chosenIds(field: Field, lead: Lead): Set<string> {
  const value = field.read(lead)
  if (Array.isArray(value))
    return new Set(
      value.map((entry: string | Named) => (typeof entry === 'string' ? entry : entry.id)),
    )
  return new Set(typeof value === 'string' && value ? [value] : [])
}

/** The records or options that the field can have. */
export function optionsFor(field: Field, records: Records): Option[] {
  switch (field.kind) {
    case 'tags':
    case 'lists':
    case 'owners':
    case 'status':
      return recordOptions(field.kind, records)
    case 'currency':
      return currencies.map((code) => ({ id: code, label: code }))
    default:
      return (
        field.attribute?.select_options.map(({ id, name, color }) => ({
          id,
          label: name,
          content: <Stage name={name} colour={color} />,
        })) ?? []
      )
  }
}

function nextValue(field: Field, lead: Lead, records: Records, id: string): unknown {
  const toggled = <T extends Named>(value: T[], all: readonly T[]) =>
    value.some((entry) => entry.id === id)
      ? value.filter((entry) => entry.id !== id)
      : [...value, ...all.filter((entry) => entry.id === id)]
  switch (field.kind) {
    case 'tags':
      return toggled<Named>(lead.tags, records.tags)
    case 'lists':
      return toggled<Named>(lead.lists, records.lists)
    case 'owners':
      return toggled<Named>(lead.owners, records.members)
    case 'status': {
      // A lead has one status in each list: another one takes the place of the first.
      const status = records.status.find((entry) => entry.id === id)
      const others = lead.status.filter(
        (entry) => entry.id === id || entry.id_list !== status?.id_list,
      )
      return toggled<Named>(others, records.status)
    }
    case 'options': {
      const ids = (field.read(lead) as string[] | null) ?? []
      return ids.includes(id) ? ids.filter((entry) => entry !== id) : [...ids, id]
    }
    default:
      return field.read(lead) === id ? null : id
  }
}

function LeadPicker({ field, lead, onDone }: Props) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const { data = [], isFetching } = useQuery({
    ...searchQuery(wanted, 8),
    enabled: wanted.length > 1,
  })
  const options = data
    .filter(({ id }) => id !== lead.id)
    .map((found) => ({
      id: found.id,
      label: nameOf(found),
      content: (
        <>
          <Avatar name={nameOf(found) || '?'} isCompany={found.is_company} />
          {nameOf(found)}
        </>
      ),
      hint: found.is_company ? undefined : found.company,
    }))
  const clear = field.read(lead) ? [{ id: '', label: words.fields.noValue }] : []
  return (
    <Options
      label={words.fields.findLead}
      options={[...options, ...clear]}
      onSearch={setText}
      isBusy={isFetching}
      onPick={(id) => {
        void saveField(field, lead, id || null)
        onDone('stay')
      }}
    />
  )
}
