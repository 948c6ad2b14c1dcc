// Further emails or phones of a lead: add one, label it, make it the main one, remove it.
import {
  type Contact,
  type ContactsField,
  leadFields,
  maxContacts,
} from '@rapport/contract/leads/fields'
import { ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import { changeLead } from '../../kinds/change-lead.ts'
import type { Field } from '../../kinds/field.ts'
import { TextInputs } from '../../kinds/text-inputs.tsx'
import { Value } from '../../kinds/value.tsx'
import { Button } from '../../ui/button.tsx'
import { RowMenu } from '../../ui/menu.tsx'
import { Muted } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import css from './contacts.module.css'

interface Props {
  field: Field
  lead: Lead
  records: Records
  mayWrite: boolean
}

const inputTypes = { email: 'email', phone: 'tel' } as const

export default function Contacts({ field, lead, records, mayWrite }: Props) {
  const { contacts: said } = words.lead
  const name = field.id as ContactsField
  const { of } = leadFields[name]
  const contacts: readonly Contact[] = lead[name]
  /** The place of the one that is edited. The new one comes behind the others. */
  const [edited, setEdited] = useState<number>()
  const list = useRef<HTMLDivElement>(null)
  const save = (next: Contact[], first?: string) => {
    const change = { [name]: next, ...(first !== undefined && { [of]: first }) }
    void changeLead(lead, change, change, first === undefined ? field.label : leadFields[of].label)
  }
  const without = (at: number) => contacts.filter((_, index) => index !== at)
  const makeMain = (at: number, { value }: Contact) => {
    const former = lead[of]
    save(former ? contacts.with(at, { value: former, label: '' }) : without(at), value)
  }
  const set = (at: number, contact: Contact) => {
    const before = contacts[at]
    if (contact.value === '') {
      if (before) save(without(at))
    } else if (before?.value !== contact.value || before.label !== contact.label) {
      save(before ? contacts.with(at, contact) : [...contacts, contact])
    }
  }
  const editor = (at: number) => (
    <TextInputs
      inputs={[
        { label: leadFields[of].label, start: contacts[at]?.value ?? '', type: inputTypes[of] },
        { label: said.label, start: contacts[at]?.label ?? '' },
      ]}
      onSave={([value = '', label = '']) => set(at, { value, label })}
      onDone={() => {
        setEdited(undefined)
        list.current?.focus({ preventScroll: true })
      }}
    />
  )
  return (
    <div className={css.contacts} ref={list} tabIndex={-1}>
      {contacts.map((contact, at) =>
        edited === at ? (
          <div key={contact.value}>{editor(at)}</div>
        ) : (
          <div key={contact.value} className={css.contact}>
            <span className="block">
              <Value
                field={{ ...field, kind: of, read: () => contact.value }}
                lead={lead}
                records={records}
                withLinks
              />{' '}
              {contact.label && <Muted>{contact.label}</Muted>}
            </span>
            {mayWrite && (
              <RowMenu
                label={said.change(contact.value)}
                groups={[
                  [
                    {
                      id: 'main',
                      label: said.makeMain,
                      icon: <ArrowUp />,
                      onPick: () => makeMain(at, contact),
                    },
                    {
                      id: 'edit',
                      label: said.edit,
                      icon: <Pencil />,
                      onPick: () => setEdited(at),
                    },
                  ],
                  [
                    {
                      id: 'remove',
                      label: words.actions.remove,
                      icon: <Trash2 />,
                      isDangerous: true,
                      onPick: () => save(without(at)),
                    },
                  ],
                ]}
              />
            )}
          </div>
        ),
      )}
      {edited === contacts.length && editor(edited)}
      {mayWrite && edited === undefined && contacts.length < maxContacts && (
        <Button look="quiet" className={css.add ?? ''} onClick={() => setEdited(contacts.length)}>
          <Plus size={13} />
          {said.add[of]}
        </Button>
      )}
    </div>
  )
}
