// The parts of the inbox and what they ask for. Days are those of the browser's time zone.
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Body, call } from '../../api/call.ts'
import { listLeads } from '../../api/lead.ts'
import type { ReminderPage } from '../../api/reminders.ts'
import { startOfDay } from './due-count.tsx'

export type Filter = NonNullable<Body<'POST /reminders/list'>['filter']>
export type SectionName = 'overdue' | 'today' | 'week' | 'later' | 'done'

/** Whose reminders, and of which list. */
export type Scope = Pick<Filter, 'users' | 'id_list'>

export interface Section {
  name: SectionName
  filter: Filter
}

const pageSize = 50

/** Where one part ends, the next begins. */
function openSections(now: Date) {
  const tomorrow = startOfDay(1, now)
  const monday = startOfDay(8 - (now.getDay() || 7), now)
  const times = { now, tomorrow, monday }
  const at = (name: keyof typeof times) => times[name].toISOString()
  const of = (name: SectionName, due: Filter) => ({ name, filter: { ...due, is_done: false } })
  return {
    overdue: of('overdue', { due_before: at('now') }),
    today: of('today', { due_after: at('now'), due_before: at('tomorrow') }),
    week: of('week', { due_after: at('tomorrow'), due_before: at('monday') }),
    later: of('later', { due_after: at('monday') }),
  }
}

const doneSection: Section = { name: 'done', filter: { is_done: true } }

const sectionQuery = ({ name, filter }: Section, scope: Scope) =>
  infiniteQueryOptions({
    queryKey: ['reminders', 'list', name, { ...filter, ...scope }],
    queryFn: async ({ signal, pageParam }): Promise<ReminderPage> => {
      const body = {
        filter: { ...filter, ...scope },
        // What was done last is looked for first.
        orderBy: { field: 'date', type: name === 'done' ? 'desc' : 'asc' } as const,
        cursor: pageParam,
        pagination: { page_size: pageSize },
      }
      const { data } = await call('POST /reminders/list', { signal, body })
      return { reminders: data, hasMore: data.length === pageSize }
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.hasMore ? pages.reduce((sum, { reminders }) => sum + reminders.length, 0) : undefined,
    placeholderData: keepPreviousData,
  })

export const countQuery = ({ filter }: Section, scope: Scope) =>
  queryOptions({
    queryKey: ['reminders', 'count', { ...filter, ...scope }],
    queryFn: async ({ signal }) =>
      (await call('POST /reminders/count', { signal, body: { filter: { ...filter, ...scope } } }))
        .count,
    placeholderData: keepPreviousData,
  })

/** The parts that the page shows, each with its pages. */
export function useParts(scope: Scope, isDone: boolean) {
  const [now, setNow] = useState(() => new Date())
  const { overdue, today, week, later } = openSections(now)
  const open = [
    usePart(overdue, scope, !isDone),
    usePart(today, scope, !isDone),
    usePart(week, scope, !isDone),
    usePart(later, scope, !isDone),
  ]
  const done = usePart(doneSection, scope, isDone)
  useNextMoment(open[1], now, setNow)
  return isDone ? [done] : open
}

function usePart(section: Section, scope: Scope, enabled: boolean) {
  return { section, ...useInfiniteQuery({ ...sectionQuery(section, scope), enabled }) }
}

const longestTimer = 2 ** 31 - 1

/** When the next reminder of today becomes overdue, and at midnight, the parts begin elsewhere. */
function useNextMoment(
  today: ReturnType<typeof usePart> | undefined,
  now: Date,
  onMoment: (now: Date) => void,
): void {
  const first = today?.isPlaceholderData ? undefined : today?.data?.pages[0]?.reminders[0]?.date
  useEffect(() => {
    const midnight = startOfDay(1, now).getTime()
    const next = first ? Math.min(Date.parse(first) + 1, midnight) : midnight
    const wait = Math.min(Math.max(next - Date.now(), 0), longestTimer)
    const timer = setTimeout(() => onMoment(new Date()), wait)
    return () => clearTimeout(timer)
  }, [first, now, onMoment])
}

/** The leads of a page of reminders, in one request. */
export const leadsQuery = (ids: string[]) =>
  queryOptions({
    queryKey: ['leads', 'of reminders', ids],
    queryFn: async ({ signal }) =>
      (await listLeads({ filter: { leads: ids }, pagination: { page_size: pageSize } }, signal))
        .leads,
    enabled: ids.length > 0,
  })
