// Which list a page shows, and where a list is shown: on the same kind of page.
import { useLocation, useSearch } from 'wouter'
import { leadsHref, readFilter } from '../addresses/leads.ts'

export function useListInAddress(): { list: string | undefined; hrefOf: (list: string) => string } {
  const [path] = useLocation()
  const query = new URLSearchParams(useSearch())
  const isPipeline = path === '/board' || path === '/overview'
  const hrefOf = (list: string) =>
    isPipeline ? `${path}?list=${list}` : leadsHref({ lists: [list] })
  if (query.has('view')) return { list: undefined, hrefOf }
  if (isPipeline) return { list: query.get('list') || undefined, hrefOf }
  const text = path === '/leads' ? query.get('filter') : null
  const filter = text === null ? {} : readFilter(text)
  const { lists = [] } = filter
  const isOnly = lists.length === 1 && Object.keys(filter).length === 1
  return { list: isOnly ? lists[0] : undefined, hrefOf }
}
