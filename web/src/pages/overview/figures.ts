// The rows of each chart of the overview.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { leadsHref } from '../../addresses/leads.ts'
import type { Records, StatusRecord } from '../../api/records.ts'
import { moneyRow, type Row, sumOf, together } from '../../parts/charts/rows.ts'
import { noList, titleOf } from '../../pipeline/lists.ts'
import { groupOf, type Stats } from '../../pipeline/stats.ts'
import { isOpen, statusesOf } from '../../pipeline/statuses.ts'
import { formatNumber, formatPercent, formatPlainDay } from '../../ui/format.ts'
import { addDays, formatShortDay } from '../../ui/periods.ts'
import { words } from '../../words/index.ts'

export const valueRows = (stats: Stats, statuses: readonly StatusRecord[]): Row[] =>
  statuses
    .filter(isOpen)
    .map(({ id, name }) => moneyRow({ id, label: name }, together(stats, [id]), { status: [id] }))

/** The open value of each list that has open stages. */
export function listRows(stats: Stats, { lists, status }: Records): Row[] {
  const pipelines = [
    ...lists.map((list) => ({ id: list.id, label: titleOf(list) })),
    { id: noList, label: words.pipeline.none },
  ]
  return pipelines.flatMap(({ id, label }): Row[] => {
    const open = statusesOf(status, id).filter(isOpen)
    if (open.length === 0) return []
    const filter = { status: open.map((stage) => stage.id) }
    return [moneyRow({ id: id || 'none', label }, sumOf(stats, open), filter)]
  })
}

/** Each stage with all leads that reached it or went further. Lost leads are in none. */
export function funnelRows(stats: Stats, statuses: readonly StatusRecord[]): Row[] {
  const way = statuses.filter(({ type }) => type !== 'DEAL_LOST')
  const count = (stages: readonly StatusRecord[]) =>
    stages.reduce((sum, { id }) => sum + (groupOf(stats, id)?.count ?? 0), 0)
  const all = count(way)
  return way.map(({ id, name }, at) => {
    const reached = way.slice(at)
    const value = count(reached)
    const share = formatPercent(all === 0 ? 0 : value / all)
    return {
      id,
      label: name,
      value,
      text: formatNumber(value),
      shortText: `${formatNumber(value)} · ${share}`,
      more: [{ text: share }],
      href: leadsHref({ status: reached.map((status) => status.id) }),
    }
  })
}

export function addedRows(stats: Stats, base: LeadFilter, mondays: readonly string[]): Row[] {
  return mondays.map((monday) => {
    const value = groupOf(stats, monday)?.count ?? 0
    const filter = { ...base, created_after: monday, created_before: addDays(monday, 7) }
    return {
      id: monday,
      label: formatPlainDay(monday),
      short: formatShortDay(monday),
      value,
      text: formatNumber(value),
      shortText: value === 0 ? '' : formatNumber(value),
      href: leadsHref(filter),
    }
  })
}

export function activityRows(
  stats: Stats,
  base: LeadFilter,
  after: string,
  { members }: Records,
): Row[] {
  return stats.groups
    .filter(({ key }) => key !== null)
    .map(({ key, count }) => ({
      id: key ?? '',
      label: members.find(({ id }) => id === key)?.name ?? words.overview.former,
      value: count,
      text: formatNumber(count),
      href: leadsHref({ ...base, changed: { by: [key ?? ''], after } }),
    }))
    .toSorted((a, b) => b.value - a.value)
}
