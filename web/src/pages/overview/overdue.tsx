// Reminders whose time has passed.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'wouter'
import { remindersHref } from '../../addresses/reminders.ts'
import { call } from '../../api/call.ts'
import panelCss from '../../parts/charts/panel.module.css'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatExact, formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import css from './overview.module.css'

const most = 1000
const shown = 6

const overdueQuery = (list: string | undefined) =>
  queryOptions({
    queryKey: ['reminders', 'overdue', list],
    queryFn: async ({ signal }) => {
      const due_before = new Date().toISOString()
      const filter = { is_done: false, due_before, ...(list && { id_list: list }) }
      const body = { filter, pagination: { page_size: most } }
      return (await call('POST /reminders/list', { signal, body })).data
    },
  })

export function Overdue({ list }: { list: string | undefined }) {
  const { data, error, refetch } = useQuery(overdueQuery(list))
  const id = useId()
  // The number counts everyone's.
  const href = remindersHref({ who: 'all', list })
  const { overview } = words
  const count = data && formatNumber(data.length)
  return (
    <section className={panelCss.panel} aria-labelledby={id}>
      <header className={panelCss.header}>
        <h2 id={id}>{overview.overdue}</h2>
        <Link href={href} className={panelCss.link}>
          {overview.all}
        </Link>
      </header>
      {error && !data ? (
        <div className={panelCss.instead}>
          <p>{error.message}</p>
          <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
        </div>
      ) : (
        <>
          <Link href={href} className={css.count} data-due={data?.length ? '' : undefined}>
            {count === undefined ? '…' : data?.length === most ? overview.atLeast(count) : count}
          </Link>
          {data?.length === 0 && <p className={panelCss.instead}>{overview.noneOverdue}</p>}
          <ul className={css.reminders}>
            {data?.slice(0, shown).map(({ id, name, date, id_lead }) => (
              <li key={id}>
                <Link
                  href={id_lead ? `/lead/${id_lead}` : href}
                  className={css.reminder}
                  dir="auto"
                >
                  {name}
                </Link>
                <time dateTime={date} title={formatExact(date)}>
                  {overview.due(formatAgo(date))}
                </time>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
