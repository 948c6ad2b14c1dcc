// Changing an attribute: its name, its description, its options with their colors and their order. Everything is
// saved at once, as in the other parts of the settings.
import { additionOf } from '@rapport/contract/attributes.values'
import type { Currency } from '@rapport/contract/money.values'
import { type Body, call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { type AttributeRecord, recordQueries } from '../../api/records.ts'
import { change } from '../../parts/records/change.ts'
import { currencyChoices } from '../../ui/currencies.ts'
import { Select } from '../../ui/select.tsx'
import { Sortable } from '../../ui/sortable.tsx'
import { settings } from '../../words/settings.ts'
import { DeleteRecord } from './delete-record.tsx'
import { ColorInput, InlineInput } from './inline-input.tsx'
import { NewRecord } from './record-list.tsx'
import css from './settings.module.css'

const { attributes: said } = settings
const key = recordQueries.attributes.queryKey

type Option = AttributeRecord['select_options'][number]
type Edited = Body<'PATCH /attributes/{id}'>

/** The body is made when its turn comes: a change before it may have made options, which have ids then. */
function update(
  { id, name }: AttributeRecord,
  bodyOf: (now: AttributeRecord) => Edited,
  shown?: (now: AttributeRecord) => AttributeRecord,
): Promise<boolean> {
  const find = (all: AttributeRecord[] | undefined) => all?.find((one) => one.id === id)
  return change<AttributeRecord>({
    key,
    what: name,
    ...(shown && { shown: (all) => all.map((one) => (one.id === id ? shown(one) : one)) }),
    async work() {
      const now = find(client.getQueryData<AttributeRecord[]>(key))
      if (!now) return
      await call('PATCH /attributes/{id}', { id, body: bodyOf(now) })
      client.setQueryData(key, await call('GET /attributes', {}))
    },
  })
}

/** Sets the options. With `isShown`, before the service has answered. */
function setOptions(
  attribute: AttributeRecord,
  next: (options: readonly Option[]) => Option[],
  isShown = false,
): Promise<boolean> {
  const select_options = (now: AttributeRecord) =>
    next(now.select_options).map(({ id, name, color }) => ({ ...(id && { id }), name, color }))
  return update(
    attribute,
    (now) => ({ select_options: select_options(now) }),
    isShown ? (now) => ({ ...now, select_options: next(now.select_options) }) : undefined,
  )
}

const replaced = (next: Option) => (options: readonly Option[]) =>
  options.map((option) => (option.id === next.id ? next : option))

const movedTo = (moved: Option, to: number) => (options: readonly Option[]) => {
  const others = options.filter(({ id }) => id !== moved.id)
  return [...others.slice(0, to), moved, ...others.slice(to)]
}

export function AttributeEditor({ attribute }: { attribute: AttributeRecord }) {
  const addition = additionOf(attribute.type)
  return (
    <div className={css.editor}>
      <div className={css.labeled}>
        {settings.name}
        <InlineInput
          label={settings.nameOf(attribute.name)}
          value={attribute.name}
          onSave={(name) => update(attribute, () => ({ name }))}
        />
      </div>
      <div className={css.labeled}>
        {said.description}
        <InlineInput
          label={said.descriptionOf(attribute.name)}
          value={attribute.description}
          onSave={(description) => update(attribute, () => ({ description }))}
          mayBeEmpty
        />
      </div>
      {addition === 'currency' && (
        <Select
          label={said.currency}
          value={attribute.currency}
          options={[['', settings.noCurrency], ...currencyChoices()]}
          onValue={(code) => {
            const currency = code as Currency | ''
            void update(
              attribute,
              () => ({ currency }),
              (now) => ({ ...now, currency }),
            )
          }}
        />
      )}
      {addition === 'options' && <OptionList attribute={attribute} />}
    </div>
  )
}

function OptionList({ attribute }: { attribute: AttributeRecord }) {
  const { id, select_options: options } = attribute
  return (
    <>
      <h3>{said.options}</h3>
      {options.length === 0 && <p className={css.hint}>{said.noOptions}</p>}
      <Sortable
        label={said.options}
        rows={options}
        onMove={(option, to) => void setOptions(attribute, movedTo(option, to), true)}
      >
        {(option) => (
          <>
            <ColorInput
              label={settings.colorOf(option.name)}
              value={option.color}
              onSave={(color) => void setOptions(attribute, replaced({ ...option, color }), true)}
            />
            <InlineInput
              label={settings.nameOf(option.name)}
              value={option.name}
              onSave={(name) => setOptions(attribute, replaced({ ...option, name }))}
            />
            <DeleteRecord
              name={option.name}
              filter={{ attributes: [{ id, operator: 'equals', value: option.id }] }}
              text={said.removedText}
              onDelete={async () => {
                await setOptions(attribute, (all) => all.filter((one) => one.id !== option.id))
              }}
            />
          </>
        )}
      </Sortable>
      <NewRecord
        label={said.addOption}
        isFirst={options.length === 0}
        isPart
        onAdd={(name) => setOptions(attribute, (all) => [...all, { id: '', name, color: '' }])}
      />
    </>
  )
}
