// One value for a field or an attribute of all selected leads.
import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Records } from '../../api/records.ts'
import { useMe } from '../../api/session.ts'
import { CurrencyPicker } from '../../kinds/currency-picker.tsx'
import { editOf, type Picking, type Typing } from '../../kinds/edits.tsx'
import type { Field } from '../../kinds/field.ts'
import { allFields } from '../../kinds/fields.ts'
import { LeadName } from '../../kinds/lead-name.tsx'
import { readPrice } from '../../kinds/parse-number.ts'
import { LeadOptions } from '../../kinds/picker.tsx'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field as Input } from '../../ui/form.tsx'
import { Options } from '../../ui/options.tsx'
import { submitting } from '../../ui/submitting.ts'
import { WhenPicker } from '../../ui/when-picker.tsx'
import { readWhen, showWhen } from '../../ui/when-text.ts'
import { words } from '../../words/index.ts'
import type { Wanted } from './operations.ts'

const { bulk } = words

interface Props {
  count: number
  records: Records
  onAsk: (wanted: Pick<Wanted, 'kind' | 'data'>, name: string) => void
  onClose: () => void
}

/** Relations have their own actions. A name is two fields. */
const canBeSet = ({ isEditable, group, kind }: Field) =>
  isEditable && group !== 'relations' && editOf(kind).by !== 'naming'

export default function EditDialog({ count, records, onAsk, onClose }: Props) {
  const [field, setField] = useState<Field>()
  const fields = allFields(records.attributes).filter(canBeSet)
  return (
    <Dialog
      title={field ? bulk.setTo(field.label, count) : bulk.editOf(count)}
      size={field ? 's' : 'm'}
      onClose={onClose}
    >
      {field ? (
        <Value
          field={field}
          records={records}
          onValue={(value) => onAsk({ kind: 'update', data: field.change(value) }, field.label)}
          onBack={() => setField(undefined)}
        />
      ) : (
        <Options
          isFramed
          label={bulk.findField}
          options={fields.map(({ id, label, group }) => ({
            ...{ id, label, group: words.grid.columnGroups[group] },
          }))}
          onPick={(id) => setField(fields.find((entry) => entry.id === id))}
        />
      )}
    </Dialog>
  )
}

interface ValueProps {
  field: Field
  records: Records
  onValue: (value: unknown) => void
  onBack: () => void
}

function Value(props: ValueProps) {
  const edit = editOf(props.field.kind)
  switch (edit.by) {
    case 'typing':
      return <Typed {...props} edit={edit} />
    case 'pricing':
      return <Priced {...props} />
    case 'picking':
      return <Picked {...props} edit={edit} />
    case 'finding a lead':
      return <Found {...props} />
    case 'toggling':
      return <Flag {...props} />
    case 'naming':
    case 'nothing':
      return null
  }
}

type Typable = { value: unknown } | { fault: string }

function Typed({ field, edit, onValue, onBack }: ValueProps & { edit: Typing<unknown> }) {
  const read = (text: string): Typable => (text === '' ? { value: null } : edit.parse(text, field))
  return (
    <TypedForm
      read={read}
      onValue={onValue}
      onBack={onBack}
      label={field.label}
      type={edit.input}
      hintOf={edit.hint}
      when={edit.when}
    />
  )
}

function Priced({ field, onValue, onBack }: ValueProps) {
  const { workspace } = useMe()
  const [currency, setCurrency] = useState(workspace.currency)
  const read = (text: string): Typable => {
    const price = readPrice(text, currency)
    return price && 'fault' in price ? price : { value: price }
  }
  return (
    <TypedForm
      read={read}
      onValue={onValue}
      onBack={onBack}
      label={field.label}
      inputMode="decimal"
      beside={<CurrencyPicker currency={currency} onCurrency={setCurrency} />}
    />
  )
}

interface TypedFormProps
  extends Pick<ValueProps, 'onValue' | 'onBack'>,
    Pick<ComponentProps<typeof Input>, 'label' | 'type' | 'inputMode' | 'beside'> {
  read: (text: string) => Typable
  hintOf?: Typing<unknown>['hint'] | undefined
  when?: Typing<unknown>['when'] | undefined
}

function TypedForm({ read, hintOf, when, onValue, onBack, ...input }: TypedFormProps) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState('')
  const submit = () => {
    const typed = read(text.trim())
    if ('fault' in typed) setFault(typed.fault)
    else onValue(typed.value)
  }
  return (
    <Form onSubmit={submit} onBack={onBack}>
      <Input
        {...input}
        value={text}
        onValue={(value) => {
          setText(value)
          setFault('')
        }}
        fault={fault}
        hint={(text.trim() && hintOf?.(text.trim())?.text) || bulk.emptyClears}
        isFirst
        {...(when && {
          beside: (
            <WhenPicker
              kind={when}
              value={readWhen(text, when) ?? ''}
              onValue={(value) => setText(showWhen(value, when))}
            />
          ),
        })}
      />
    </Form>
  )
}

function Picked({
  field,
  records,
  edit,
  onValue,
  onBack,
}: ValueProps & { edit: Picking<unknown> }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const pick = (id: string) => {
    const others = chosen.filter((entry) => entry !== id)
    const isNew = others.length === chosen.length
    setChosen([...(edit.isMany ? others : []), ...(isNew ? [id] : [])])
  }
  return (
    <Form onSubmit={() => onValue(edit.isMany ? chosen : (chosen[0] ?? null))} onBack={onBack}>
      <Options
        isFramed
        label={words.fields.find(field.label)}
        options={edit.options({ field, records })}
        chosen={new Set(chosen)}
        onPick={pick}
        footer={bulk.noneClears}
      />
    </Form>
  )
}

function Found({ onValue, onBack }: ValueProps) {
  const [lead, setLead] = useState('')
  return (
    <Form onSubmit={() => onValue(lead || null)} onBack={onBack}>
      <LeadOptions
        isFramed
        canClear={lead !== ''}
        onPick={setLead}
        footer={lead ? <LeadName id={lead} /> : bulk.noneClears}
      />
    </Form>
  )
}

function Flag({ field, onValue, onBack }: ValueProps) {
  const [isOn, setOn] = useState(true)
  return (
    <Form onSubmit={() => onValue(isOn)} onBack={onBack}>
      <Choices
        label={field.label}
        choices={[
          { id: 'yes', label: words.fields.yes },
          { id: 'no', label: words.fields.no },
        ]}
        chosen={isOn ? 'yes' : 'no'}
        onChoose={(id) => setOn(id === 'yes')}
        isFirst
      />
    </Form>
  )
}

function Form({
  onSubmit,
  onBack,
  children,
}: {
  onSubmit: () => void
  onBack: () => void
  children: ReactNode
}) {
  return (
    // The texts of leads may be anything, so the browser checks nothing.
    <form noValidate onSubmit={submitting(onSubmit)}>
      {children}
      <DialogActions>
        <Button onClick={onBack}>{words.actions.back}</Button>
        <Button type="submit" look="go">
          {bulk.preview}
        </Button>
      </DialogActions>
    </form>
  )
}
