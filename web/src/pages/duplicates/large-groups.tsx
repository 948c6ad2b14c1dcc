// What many leads have in common: a shared mailbox, a switchboard. They are hardly the same, so they are only listed.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { largeGroupsQuery } from '../../api/duplicates.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatNumber } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { ShowMore } from '../../ui/table.tsx'
import { duplicates as said } from '../../words/duplicates.ts'
import { words } from '../../words/index.ts'
import css from './large-groups.module.css'

export function LargeGroups() {
  const list = useInfiniteQuery(largeGroupsQuery)
  const { data, error, hasNextPage, refetch } = list
  if (error && !data) {
    return (
      <Empty title={said.failed} text={reasonOf(error)}>
        <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
      </Empty>
    )
  }
  if (!data) return null
  const groups = data.pages.flatMap((page) => page.groups)
  if (groups.length === 0 && !hasNextPage) {
    return <Empty icon={<Copy />} title={said.noLarge} text={said.noLargeText} />
  }
  return (
    <div className={css.large}>
      <p>{said.largeText}</p>
      <ul aria-label={said.large}>
        {groups.map(({ kind, key, size }) => (
          <li key={`${kind}:${key}`}>
            <span className={css.key} dir="auto" title={key}>
              {key}
            </span>
            <span className={css.kind}>{said.kind[kind]}</span>
            <Link href={leadsHref({ duplicate_key: `${kind}:${key}` })}>
              {said.showLeads(formatNumber(size))}
            </Link>
          </li>
        ))}
      </ul>
      <ShowMore list={list} label={said.more} />
    </div>
  )
}
