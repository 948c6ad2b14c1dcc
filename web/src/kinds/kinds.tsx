// One record for each kind of value: how wide its column is, how it is shown and read aloud.
// edits.tsx says how it is edited.
import type { Contact } from '@rapport/contract/leads/fields'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Lead, nameOf } from '../api/lead.ts'
import type { Records } from '../api/records.ts'
import { Avatar } from '../ui/avatar.tsx'
import {
  dialed,
  formatAgo,
  formatExact,
  formatMoney,
  formatNumber,
  formatPlainDay,
  safeAddress,
} from '../ui/format.ts'
import { Stage, TagSign } from '../ui/small.tsx'
import { words } from '../words/index.ts'
import type { Field, Kind } from './field.ts'
import { LeadName } from './lead-name.tsx'
import { placeText } from './place-text.ts'
import { Several } from './several.tsx'
import { Stages, withLists } from './stages.tsx'
import css from './value.module.css'

/** A value and where it is shown. */
export interface At {
  field: Field
  lead: Lead
  records: Records
}

interface ShowProps<V> extends At {
  value: V
  /** Links can be followed. In the grid, a click selects the cell instead. */
  withLinks: boolean
  /** The width of a cell. Without it, everything fits. */
  room: number | undefined
}

interface KindSpec<V> {
  /** Of its column, in px. */
  width: number
  isNumeric?: true
  /** What is around the text in a cell, in px: of the value, and of each of several. */
  beside?: number
  frame?: number
  /** How wide it is drawn at most, unless that is the width of its text. Infinity: not known yet. */
  drawn?: number
  /** As plain text: for copying and for screen readers. */
  text(value: V, at: At): string
  /** Where it is shown as more than its text. */
  Show?(props: ShowProps<V>): ReactNode
}

const asIs = (value: string) => value

const text = (width: number): KindSpec<string> => ({ width, text: asIs })

const link = (
  width: number,
  addressOf: (text: string) => string,
  short: (text: string) => string = asIs,
): KindSpec<string> => ({
  ...text(width),
  Show({ value, withLinks }) {
    const address = withLinks ? safeAddress(addressOf(value)) : undefined
    if (!address) return short(value)
    const target = address.startsWith('http') ? '_blank' : undefined
    return (
      <a className="link" href={address} target={target} rel="noreferrer noopener">
        {short(value)}
      </a>
    )
  },
})

const number = (width: number): KindSpec<number> => ({
  width,
  isNumeric: true,
  text: formatNumber,
})

interface Named {
  id: string
  name: string
}

const namesOf = (value: readonly Named[]) => value.map(({ name }) => name).join(', ')

const frame = 26

/** The chosen options of a SELECT attribute. */
function optionsOf({ attribute }: Field, value: string | string[]) {
  const ids = Array.isArray(value) ? value : [value]
  return attribute?.select_options.filter(({ id }) => ids.includes(id)) ?? []
}

const select: Pick<KindSpec<string | string[]>, 'width' | 'frame' | 'text' | 'Show'> = {
  width: 150,
  frame,
  text: (value, { field }) => namesOf(optionsOf(field, value)),
  Show: ({ field, value, room }) => (
    <Several
      items={optionsOf(field, value)}
      room={room}
      show={({ id, name, color }) => (
        <TagSign key={id} color={color}>
          {name}
        </TagSign>
      )}
    />
  ),
}

export type ValueOf = {
  name: string
  number: number
  decimal: number
  money: number
  amount: number
  flag: boolean
  options: string[]
  contacts: readonly Contact[]
  place: Parameters<typeof placeText>[0]
  status: Lead['status']
  tags: Lead['tags']
  lists: Lead['lists']
  members: Lead['owners']
}
type Kinds = { [K in Kind]: KindSpec<K extends keyof ValueOf ? ValueOf[K] : string> }

export const kinds: Kinds = {
  name: {
    width: 200,
    beside: 32,
    text: asIs,
    Show: ({ lead }) => <Who lead={lead} />,
  },
  text: text(150),
  long: text(240),
  email: link(220, (value) => `mailto:${value}`),
  phone: link(150, (value) => `tel:${dialed(value)}`),
  contacts: { width: 220, text: (value) => value.map((contact) => contact.value).join(', ') },
  link: link(190, asIs, (value) => value.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')),
  number: number(96),
  decimal: number(150),
  money: {
    ...number(130),
    text: (value, { field: { attribute } }) => formatMoney(value, attribute?.currency ?? null),
  },
  amount: {
    ...number(130),
    text: (value, { lead }) => formatMoney(value, lead.contract_currency),
  },
  currency: text(90),
  flag: {
    width: 96,
    drawn: 0,
    text: (value) => (value ? words.fields.yes : words.fields.no),
    Show: ({ value }) =>
      value && <Check size={15} aria-label={words.fields.yes} className={css.flag} />,
  },
  day: {
    width: 120,
    text: formatPlainDay,
  },
  time: {
    width: 140,
    // "3 months ago", at most.
    drawn: 120,
    text: (value) => formatExact(value),
    Show: ({ value }) => (
      <time dateTime={value} title={formatExact(value)} className="soft">
        {formatAgo(value)}
      </time>
    ),
  },
  id: text(280),
  member: {
    width: 150,
    text: (value, { records }) => records.members.find(({ id }) => id === value)?.name ?? '',
  },
  option: select,
  options: select,
  place: {
    width: 150,
    text: placeText,
  },
  lead: {
    width: 150,
    // Its name comes later.
    drawn: Number.POSITIVE_INFINITY,
    text: asIs,
    Show: ({ value }) => <LeadName id={value} />,
  },
  status: {
    width: 190,
    frame,
    text: namesOf,
    Show: ({ value, lead, records, room }) =>
      room === undefined ? (
        <Stages value={value} lead={lead} records={records} />
      ) : (
        <Several
          items={withLists(value, records)}
          room={room}
          show={({ id, stage, color, list, title }) => (
            <Stage key={id} name={stage} color={color} list={list} title={title} />
          )}
        />
      ),
  },
  tags: {
    width: 180,
    frame,
    text: namesOf,
    Show: ({ value, room }) => (
      <Several
        items={value}
        room={room}
        show={({ id, name, color }) => (
          <TagSign key={id} color={color}>
            {name}
          </TagSign>
        )}
      />
    ),
  },
  lists: {
    width: 160,
    text: namesOf,
    Show: ({ value }) => value.map(({ name, emoji }) => `${emoji} ${name}`.trim()).join(', '),
  },
  members: {
    width: 160,
    text: namesOf,
  },
}

/** The record of a kind, for callers that do not know which one it is. */
export const specOf = (kind: Kind): KindSpec<unknown> => kinds[kind]

export function textOf(field: Field, lead: Lead, records: Records): string {
  const value = field.read(lead)
  return isEmpty(value) ? '' : specOf(field.kind).text(value, { field, lead, records })
}

export const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

export function Who({ lead }: { lead: Lead }) {
  const name = nameOf(lead)
  return (
    <span className={css.who}>
      <Avatar name={name || '?'} isCompany={lead.is_company} />
      <span className="cut">{name || words.leads.unnamed}</span>
    </span>
  )
}
