import {
  type AttributeType,
  additionOf,
  attributeTable,
  attributeTypes,
} from '@rapport/contract/attributes.values'
import type { Currency } from '@rapport/contract/money.values'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { type AttributeRecord, recordQueries } from '../../api/records.ts'
import { readAgain } from '../../parts/records/change.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/check.tsx'
import { currencyChoices } from '../../ui/currencies.ts'
import { Field } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import { AttributeEditor } from './attribute-editor.tsx'
import { DeleteRecord } from './delete-record.tsx'
import { type Part, PartState } from './part-state.tsx'
import css from './settings.module.css'

const { attributes: said, name: nameLabel } = settings
const key = recordQueries.attributes.queryKey

function AttributesPart() {
  const query = useQuery(recordQueries.attributes)
  const open = new URLSearchParams(useSearch()).get('open')
  const [, navigate] = useLocation()
  const show = (id: string | undefined) =>
    navigate(`/settings/attributes${id ? `?open=${id}` : ''}`)
  const remove = async ({ id }: AttributeRecord) => {
    await call('DELETE /attributes/{id}', { id })
    await readAgain(key)
  }
  return (
    <>
      <PartState query={query} none={said.none}>
        {(attributes) => (
          <ul>
            {attributes.map((attribute) => (
              <li key={attribute.id} className={css.tall}>
                <div className={css.row}>
                  <div className="block">
                    <div>
                      <bdi>{attribute.name}</bdi>
                    </div>
                    <div className="note">
                      {attribute.isMultiSelect ? said.multi : attributeTable[attribute.type].label}{' '}
                      · <code>{attribute.slug}</code>
                    </div>
                  </div>
                  <Button
                    aria-expanded={open === attribute.id}
                    aria-label={(open === attribute.id ? said.done : said.edit)(attribute.name)}
                    onClick={() => show(open === attribute.id ? undefined : attribute.id)}
                  >
                    {open === attribute.id ? words.actions.done : words.actions.edit}
                  </Button>
                  <DeleteRecord
                    name={attribute.name}
                    filter={{ attributes: [{ id: attribute.id, operator: 'is_not_empty' }] }}
                    text={said.deleteText}
                    onDelete={() => remove(attribute)}
                  />
                </div>
                {open === attribute.id && <AttributeEditor attribute={attribute} />}
              </li>
            ))}
          </ul>
        )}
      </PartState>
      <NewAttribute onMade={({ id, type }) => additionOf(type) === 'options' && show(id)} />
    </>
  )
}

function NewAttribute({ onMade }: { onMade: (made: AttributeRecord) => void }) {
  const [name, setName] = useState('')
  const [type, setType] = useState<AttributeType>('TEXT')
  const [isMultiSelect, setMulti] = useState(false)
  const [currency, setCurrency] = useState<Currency>('EUR')
  const { fault, attempt } = useAttempt()
  const make = async () => {
    const body = {
      ...{ name: name.trim(), type },
      ...(additionOf(type) === 'options' && { isMultiSelect }),
      ...(additionOf(type) === 'currency' && { currency }),
    }
    const made = await call('POST /attributes', { body })
    setName('')
    await client.invalidateQueries({ queryKey: key })
    onMade(made)
  }
  return (
    <form className={css.formRow} aria-label={said.add} onSubmit={submitting(() => attempt(make))}>
      <Field label={nameLabel} value={name} onValue={setName} fault={fault} isRequired />
      <Select
        label={said.type}
        value={type}
        options={attributeTypes.map((one) => [one, attributeTable[one].label] as const)}
        onValue={(next) => setType(next as AttributeType)}
      />
      {additionOf(type) === 'currency' && (
        <Select
          label={said.currency}
          value={currency}
          options={currencyChoices()}
          onValue={(next) => setCurrency(next as typeof currency)}
        />
      )}
      {additionOf(type) === 'options' && (
        <Check className={css.check} isOn={isMultiSelect} onChange={setMulti}>
          {said.several}
        </Check>
      )}
      <Button type="submit" look="go" disabled={!name.trim()}>
        {words.actions.create}
      </Button>
    </form>
  )
}

export default { needs: 'write', Content: AttributesPart } satisfies Part
