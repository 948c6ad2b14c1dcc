// Chooses the lead to merge this one with, and compares both.
import { useLocation } from 'wouter'
import type { Lead } from '../../api/lead.ts'
import { LeadOptions } from '../../kinds/picker.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { words } from '../../words/index.ts'

export default function MergeLead({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const [, navigate] = useLocation()
  return (
    <Dialog title={words.lead.mergeWith} onClose={onClose}>
      <LeadOptions
        not={lead.id}
        canClear={false}
        isFramed
        onPick={(id) => navigate(`/duplicates?leads=${lead.id},${id}`)}
      />
    </Dialog>
  )
}
