// A new reminder, or one to change, in a dialog.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { nameOf } from '../../api/lead.ts'
import { searchQuery } from '../../api/leads.ts'
import type { Records } from '../../api/records.ts'
import type { Reminder } from '../../api/reminders.ts'
import { LeadName } from '../../kinds/lead-name.tsx'
import { ReminderForm } from '../../parts/reminder/reminder-form.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useDiscard } from '../../ui/discard.tsx'
import { Options } from '../../ui/options.tsx'
import { Popover } from '../../ui/popover.tsx'
import { words } from '../../words/index.ts'
import css from './reminders.module.css'

interface Props {
  reminder: Reminder | undefined
  records: Records
  onClose: () => void
}

export default function EditReminder({ reminder, records, onClose }: Props) {
  const [lead, setLead] = useState(reminder?.id_lead ?? '')
  const discard = useDiscard(onClose)
  const shared = { reminder, records, discard }
  return (
    <Dialog title={reminder ? words.inbox.edit : words.reminders.add} onClose={discard.leave}>
      <ReminderForm {...shared} lead={lead} onDone={onClose} isPlain>
        <LeadChoice lead={lead} onLead={setLead} />
      </ReminderForm>
    </Dialog>
  )
}

function LeadChoice({ lead, onLead }: { lead: string; onLead: (id: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const { data = [], isFetching } = useQuery({
    ...searchQuery(wanted, 8),
    enabled: isOpen && wanted.length > 1,
  })
  const found = data.map((one) => ({
    id: one.id,
    label: nameOf(one),
    content: (
      <>
        <Avatar name={nameOf(one) || '?'} isCompany={one.is_company} />
        {nameOf(one)}
      </>
    ),
    hint: one.is_company ? undefined : one.company,
  }))
  return (
    <div className={css.choice}>
      <span className="note">{words.inbox.lead}</span>
      <Popover
        label={words.inbox.lead}
        open={isOpen}
        onOpenChange={setOpen}
        wide
        trigger={
          <Button className={css.chosen ?? ''}>
            {lead ? <LeadName id={lead} /> : words.inbox.noLead}
          </Button>
        }
      >
        <Options
          label={words.fields.findLead}
          options={[...found, ...(lead ? [{ id: '', label: words.inbox.noLead }] : [])]}
          onSearch={setText}
          isBusy={isFetching}
          onPick={(id) => {
            onLead(id)
            setOpen(false)
          }}
        />
      </Popover>
    </div>
  )
}
