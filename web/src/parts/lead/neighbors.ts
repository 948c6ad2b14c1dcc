// The next and the previous lead of the view, for a lead that is open as a page. They are found among the
// pages of the grid that are still in the cache.
import { client } from '../../api/client.ts'
import type { LeadPage } from '../../api/lead.ts'
import { pageSize } from '../../api/lead-pages.ts'

export function useNeighbors(id: string): {
  next: string | undefined
  previous: string | undefined
} {
  const pages = client.getQueriesData<LeadPage>({ queryKey: ['leads', 'page'] })
  for (const [key, page] of pages) {
    const at = page?.leads.findIndex((lead) => lead.id === id) ?? -1
    if (!page || at === -1) continue
    const number = key[4] as number
    const idAt = (row: number) => {
      const wanted = [...key.slice(0, 4), Math.floor(row / pageSize)]
      return client.getQueryData<LeadPage>(wanted)?.leads[row % pageSize]?.id
    }
    const row = number * pageSize + at
    return { next: idAt(row + 1), previous: row > 0 ? idAt(row - 1) : undefined }
  }
  return { next: undefined, previous: undefined }
}
