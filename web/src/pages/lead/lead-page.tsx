// The page of a lead.
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { leadQuery } from '../../api/leads.ts'
import { stepCommands, useCommands } from '../../frame/commands.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import css from '../../parts/lead/lead.module.css'
import { LeadBody } from '../../parts/lead/lead-body.tsx'
import { useNeighbors } from '../../parts/lead/neighbors.ts'
import { words } from '../../words/index.ts'

export default function LeadPage({ id }: { id: string }) {
  const search = useSearch()
  const [, navigate] = useLocation()
  // The address of the page keeps that of the view it was opened from.
  const query = new URLSearchParams(search)
  query.delete('lead')
  const rest = query.size > 0 ? `?${query}` : ''
  const { next, previous } = useNeighbors(id)
  const backQuery = new URLSearchParams(query)
  backQuery.delete('from')
  const [backPath, backWord] = backOf(query.get('from'))
  const backHref = `${backPath}${backQuery.size > 0 ? `?${backQuery}` : ''}`
  const go = (to: string | undefined) => to && navigate(`/lead/${to}${rest}`)
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
  if (lead && lead.id !== id) return <Redirect to={`/lead/${lead.id}${rest}`} replace />
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

function backOf(from: string | null): [path: string, word: string] {
  if (from === 'board') return ['/board', words.board.back]
  if (from === 'trash') return ['/trash', words.trash.back]
  return ['/leads', words.lead.back]
}
