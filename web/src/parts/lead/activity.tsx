// What happened and what is left to do: timeline, notes, reminders, people of the company.
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef } from 'react'
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import { useCommands } from '../../frame/commands.ts'
import { formatNumber } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import css from './activity.module.css'
import { NewNote, Notes } from './notes.tsx'
import { People } from './people.tsx'
import { notesQuery, openReminders, peopleQuery, remindersQuery } from './queries.ts'
import { Reminders } from './reminders.tsx'
import { Timeline } from './timeline.tsx'

const tabs = ['timeline', 'notes', 'reminders', 'people'] as const
type Tab = (typeof tabs)[number]
export interface Place {
  tab: Tab
  /** The reminder that is edited: its id, or 'new'. */
  edited?: string | undefined
}

interface Props {
  lead: Lead
  records: Records
  mayWrite: boolean
  /** Undefined: where there is something to see. */
  place: Place | undefined
  isPage: boolean
  onPlace: (place: Place) => void
}

/** Without the lead itself, which is not among them if it is a company or deleted. */
const countOthers = ({ total }: { total: number }, { is_company, is_deleted }: Lead) =>
  total - (is_company || is_deleted ? 0 : 1)

export function Activity({ place, isPage, onPlace, ...props }: Props) {
  const { lead, mayWrite } = props
  const list = useRef<HTMLDivElement>(null)
  const { data: notes } = useQuery(notesQuery(lead.id))
  const { data: reminders } = useQuery(remindersQuery(lead.id))
  const { data: people } = useQuery({
    ...peopleQuery(lead.company ?? ''),
    enabled: Boolean(lead.company),
  })
  const counts: Partial<Record<Tab, number | undefined>> = {
    notes: notes?.length,
    reminders: reminders && openReminders(reminders).length,
    people: people && countOthers(people, lead),
  }
  const hasPeople = isPage && lead.is_company && people?.total !== 0
  const tab = place?.tab ?? (hasPeople ? 'people' : 'timeline')
  const { commands: c } = words
  const show = (next: Tab) => () => {
    onPlace({ tab: next, ...(next === 'reminders' && { edited: 'new' }) })
    // The panel is there after this render.
    requestAnimationFrame(() =>
      document
        .getElementById(`panel-${next}`)
        ?.querySelector<HTMLElement>('textarea, input')
        ?.focus(),
    )
  }
  useCommands(
    mayWrite
      ? [
          {
            id: 'write-note',
            title: words.notes.write.note,
            group: c.groups.lead,
            keys: 'N',
            run: show(tab === 'notes' ? 'notes' : 'timeline'),
          },
          {
            id: 'add-reminder',
            title: words.reminders.add,
            group: c.groups.lead,
            keys: 'R',
            run: show('reminders'),
          },
        ]
      : [],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] as Tab
    onPlace({ tab: next })
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }
  return (
    <section className={css.activity}>
      <div className={css.tabs} role="tablist" ref={list} onKeyDown={onKeyDown}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab === name}
            aria-controls={`panel-${name}`}
            tabIndex={tab === name ? 0 : -1}
            onClick={() => onPlace({ tab: name })}
          >
            {words.lead.tabs[name]}
            {counts[name] ? <span className={css.count}>{formatNumber(counts[name])}</span> : null}
          </button>
        ))}
      </div>
      <div className={css.panel} role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`}>
        {mayWrite && (tab === 'timeline' || tab === 'notes') && <NewNote {...props} />}
        {tab === 'timeline' && <Timeline {...props} />}
        {tab === 'notes' && <Notes {...props} />}
        {tab === 'reminders' && (
          <Reminders
            {...props}
            edited={place?.edited}
            onEdit={(edited) => onPlace({ tab, edited })}
          />
        )}
        {tab === 'people' && <People lead={lead} />}
      </div>
    </section>
  )
}
