// How many notifications the person has not read yet: next to the entry of the navigation.
import { useQuery } from '@tanstack/react-query'
import { unreadQuery } from '../../api/notifications.ts'
import { formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'

export function UnreadCount() {
  const { data } = useQuery(unreadQuery)
  if (!data?.unread) return null
  return (
    <span data-news="">
      {formatNumber(data.unread)}
      <span className="hidden"> {words.nav.unread}</span>
    </span>
  )
}
