// A value of a lead, shown.
import { Check } from 'lucide-react'
import { memo } from 'react'
import {
  type Lead,
  type ListOfLead,
  nameOf,
  type OwnerOfLead,
  type StatusOfLead,
  type TagOfLead,
} from '../api/lead.ts'
import type { Records } from '../api/records.ts'
import { Avatar } from '../ui/avatar.tsx'
import { classes } from '../ui/classes.ts'
import { formatAgo, formatExact, safeAddress } from '../ui/format.ts'
import { Stage, TagSign } from '../ui/small.tsx'
import { words } from '../words.ts'
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
}

export const Value = memo(function Value({ field, lead, records, withLinks = false }: Props) {
  const value = field.read(lead)
  if (field.kind === 'name') return <Who lead={lead} />
  if (value === null || value === undefined || value === '') return null
  switch (field.kind) {
    case 'status':
      return (
        <Several
          items={(value as StatusOfLead[]).map(({ id, name, color }) => (
            <Stage key={id} name={name} colour={color} />
          ))}
        />
      )
    case 'tags':
      return (
        <Several
          items={(value as TagOfLead[]).map(({ id, name }) => <TagSign key={id}>{name}</TagSign>)}
        />
      )
    case 'lists':
      return (
        <Several
          items={(value as ListOfLead[]).map(({ id, name, emoji }) => (
            <span key={id} className={css.plain}>
              {emoji} {name}
            </span>
          ))}
        />
      )
    case 'owners':
      return (
        <Several
          items={(value as OwnerOfLead[]).map(({ id, name }) => (
            <span key={id} className={css.plain}>
              {name}
            </span>
          ))}
        />
      )
    case 'option':
    case 'options':
      return (
        <Several
          items={optionsOf(field, value).map(({ id, name, color }) => (
            <TagSign key={id} colour={color}>
              {name}
            </TagSign>
          ))}
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

function Several({ items }: { items: React.ReactNode[] }) {
  return <span className={classes(css.several, items.length > 1 && css.fading)}>{items}</span>
}

function linkOf(kind: Field['kind'], text: string): string | undefined {
  if (kind === 'email') return safeAddress(`mailto:${text}`)
  if (kind === 'phone') return safeAddress(`tel:${text.replaceAll(/[^+\d]/g, '')}`)
  return safeAddress(text)
}

const shortAddress = (text: string) => text.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
