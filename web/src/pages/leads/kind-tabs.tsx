// All leads of the view, its people, or its companies, each with its number.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useQueries } from '@tanstack/react-query'
import { countQuery } from '../../api/leads.ts'
import { Choice } from '../../ui/choice.tsx'
import { formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'

export function KindTabs({
  filter: { is_company, ...rest },
  isReady,
  hrefTo,
}: {
  filter: LeadFilter
  /** The rows come first. */
  isReady: boolean
  hrefTo: (filter: LeadFilter) => string
}) {
  const tabs = [
    ['all', rest],
    ['people', { ...rest, is_company: false }],
    ['companies', { ...rest, is_company: true }],
  ] as const
  const counts = useQueries({
    queries: tabs.map(([, filter]) => ({ ...countQuery(filter), enabled: isReady })),
  })
  const chosen = is_company === undefined ? 'all' : is_company ? 'companies' : 'people'
  return (
    <Choice
      label={words.leads.kinds}
      chosen={chosen}
      options={tabs.map(([id, filter], at) => {
        const count = counts[at]?.data
        const label = (
          <>
            {words.leads.tabs[id]}
            {count !== undefined && <span>{formatNumber(count)}</span>}
          </>
        )
        return [id, label, hrefTo(filter)]
      })}
    />
  )
}
