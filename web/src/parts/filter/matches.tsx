import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { countQuery } from '../../api/leads.ts'
import { words } from '../../words/index.ts'

/** Makes the whole filter of the part that is edited: an alternative, or an exception. */
export const WholeFilter = createContext((part: LeadFilter) => part)

/** How many leads match now, exactly. */
export function Matches({ filter }: { filter: LeadFilter }) {
  const whole = useContext(WholeFilter)(filter)
  const { data, isFetching } = useQuery({ ...countQuery(whole), placeholderData: (old) => old })
  return (
    <span aria-live="polite">
      {data === undefined || isFetching ? '…' : words.filter.live(data)}
    </span>
  )
}
