// What a company is about: its people, the value that is open with them, and when somebody was last in touch.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import type { Records } from '../../api/records.ts'
import { inSum, statsQuery } from '../../pipeline/stats.ts'
import { formatAgo, formatExact, formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import { hasNote, SumNote } from '../money/sum-note.tsx'
import { sumText } from '../money/sum-text.ts'
import css from './lead.module.css'
import { openPeopleOf, peopleOf, peopleQuery } from './queries.ts'

export function CompanyFacts({ company, records }: { company: string; records: Records }) {
  const { data: people } = useQuery(peopleQuery(company))
  const open = openPeopleOf(company, records)
  const { data: stats } = useQuery({
    ...statsQuery({ filter: open, group_by: 'status' }),
    enabled: records.isReady && Boolean(open.status?.length),
  })
  const total = stats?.total
  const last = people?.leads[0]?.last_interaction_at
  return (
    <>
      <Row label={words.lead.tabs.people}>
        <Link className="link" href={leadsHref(peopleOf(company))}>
          {people ? formatNumber(people.total) : '…'}
        </Link>
      </Row>
      <Row label={words.lead.openValue}>
        {total && total.values.length > 0 ? (
          <>
            <Link className="link" href={leadsHref(inSum(open, total.sum))}>
              {sumText(total)}
            </Link>
            {hasNote(total.sum) && <SumNote sum={total.sum} filter={open} />}
          </>
        ) : (
          '–'
        )}
      </Row>
      <Row label={words.lead.lastActivity}>
        {last ? (
          <time dateTime={last} title={formatExact(last)}>
            {formatAgo(last)}
          </time>
        ) : (
          '–'
        )}
      </Row>
    </>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={css.fact}>
      <dt>{label}</dt>
      <dd className={css.plainValue}>{children}</dd>
    </div>
  )
}
