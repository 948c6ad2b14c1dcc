// The open lead next to the grid.
import { ChevronDown, ChevronUp, ExternalLink, X } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useCommands } from '../../frame/commands.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { useNarrow } from '../../ui/media.ts'
import { words } from '../../words/index.ts'
import css from './lead.module.css'
import { LeadBody } from './lead-body.tsx'

interface Props {
  id: string
  /** Its place in the view, when it is known. */
  position: { row: number; total: number } | undefined
  onClose: () => void
  onStep: (by: number) => void
}

export default function LeadPanel({ id, position, onClose, onStep }: Props) {
  const [, navigate] = useLocation()
  const isNarrow = useNarrow()
  const page = `/lead/${id}`
  const { commands } = words
  useCommands([
    {
      id: 'lead-page',
      title: commands.openPage,
      group: commands.groups.lead,
      keys: 'O',
      run: () => navigate(page),
    },
  ])
  return (
    <aside className={css.panel} aria-label={words.lead.panel}>
      <div className={css.top}>
        <div className={css.steppers}>
          <Button look="icon" aria-label={words.lead.next} onClick={() => onStep(1)}>
            {isNarrow ? <ChevronDown size={18} /> : <Kbd keys="J" />}
          </Button>
          <Button look="icon" aria-label={words.lead.previous} onClick={() => onStep(-1)}>
            {isNarrow ? <ChevronUp size={18} /> : <Kbd keys="K" />}
          </Button>
        </div>
        {position && (
          <span>
            {words.lead.position(formatNumber(position.row + 1), formatNumber(position.total))}
          </span>
        )}
        <span className="fill" />
        <Link href={page} className={css.open}>
          {words.actions.open} <ExternalLink size={12} aria-hidden="true" />
        </Link>
        <Button look="icon" aria-label={words.actions.close} onClick={onClose}>
          <X size={15} />
        </Button>
      </div>
      <LeadBody id={id} onGone={onClose} />
    </aside>
  )
}
