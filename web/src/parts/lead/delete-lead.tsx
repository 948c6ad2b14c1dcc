import { useQuery } from '@tanstack/react-query'
import { keptDaysQuery } from '../../api/deleted-leads.ts'
import { type Lead, nameOf } from '../../api/lead.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { words } from '../../words/index.ts'
import { runOperation } from '../bulk/undo-last.ts'

export default function DeleteLead({
  lead,
  onClose,
  onDeleted,
}: {
  lead: Lead
  onClose: () => void
  onDeleted: () => void
}) {
  const { data: days = null } = useQuery(keptDaysQuery)
  const name = nameOf(lead) || words.leads.unnamed
  const remove = async () => {
    const filter = { leads: [lead.id] }
    await runOperation({ kind: 'delete', filter, data: {} }, words.lead.deleted)
    onDeleted()
  }
  return (
    <Confirm
      title={words.lead.deleteTitle(name)}
      action={words.actions.delete}
      onConfirm={remove}
      onClose={onClose}
    >
      {words.lead.deleteText(name, days)}
    </Confirm>
  )
}
