// Changing an attribute: its name, its description, its options with their colors and their order.
import { additionOf, currencies } from '@rapport/contract/attributes.values'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { countQuery } from '../../api/leads.ts'
import { type AttributeRecord, recordQueries } from '../../api/records.ts'
import { readAgain } from '../../parts/records/change.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Field, Select } from '../../ui/form.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Sortable } from '../../ui/sortable.tsx'
import { words } from '../../words/index.ts'
import { ColorInput, InlineInput } from './inline-input.tsx'
import { NewRecord } from './record-list.tsx'
import css from './settings.module.css'

const { settings } = words
const { attributes: said } = settings

type Option = AttributeRecord['select_options'][number]

/** Options that are not saved yet have an id of their own until then. */
const newMark = 'new '
let made = 0

export function AttributeEditor({
  attribute,
  onDone,
}: {
  attribute: AttributeRecord
  onDone: () => void
}) {
  const [name, setName] = useState(attribute.name)
  const [description, setDescription] = useState(attribute.description)
  const [currency, setCurrency] = useState(attribute.currency)
  const [options, setOptions] = useState(attribute.select_options)
  const [asked, setAsked] = useState<{ options: number; leads: number }>()
  const [fault, setFault] = useState('')
  const isSelect = additionOf(attribute.type) === 'options'
  const removed = attribute.select_options.filter(
    ({ id }) => !options.some((option) => option.id === id),
  )

  const store = async () => {
    await call('PATCH /attributes/{id}', {
      id: attribute.id,
      body: {
        name: name.trim(),
        description,
        ...(additionOf(attribute.type) === 'currency' && {
          currency: currency as (typeof currencies)[number] | '',
        }),
        ...(isSelect && {
          select_options: options.map(({ id, name: option, color }) => ({
            ...(!id.startsWith(newMark) && { id }),
            ...{ name: option, color },
          })),
        }),
      },
    })
    await readAgain(recordQueries.attributes.queryKey)
    onDone()
  }
  const save = async () => {
    try {
      if (removed.length === 0) return await store()
      const attributes = removed.map(({ id }) => ({ id: attribute.id, value: id }))
      // One after the other: an option is rarely removed, and seldom more than one.
      let leads = 0
      for (const condition of attributes) {
        const filter = { attributes: [{ ...condition, operator: 'equals' as const }] }
        leads += await client.fetchQuery({ ...countQuery(filter), staleTime: 0 })
      }
      setAsked({ options: removed.length, leads })
    } catch (error) {
      setFault(reasonOf(error))
    }
  }
  const put = (next: Option) =>
    setOptions(options.map((option) => (option.id === next.id ? next : option)))
  const move = (option: Option, to: number) => {
    const others = options.filter(({ id }) => id !== option.id)
    setOptions([...others.slice(0, to), option, ...others.slice(to)])
  }

  return (
    <div className={css.editor}>
      <div className={css.formRow}>
        <Field label={settings.name} value={name} onValue={setName} isRequired />
        <Field label={said.description} value={description} onValue={setDescription} />
        {additionOf(attribute.type) === 'currency' && (
          <Select
            label={said.currency}
            value={currency}
            options={['', ...currencies].map((code) => [code, code] as const)}
            onValue={setCurrency}
          />
        )}
      </div>
      {isSelect && (
        <>
          <h3>{said.options}</h3>
          {options.length === 0 && <p className={css.hint}>{said.noOptions}</p>}
          <Sortable label={said.options} rows={options} onMove={move}>
            {(option) => (
              <>
                <ColorInput
                  label={settings.colorOf(option.name)}
                  value={option.color}
                  onSave={(color) => put({ ...option, color })}
                />
                <InlineInput
                  label={settings.nameOf(option.name)}
                  value={option.name}
                  onSave={async (next) => {
                    put({ ...option, name: next })
                    return true
                  }}
                />
                <Button
                  look="icon"
                  aria-label={settings.removeOf(option.name)}
                  onClick={() => setOptions(options.filter(({ id }) => id !== option.id))}
                >
                  <Trash2 size={14} />
                </Button>
              </>
            )}
          </Sortable>
          <NewRecord
            label={said.addOption}
            onAdd={async (option) => {
              setOptions([...options, { id: `${newMark}${++made}`, name: option, color: '' }])
              return true
            }}
          />
        </>
      )}
      {fault && (
        <p role="alert" className={css.fault}>
          {fault}
        </p>
      )}
      <div className={css.actions}>
        <Button look="go" disabled={!name.trim()} onClick={() => void save()}>
          {words.actions.save}
        </Button>
        <Button onClick={onDone}>{words.actions.cancel}</Button>
      </div>
      {asked && (
        <Confirm
          title={said.removedTitle(asked.options)}
          action={words.actions.remove}
          onConfirm={store}
          onClose={() => setAsked(undefined)}
        >
          {said.removedText(asked.leads)}
        </Confirm>
      )}
    </div>
  )
}
