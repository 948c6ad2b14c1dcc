// The page of a lead.
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Link, Redirect, useLocation } from 'wouter'
import { originNow } from '../../addresses/origin.ts'
import { leadQuery } from '../../api/leads.ts'
import { stepCommands, useCommands } from '../../frame/commands.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import css from '../../parts/lead/lead.module.css'
import { LeadBody } from '../../parts/lead/lead-body.tsx'
import { useNeighbors } from '../../parts/lead/neighbors.ts'
import { words } from '../../words/index.ts'

export default function LeadPage({ id }: { id: string }) {
  const [, navigate] = useLocation()
  const { next, previous } = useNeighbors(id)
  const [backHref, backWord] = backTo(originNow())
  const go = (to: string | undefined) => to && navigate(`/lead/${to}`)
  const { data: lead } = useQuery(leadQuery(id))
  const { commands } = words
  useCommands([
    ...stepCommands(commands.groups.lead, (by) => go(by === 1 ? next : previous)),
    {
      id: 'back',
      title: backWord,
      group: commands.groups.lead,
      keys: 'Escape',
      run: () => navigate(backHref),
    },
  ])
  // The address of a lead that was merged into another one leads to that.
  if (lead && lead.id !== id) return <Redirect to={`/lead/${lead.id}`} replace />
  return (
    <div className={css.page}>
      <header className={css.pageHeader}>
        <MenuButton />
        <Link href={backHref} className={css.back}>
          <ArrowLeft size={15} aria-hidden="true" /> {backWord}
        </Link>
      </header>
      <div className={css.pageBody}>
        <LeadBody id={id} isPage onGone={() => navigate(backHref)} />
      </div>
    </div>
  )
}

function backTo(origin = '/leads'): [href: string, word: string] {
  const place = /^\/(\w+)/.exec(origin)?.[1] ?? ''
  return [origin, words.lead.backTo[place as keyof typeof words.lead.backTo]]
}
