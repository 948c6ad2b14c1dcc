import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useQuery } from '@tanstack/react-query'
import { countQuery } from '../../api/leads.ts'
import { words } from '../../words/index.ts'

/** How many leads match now, exactly. */
export function Matches({ filter }: { filter: LeadFilter }) {
  const { data, isFetching } = useQuery({ ...countQuery(filter), placeholderData: (old) => old })
  return (
    <span aria-live="polite">
      {data === undefined || isFetching ? '…' : words.filter.live(data)}
    </span>
  )
}
