// Numbers and sums of leads by group, as the service counts them.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { queryOptions } from '@tanstack/react-query'
import { type Body, call, type Reply } from '../api/call.ts'

export type Stats = Reply<'POST /leads/stats'>
export type StatsGroup = Stats['groups'][number]
export type Total = Stats['total']
/** One number in the currency of the workspace, and what it contains. */
export type Sum = Total['sum']
/** What leads are worth: in each currency, and as one number. */
export type Worth = Pick<Total, 'values' | 'sum'>

export function statsQuery(body: Body<'POST /leads/stats'>) {
  return queryOptions({
    queryKey: ['leads', 'stats', body],
    queryFn: ({ signal }) => call('POST /leads/stats', { signal, body }),
  })
}

export const groupOf = (stats: Stats | undefined, key: string | null) =>
  stats?.groups.find((group) => group.key === key)

const nothing: Sum = {
  ...{ currency: null, value: 0, weighted: 0, count: 0, converted: 0, left_out: [] },
}

/** What several groups have together, if no lead is in two of them. */
export function addSums(sums: readonly Sum[]): Sum {
  return sums.reduce(
    (all, one) => ({
      currency: one.currency ?? all.currency,
      value: all.value + one.value,
      weighted: all.weighted + one.weighted,
      count: all.count + one.count,
      converted: all.converted + one.converted,
      left_out: addCounts(all.left_out, one.left_out),
    }),
    nothing,
  )
}

/** The same of the values in each currency. */
export function addValues(all: readonly Total['values'][]): Total['values'] {
  const sums = new Map<string | null, Total['values'][number]>()
  for (const { currency, value, weighted, count } of all.flat()) {
    const before = sums.get(currency) ?? { currency, value: 0, weighted: 0, count: 0 }
    sums.set(currency, {
      currency,
      value: before.value + value,
      weighted: before.weighted + weighted,
      count: before.count + count,
    })
  }
  return [...sums.values()]
}

function addCounts(some: Sum['left_out'], others: Sum['left_out']): Sum['left_out'] {
  const counts = new Map(some.map(({ currency, count }) => [currency, count]))
  for (const { currency, count } of others) {
    counts.set(currency, (counts.get(currency) ?? 0) + count)
  }
  return Array.from(counts, ([currency, count]) => ({ currency, count }))
}

type Conditions = NonNullable<LeadFilter['fields']>

const isThere: Conditions = [{ field: 'contract_value', operator: 'is_not_empty' }]

const hasRate = ({ left_out }: Pick<Sum, 'left_out'>): Conditions =>
  left_out.map(({ currency }) => ({
    ...{ field: 'contract_currency', operator: 'is_not', value: currency },
  }))

/** The leads whose values are in the sum. If no value has a rate, each currency is shown separately, and all leads count. */
export const inSum = (
  filter: LeadFilter,
  sum: Pick<Sum, 'left_out' | 'count'> | undefined,
): LeadFilter => ({
  ...filter,
  fields: [...(filter.fields ?? []), ...isThere, ...(sum && sum.count > 0 ? hasRate(sum) : [])],
})

/** The leads whose values are not in the sum, because their currencies have no rate. */
export const leftOut = (filter: LeadFilter, sum: Sum): LeadFilter => ({
  ...filter,
  fields: [...(filter.fields ?? []), ...isThere],
  none: [...(filter.none ?? []), { fields: hasRate(sum) }],
})
