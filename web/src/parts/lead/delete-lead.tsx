import { useState } from 'react'
import { type Lead, nameOf } from '../../api/lead.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { reasonOf } from '../../ui/reason.ts'
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
  const [fault, setFault] = useState('')
  const remove = async () => {
    try {
      await runOperation(
        { kind: 'delete', filter: { leads: [lead.id] }, data: {} },
        words.lead.deleted,
      )
      onClose()
      onDeleted()
    } catch (error) {
      setFault(reasonOf(error))
    }
  }
  return (
    <Dialog title={words.lead.deleteTitle(nameOf(lead) || words.leads.unnamed)} onClose={onClose}>
      <p>{words.lead.deleteText}</p>
      <DialogActions aside={fault}>
        <Button onClick={onClose}>{words.actions.cancel}</Button>
        <Button look="danger" onClick={() => void remove()}>
          {words.actions.delete}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
