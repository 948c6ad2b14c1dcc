// All leads of the view, its people, or its companies, each with its number.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useQuery } from '@tanstack/react-query'
import { countQuery } from '../../api/leads.ts'
import { Choice } from '../../ui/choice.tsx'
import { formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'

type Tab = keyof typeof words.leads.tabs

/** `other` is the number of people or, where people are shown, of companies. */
function countsOf(chosen: Tab, shown: number, other: number): Record<Tab, number> {
  if (chosen === 'all') return { all: shown, people: other, companies: Math.max(0, shown - other) }
  const [people, companies] = chosen === 'people' ? [shown, other] : [other, shown]
  return { all: people + companies, people, companies }
}

export function KindTabs({
  filter: { is_company, ...rest },
  total,
  hrefTo,
}: {
  filter: LeadFilter
  /** Of the tab that is shown. */
  total: number | undefined
  hrefTo: (filter: LeadFilter) => string
}) {
  const chosen: Tab = is_company === undefined ? 'all' : is_company ? 'companies' : 'people'
  const filters: Record<Tab, LeadFilter> = {
    all: rest,
    people: { ...rest, is_company: false },
    companies: { ...rest, is_company: true },
  }
  // One number more is enough: every lead is either. The rows come first.
  const other = chosen === 'people' ? 'companies' : 'people'
  const { data } = useQuery({ ...countQuery(filters[other]), enabled: total !== undefined })
  const counts =
    total === undefined || data === undefined ? undefined : countsOf(chosen, total, data)
  return (
    <Choice
      label={words.leads.kinds}
      chosen={chosen}
      options={(Object.keys(filters) as Tab[]).map((id) => {
        const label = (
          <>
            {words.leads.tabs[id]}
            {counts && <span>{formatNumber(counts[id])}</span>}
          </>
        )
        return [id, label, hrefTo(filters[id])]
      })}
    />
  )
}
