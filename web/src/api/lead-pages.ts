// Reads pages of leads. Adjacent pages that are wanted at the same time are one request: to find
// a row far down costs the service more than to read some rows from there.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { type LeadPage, listLeads } from './lead.ts'

export interface Order {
  field: string
  type: 'asc' | 'desc'
}

export interface LeadsQuery {
  filter: LeadFilter
  order: Order[]
}

export const pageSize = 50

interface Wanted {
  page: number
  signal: AbortSignal
  resolve: (page: LeadPage) => void
  reject: (error: unknown) => void
}

/** What is wanted in this moment, by query. */
const waiting = new Map<string, Wanted[]>()

export function readPage(query: LeadsQuery, page: number, signal: AbortSignal): Promise<LeadPage> {
  return new Promise((resolve, reject) => {
    const key = JSON.stringify(query)
    const wanted = { page, signal, resolve, reject }
    const others = waiting.get(key)
    if (others) {
      others.push(wanted)
      return
    }
    waiting.set(key, [wanted])
    queueMicrotask(() => {
      const all = waiting.get(key) ?? []
      waiting.delete(key)
      for (const run of runsOf(all)) void readRun(query, run)
    })
  })
}

function runsOf(all: Wanted[]): Wanted[][] {
  const runs: Wanted[][] = []
  for (const wanted of all.toSorted((a, b) => a.page - b.page)) {
    const last = runs.at(-1)
    if (last && wanted.page - (last.at(-1)?.page ?? 0) <= 1) last.push(wanted)
    else runs.push([wanted])
  }
  return runs
}

async function readRun({ filter, order }: LeadsQuery, run: Wanted[]): Promise<void> {
  const [from, to] = [run[0]?.page ?? 0, run.at(-1)?.page ?? 0]
  const stop = new AbortController()
  // The request continues as long as one of its pages is wanted.
  const onAbort = () => {
    if (run.every(({ signal }) => signal.aborted)) stop.abort()
  }
  for (const { signal } of run) signal.addEventListener('abort', onAbort)
  try {
    const body = {
      filter,
      orderBy: order,
      cursor: from * pageSize,
      pagination: { page_size: (to - from + 1) * pageSize },
    }
    const { leads, total } = await listLeads(body, stop.signal)
    for (const { page, resolve } of run) {
      const start = (page - from) * pageSize
      resolve({ total, leads: leads.slice(start, start + pageSize) })
    }
  } catch (error) {
    for (const { reject } of run) reject(error)
  } finally {
    for (const { signal } of run) signal.removeEventListener('abort', onAbort)
  }
}
