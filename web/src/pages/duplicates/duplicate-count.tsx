// How many groups of possible duplicates there are: next to the entry of the navigation.
import { useQuery } from '@tanstack/react-query'
import { duplicateCountsQuery } from '../../api/duplicates.ts'
import { formatNumber } from '../../ui/format.ts'

export function DuplicateCount() {
  const { data } = useQuery(duplicateCountsQuery)
  return data?.total ? formatNumber(data.total) : null
}
