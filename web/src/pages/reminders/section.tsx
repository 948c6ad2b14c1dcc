// A part of the inbox: its heading with the exact number, its reminders, and a button for more of them.
import { type InfiniteData, useQueries, useQuery } from '@tanstack/react-query'
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Reminder, ReminderPage } from '../../api/reminders.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import { countQuery, leadsQuery, type Scope, type Section } from './queries.ts'
import css from './reminders.module.css'
import { Row } from './row.tsx'

interface Props {
  section: Section
  scope: Scope
  data: InfiniteData<ReminderPage>
  records: Records
  mayWrite: boolean
  current: string | undefined
  onMore: () => void
  isLoadingMore: boolean
  onCurrent: (id: string) => void
  onLeave: (reminder: Reminder) => void
  onEdit: (reminder: Reminder) => void
}

export function SectionPart({ section, scope, data, ...rest }: Props) {
  const { records, mayWrite, current, onMore, isLoadingMore, onCurrent, onLeave, onEdit } = rest
  const reminders = data.pages.flatMap((page) => page.reminders)
  const hasMore = data.pages.at(-1)?.hasMore ?? false
  const { data: counted } = useQuery({ ...countQuery(section, scope), enabled: hasMore })
  const leads = useLeads(data.pages)
  const total = hasMore ? (counted ?? reminders.length) : reminders.length
  const { name } = section
  return (
    <section aria-labelledby={`section-${name}`} className={css.section}>
      <h2 id={`section-${name}`} data-late={name === 'overdue' || undefined}>
        {words.inbox.sections[name]} <span className={css.total}>{formatNumber(total)}</span>
      </h2>
      <ul>
        {reminders.map((reminder) => (
          <Row
            key={reminder.id}
            reminder={reminder}
            lead={leads.get(reminder.id_lead)}
            section={name}
            records={records}
            isCurrent={reminder.id === current}
            mayWrite={mayWrite}
            onFocus={() => onCurrent(reminder.id)}
            onLeave={() => onLeave(reminder)}
            onEdit={() => onEdit(reminder)}
          />
        ))}
      </ul>
      {hasMore && (
        <Button look="quiet" className={css.more ?? ''} disabled={isLoadingMore} onClick={onMore}>
          {words.inbox.more(Math.max(1, total - reminders.length))}
        </Button>
      )}
    </section>
  )
}

/** The leads of all pages, by their ids. */
function useLeads(pages: ReminderPage[]): Map<string, Lead> {
  return useQueries({
    queries: pages.map(({ reminders }) =>
      leadsQuery([...new Set(reminders.map(({ id_lead }) => id_lead).filter(Boolean))].sort()),
    ),
    combine: (answers) =>
      new Map(answers.flatMap(({ data = [] }) => data.map((lead) => [lead.id, lead]))),
  })
}
