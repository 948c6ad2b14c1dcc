// Campaigns, and what the pages about them say in words.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type Reply } from '../../api/call.ts'
import { longDay, shortDay } from '../../parts/reminder/recurrence.ts'
import { formatTimeOfDay } from '../../ui/format.ts'
import { words } from '../../words/index.ts'

export type Campaign = Reply<'GET /campaigns'>['data'][number]
export type CampaignWithSteps = Reply<'GET /campaigns/{id}'>
export type Step = CampaignWithSteps['steps'][number]

/** The states that matter most. The page of a campaign has all of them. */
export const mainStates = ['is_sent', 'is_opened', 'is_replied'] as const

const pageSize = 50

export const campaignsQuery = infiniteQueryOptions({
  queryKey: ['campaigns', 'list'],
  queryFn: ({ signal, pageParam }) =>
    call('GET /campaigns', { signal, query: { page: String(pageParam), results: 'true' } }),
  initialPageParam: 1,
  getNextPageParam: ({ pagination: { count, page } }) =>
    page * pageSize < count ? page + 1 : undefined,
})

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'one', id],
    queryFn: ({ signal }) => call('GET /campaigns/{id}', { id, signal }),
  })

/** "Mon–Fri, 9:00 AM to 5:30 PM" */
export function windowOf(campaign: Campaign): string {
  const { start_hour, start_min, end_hour, end_min } = campaign
  return words.campaigns.between(
    daysOf(campaign.days),
    formatTimeOfDay(start_hour, start_min),
    formatTimeOfDay(end_hour, end_min),
  )
}

function daysOf(text: string): string {
  const days = [...new Set(text.split(',').map(Number))]
    .filter((day) => day >= 1 && day <= 7)
    .sort()
  const [first = 1] = days
  const last = days.at(-1) ?? 7
  if (days.length === 0 || days.length === 7) return words.campaigns.everyDay
  if (days.length === 1) return longDay(first % 7)
  const isRange = last - first === days.length - 1 && days.length > 2
  if (isRange) return `${shortDay(first % 7)}–${shortDay(last % 7)}`
  return days.map((day) => shortDay(day % 7)).join(', ')
}

export const stateWord = (status: string) => words.campaigns.statuses[status] ?? status
