// A column of the board in the cache: the leads of one status in the order of their places, page by page. A
// card is taken out and put in immediately; the pages after it move up or down by one.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { client } from '../../api/client.ts'
import type { Lead, LeadPage } from '../../api/lead.ts'
import type { LeadsQuery, Order } from '../../api/lead-pages.ts'
import { pageSize } from '../../api/lead-pages.ts'
import { pageQuery } from '../../api/leads.ts'

const byPlace: Order[] = [{ field: 'place', type: 'asc' }]
const byAge: Order[] = [{ field: 'created_at', type: 'desc' }]

export const columnQuery = (filter: LeadFilter, status: string): LeadsQuery => ({
  filter: { ...filter, status: [status] },
  order: byPlace,
})

/** The leads without a status have no places. */
export const noStageQuery = (filter: LeadFilter): LeadsQuery => ({ filter, order: byAge })

export const columnKey = ({ filter, order }: LeadsQuery) => ['leads', 'page', filter, order]

type Pages = Map<number, LeadPage>

function pagesOf(query: LeadsQuery): Pages {
  const cached = client.getQueriesData<LeadPage>({ queryKey: columnKey(query) })
  return new Map(cached.flatMap(([key, page]) => (page ? [[key[4] as number, page]] : [])))
}

const rowOf = (pages: Pages, id: string) => {
  for (const [page, { leads }] of pages) {
    const at = leads.findIndex((lead) => lead.id === id)
    if (at >= 0) return page * pageSize + at
  }
  return undefined
}

/** Where the card is among the cached pages. */
export const rowIn = (query: LeadsQuery, id: string) => rowOf(pagesOf(query), id)

/** The lead at a row, from the cache or from the service. */
export async function leadAtRow(query: LeadsQuery, row: number): Promise<Lead | undefined> {
  const { leads } = await client.ensureQueryData(pageQuery(query, Math.floor(row / pageSize)))
  return leads[row % pageSize]
}

/** Takes the card out, wherever it is among the cached pages. */
export function takeOut(query: LeadsQuery, id: string): void {
  const pages = pagesOf(query)
  const row = rowOf(pages, id)
  if (row !== undefined) rewrite(query, pages, row, (leads, at) => leads.toSpliced(at, 1), -1)
}

/** Puts the card in front of another one, or at the end. */
export function putIn(query: LeadsQuery, lead: Lead, before: string | null): void {
  const pages = pagesOf(query)
  const total = pages.values().next().value?.total
  if (total === undefined) return
  const row = before === null ? total : rowOf(pages, before)
  if (row !== undefined) rewrite(query, pages, row, (leads, at) => leads.toSpliced(at, 0, lead), 1)
}

/**
 * Changes the cached pages from this row on, as far as they follow each other without a gap. Pages behind a
 * gap are wrong by one card until they are read again, which happens after every move.
 */
function rewrite(
  query: LeadsQuery,
  pages: Pages,
  row: number,
  change: (leads: Lead[], at: number) => Lead[],
  by: 1 | -1,
): void {
  const start = Math.floor(row / pageSize)
  const run: Lead[] = []
  let end = start
  while (pages.has(end)) run.push(...(pages.get(end++)?.leads ?? []))
  const total = [...pages.values()][0]?.total ?? 0
  const isWhole = start * pageSize + run.length >= total
  const changed = change(run, row - start * pageSize)
  const set = (page: number, leads: Lead[]) =>
    client.setQueryData<LeadPage>([...columnKey(query), page], (old) => ({
      ...old,
      leads,
      total: total + by,
    }))
  for (const [page, { leads }] of pages) if (page < start || page >= end) set(page, leads)
  // A page behind the run is made only when everything that belongs into it is known.
  const last = isWhole
    ? Math.max(end - 1, Math.floor((changed.length - 1) / pageSize) + start)
    : end - 1
  for (let page = start; page <= last; page++) {
    const from = (page - start) * pageSize
    set(page, changed.slice(from, from + pageSize))
  }
}
