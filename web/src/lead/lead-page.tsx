// A lead as a page of its own.
import { ArrowLeft } from 'lucide-react'
import { Link, useLocation, useSearch } from 'wouter'
import { useCommands } from '../shell/commands.ts'
import { MenuButton } from '../shell/shell.tsx'
import { words } from '../words.ts'
import css from './lead.module.css'
import { LeadBody } from './lead-body.tsx'
import { useNeighbours } from './neighbours.ts'

export default function LeadPage({ id }: { id: string }) {
  const search = useSearch()
  const [, navigate] = useLocation()
  // The address of the page keeps that of the view it was opened from.
  const query = new URLSearchParams(search)
  query.delete('lead')
  const rest = query.size > 0 ? `?${query}` : ''
  const { next, previous } = useNeighbours(id)
  const go = (to: string | undefined) => to && navigate(`/lead/${to}${rest}`)
  const { commands } = words
  useCommands([
    {
      id: 'next',
      title: commands.next,
      group: commands.groups.lead,
      keys: 'J',
      isHidden: true,
      run: () => go(next),
    },
    {
      id: 'previous',
      title: commands.previous,
      group: commands.groups.lead,
      keys: 'K',
      isHidden: true,
      run: () => go(previous),
    },
    {
      id: 'back',
      title: words.lead.back,
      group: commands.groups.lead,
      keys: 'Escape',
      run: () => navigate(`/leads${rest}`),
    },
  ])
  return (
    <div className={css.page}>
      <header className={css.pageHeader}>
        <MenuButton />
        <Link href={`/leads${rest}`} className={css.back}>
          <ArrowLeft size={15} aria-hidden="true" /> {words.lead.back}
        </Link>
      </header>
      <div className={css.pageBody}>
        <LeadBody id={id} isPage onGone={() => navigate(`/leads${rest}`)} />
      </div>
    </div>
  )
}
