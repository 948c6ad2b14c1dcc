// Deleting a record says first how many leads it concerns.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { countQuery } from '../../api/leads.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'

interface Question {
  /** The leads that it concerns. */
  filter: LeadFilter
  text: (leads: number) => string
  onDelete: () => Promise<void>
}

type Props = Question & { name: string }

export function DeleteRecord(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="icon" aria-label={settings.removeOf(props.name)} onClick={() => setOpen(true)}>
        <Trash2 size={14} />
      </Button>
      {isOpen && (
        <AskDelete
          {...props}
          title={settings.deleteTitle(props.name)}
          action={words.actions.delete}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function AskDelete({
  title,
  action,
  filter,
  text,
  onDelete,
  onClose,
}: Question & { title: string; action: string; onClose: () => void }) {
  const [isDeleting, setDeleting] = useState(false)
  // The filter names the record, so nothing is counted anymore while it goes.
  const { data: leads } = useQuery({
    ...countQuery(filter),
    ...{ staleTime: 0, enabled: !isDeleting },
  })
  return (
    <Confirm
      title={title}
      action={action}
      isReady={leads !== undefined}
      onConfirm={async () => {
        setDeleting(true)
        try {
          await onDelete()
        } catch (error) {
          setDeleting(false)
          throw error
        }
      }}
      onClose={onClose}
    >
      {leads === undefined ? settings.counting : text(leads)}
    </Confirm>
  )
}
