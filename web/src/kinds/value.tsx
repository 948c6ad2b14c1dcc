// A value of a lead, shown.
import { Check } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { type Lead, nameOf } from '../api/lead.ts'
import type { Records } from '../api/records.ts'
import { Avatar } from '../ui/avatar.tsx'
import { formatAgo, formatExact, safeAddress } from '../ui/format.ts'
import { Stage, TagSign } from '../ui/small.tsx'
import { words } from '../words/index.ts'
import type { Field } from './fields.ts'
import { LeadName } from './lead-name.tsx'
import { optionsOf, textOf } from './text.ts'
import css from './value.module.css'

interface Props {
  field: Field
  lead: Lead
  records: Records
  /** Links can be followed. In the grid a click marks the cell instead. */
  withLinks?: boolean
  /** The width of a cell. Without it there is room for everything. */
  room?: number
}

export const Value = memo(function Value({ field, lead, records, withLinks = false, room }: Props) {
  const value = field.read(lead)
  if (field.kind === 'name') return <Who lead={lead} />
  if (value === null || value === undefined || value === '') return null
  switch (field.kind) {
    case 'status':
      return (
        <Several
          items={value as Lead['status']}
          room={room}
          show={({ id, name, color }) => <Stage key={id} name={name} colour={color} />}
        />
      )
    case 'tags':
      return (
        <Several
          items={value as Lead['tags']}
          room={room}
          show={({ id, name }) => <TagSign key={id}>{name}</TagSign>}
        />
      )
    case 'lists':
      return (
        <>
          {(value as Lead['lists']).map(({ name, emoji }) => `${emoji} ${name}`.trim()).join(', ')}
        </>
      )
    case 'owners':
      return <>{(value as Lead['owners']).map(({ name }) => name).join(', ')}</>
    case 'option':
    case 'options':
      return (
        <Several
          items={optionsOf(field, value)}
          room={room}
          show={({ id, name, color }) => (
            <TagSign key={id} colour={color}>
              {name}
            </TagSign>
          )}
        />
      )
    case 'flag':
      return value ? <Check size={15} aria-label={words.fields.yes} className={css.flag} /> : null
    case 'time':
      return (
        <time dateTime={value as string} title={formatExact(value as string)} className={css.soft}>
          {formatAgo(value as string)}
        </time>
      )
    case 'lead':
      return <LeadName id={value as string} />
    case 'email':
    case 'phone':
    case 'link': {
      const text = String(value)
      const address = withLinks ? linkOf(field.kind, text) : undefined
      if (!address) return <>{field.kind === 'link' ? shortAddress(text) : text}</>
      return (
        <a
          className={css.link}
          href={address}
          target={field.kind === 'link' ? '_blank' : undefined}
          rel="noreferrer noopener"
        >
          {field.kind === 'link' ? shortAddress(text) : text}
        </a>
      )
    }
    default:
      return <>{textOf(field, lead, records)}</>
  }
})

export function Who({ lead }: { lead: Lead }) {
  const name = nameOf(lead)
  return (
    <span className={css.who}>
      <Avatar name={name || '?'} isCompany={lead.is_company} />
      <span className={css.cut}>{name || words.leads.unnamed}</span>
    </span>
  )
}

interface SeveralProps<T> {
  items: readonly T[]
  room: number | undefined
  show: (item: T) => ReactNode
}

/** As many as fit, and how many more there are. Widths are estimated: measuring would slow scrolling down. */
function Several<T extends { name: string }>({ items, room, show }: SeveralProps<T>) {
  const widths = items.map(({ name }) => name.length * 6.6 + 22)
  let used = 0
  const fitting = widths.filter((width, at) => {
    used += width
    return room === undefined || at === 0 || used + (at < items.length - 1 ? 24 : 0) <= room
  }).length
  const rest = items.slice(fitting)
  return (
    <span className={css.several}>
      {items.slice(0, fitting).map(show)}
      {rest.length > 0 && (
        <span className={css.more} title={rest.map(({ name }) => name).join(', ')}>
          {words.filter.more(rest.length)}
        </span>
      )}
    </span>
  )
}

function linkOf(kind: Field['kind'], text: string): string | undefined {
  if (kind === 'email') return safeAddress(`mailto:${text}`)
  if (kind === 'phone') return safeAddress(`tel:${text.replaceAll(/[^+\d]/g, '')}`)
  return safeAddress(text)
}

const shortAddress = (text: string) => text.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
