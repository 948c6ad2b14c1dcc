// The rows of each chart of the reports.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { noteKinds } from '@rapport/contract/notes.values'
import { leadsHref } from '../../addresses/leads.ts'
import type { MemberRecord, Records, StatusRecord } from '../../api/records.ts'
import { type Counted, moneyTexts, type Row } from '../../parts/charts/rows.ts'
import { groupOf, inSum, type Stats } from '../../pipeline/stats.ts'
import { formatNumber, formatPercent } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import type { NoteCounts, StageTimes } from './queries.ts'

const { reports } = words

interface Days {
  after: string
  before: string
}

/** Without anything won or lost there is none. */
export const winRate = (won: number, lost: number) =>
  won + lost > 0 ? formatPercent(won / (won + lost)) : '–'

/** Leads that are in one of these stages since the period. */
export const endedIn = (base: LeadFilter, status: string[], days: Days): LeadFilter => ({
  ...base,
  entered: { status, ...days },
})

/** What was won and lost, and with which filters. */
export interface Ends {
  won: Stats
  lost: Stats
  of: (which: 'won' | 'lost' | 'both') => LeadFilter
}

const owned = (filter: LeadFilter, owner: string | null): LeadFilter =>
  owner === null ? { ...filter, has_no_owner: true } : { ...filter, owners: [owner] }

/** `person`: only this owner. A lead may have others too. */
export function peopleRows(
  { won, lost, of }: Ends,
  members: readonly MemberRecord[],
  person: string | undefined,
): Row[] {
  const none: Counted = { count: 0, values: [], sum: { ...won.total.sum, value: 0, left_out: [] } }
  const keys = [...new Set([...won.groups, ...lost.groups].map(({ key }) => key))]
  return keys
    .filter((key) => person === undefined || key === person)
    .map((key): Row => {
      const worth = groupOf(won, key) ?? none
      const { count, sum } = worth
      const lostCount = groupOf(lost, key)?.count ?? 0
      const link = (number: number, which: 'won' | 'lost') => ({
        ...{ text: formatNumber(number), href: leadsHref(owned(of(which), key)) },
      })
      return {
        id: key ?? 'none',
        label: key === null ? reports.nobody : nameOf(key, members),
        ...moneyTexts(worth),
        href: leadsHref(inSum(owned(of('won'), key), sum)),
        more: [
          link(count, 'won'),
          link(lostCount, 'lost'),
          { text: winRate(count, lostCount), href: leadsHref(owned(of('both'), key)) },
        ],
      }
    })
    .toSorted((a, b) => b.value - a.value)
}

const nameOf = (id: string, members: readonly MemberRecord[]) =>
  members.find((member) => member.id === id)?.name ?? words.overview.former

export function reasonRows(lost: Stats, filter: LeadFilter): Row[] {
  return lost.groups
    .map((group): Row => {
      const { key, count, sum } = group
      const fields: NonNullable<LeadFilter['fields']> = [
        key === null
          ? { field: 'lost_reason', operator: 'is_empty' }
          : { field: 'lost_reason', operator: 'is', value: key },
      ]
      const chosen = { ...filter, fields }
      return {
        id: key ?? '',
        label: key ?? reports.noReason,
        value: count,
        text: formatNumber(count),
        href: leadsHref(chosen),
        more: [{ text: moneyTexts(group).text, href: leadsHref(inSum(chosen, sum)) }],
      }
    })
    .toSorted((a, b) => b.value - a.value)
}

/** Days; of less than two, the hours. */
export function formatLength(days: number | null): string {
  if (days === null) return '–'
  const rounded = (number: number) => Math.round(number * 10) / 10
  return days < 2 ? reports.hours(rounded(days * 24)) : reports.days(rounded(days))
}

export function timeRows(
  times: StageTimes,
  statuses: readonly StatusRecord[],
  { lists }: Records,
  base: LeadFilter,
  days: Days,
): Row[] {
  const isOfOne = new Set(statuses.map(({ id_list }) => id_list)).size === 1
  return statuses.flatMap(({ id, name, id_list }): Row[] => {
    const time = times.find(({ id_status }) => id_status === id)
    // Of all lists there are many.
    if (!time || (!isOfOne && time.left === 0)) return []
    const list = lists.find((one) => one.id === id_list)
    const { left, median, average, now, median_now } = time
    return [
      {
        id,
        label: isOfOne || !list ? name : `${name} · ${list.name}`,
        value: median ?? 0,
        text: formatLength(median),
        href: leadsHref({ ...base, left: { status: [id], ...days } }),
        more: [
          { text: formatLength(average) },
          {
            text: formatNumber(left),
            href: leadsHref({ ...base, left: { status: [id], ...days } }),
          },
          { text: formatNumber(now), href: leadsHref({ ...base, status: [id] }) },
          { text: formatLength(median_now) },
        ],
      },
    ]
  })
}

export function activityRows(
  counts: NoteCounts,
  members: readonly MemberRecord[],
  base: LeadFilter,
  days: Days,
): Row[] {
  const authors = counts.flatMap(({ id_member, kind }) =>
    kind === null && id_member !== null ? [id_member] : [],
  )
  const countOf = (by: string, kind: string | null) =>
    counts.find((one) => one.id_member === by && one.kind === kind) ?? { count: 0, leads: 0 }
  return authors
    .map((by): Row => {
      const cell = (kind: (typeof noteKinds)[number] | null) => {
        const { count, leads } = countOf(by, kind)
        const noted = { ...(kind && { kind: [kind] }), by: [by], ...days }
        return {
          text: count === 0 ? '0' : reports.written(formatNumber(count), leads),
          href: leadsHref({ ...base, noted }),
        }
      }
      const value = countOf(by, null).count
      return {
        id: by,
        label: nameOf(by, members),
        value,
        shortText: formatNumber(value),
        ...cell(null),
        more: noteKinds.map(cell),
      }
    })
    .toSorted((a, b) => b.value - a.value)
}
