import { Plus } from 'lucide-react'
import frame from '../../frame/page-frame.module.css'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { words } from '../../words/index.ts'

export function NewLeadButton({ onClick }: { onClick: () => void }) {
  return (
    <Button look="go" onClick={onClick}>
      <Plus size={15} /> {words.leads.newLead}{' '}
      <span className={frame.wideOnly}>
        <Kbd keys="C" onAccent />
      </span>
    </Button>
  )
}
