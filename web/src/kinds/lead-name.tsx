// The name of another lead, known by its id only.
import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../api/lead.ts'
import { leadQuery } from '../api/leads.ts'
import { words } from '../words/index.ts'

export function LeadName({ id }: { id: string }) {
  const { data, isError } = useQuery(leadQuery(id))
  if (isError) return <>{words.filter.deleted}</>
  return <>{data ? nameOf(data) : '…'}</>
}
