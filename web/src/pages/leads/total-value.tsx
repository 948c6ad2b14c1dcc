// What the leads of the page are worth together. It is counted only when someone asks for it.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sumText, withStar } from '../../parts/money/sum-text.ts'
import { Sums } from '../../parts/money/sums.tsx'
import { statsQuery } from '../../pipeline/stats.ts'
import { Button } from '../../ui/button.tsx'
import { words } from '../../words/index.ts'
import css from './leads.module.css'

export default function TotalValue(props: { filter: LeadFilter }) {
  return (
    <span className={css.value}>
      <Value {...props} />
    </span>
  )
}

function Value({ filter }: { filter: LeadFilter }) {
  const [isWanted, setWanted] = useState(false)
  const { data } = useQuery({
    ...statsQuery({ filter, group_by: 'month' }),
    enabled: isWanted,
    placeholderData: (before) => before,
  })
  const { total } = words.money
  if (!isWanted || !data) {
    return (
      <Button look="quiet" onClick={() => setWanted(true)} disabled={isWanted}>
        {total}
      </Button>
    )
  }
  const text = withStar(sumText(data.total), data.total.sum)
  return (
    <Sums
      total={data.total}
      filter={filter}
      label={total}
      hasChance
      align="start"
      trigger={
        <Button look="quiet" aria-label={words.money.totalIs(text)}>
          {text}
        </Button>
      }
    />
  )
}
