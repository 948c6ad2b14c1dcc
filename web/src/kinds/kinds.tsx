// One record for each kind of value: how wide its column is, how it is shown, read aloud and edited.
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Lead, nameOf } from '../api/lead.ts'
import type { Records } from '../api/records.ts'
import { Avatar } from '../ui/avatar.tsx'
import {
  formatAgo,
  formatExact,
  formatMoney,
  formatNumber,
  formatPlainDay,
  localTime,
  safeAddress,
} from '../ui/format.ts'
import type { Option } from '../ui/options.tsx'
import { Stage, TagSign } from '../ui/small.tsx'
import { words } from '../words/index.ts'
import type { Field, Kind } from './field.ts'
import { LeadName } from './lead-name.tsx'
import { type Parsed, parseNumber, plainNumber } from './parse-number.ts'
import { placeText } from './place-text.ts'
import { relations } from './relations.tsx'
import { Several } from './several.tsx'
import { Stages, stageOptions, withLists } from './stages.tsx'
import css from './value.module.css'

/** A value and where it is shown. */
interface At {
  field: Field
  lead: Lead
  records: Records
}

interface ShowProps<V> extends At {
  value: V
  /** Links can be followed. In the grid a click marks the cell instead. */
  withLinks: boolean
  /** The width of a cell. Without it there is room for everything. */
  room: number | undefined
}

export interface Typing<V> {
  by: 'typing'
  /** The type of the input; a long text has several lines. */
  input: 'text' | 'date' | 'datetime-local' | 'email' | 'tel' | 'url' | 'long'
  /** The text that the input starts with. */
  start(value: V): string
  /** Reads the trimmed text, which is not empty. */
  parse(text: string, field: Field): Parsed
}

export interface Picking<V> {
  by: 'picking'
  /** The records or options that the field can have. Without a lead, those of any lead. */
  options(at: Omit<At, 'lead'> & { lead?: Lead }): Option[]
  /** The value after someone picks this one. */
  next(value: V | null, id: string, at: At): unknown
  /** Several can be picked, one after the other. */
  isMany?: true
}

/** `toggling`: it has no editor and changes immediately. */
type Edit<V> =
  | Typing<V>
  | Picking<V>
  | { by: 'toggling' | 'naming' | 'pricing' | 'finding a lead' | 'nothing' }

interface KindSpec<V> {
  /** Of its column, in px. */
  width: number
  isNumeric?: true
  /** What is around the text in a cell, in px: of the value, and of each of several. */
  beside?: number
  frame?: number
  /** How wide it is drawn at most, where that is not the width of its text. Infinity: it is not known yet. */
  drawn?: number
  /** As plain text: for copying and for screen readers. */
  text(value: V, at: At): string
  /** Where it is shown as more than its text. */
  Show?(props: ShowProps<V>): ReactNode
  edit: Edit<V>
}

const typed = (input: Typing<string>['input'] = 'text'): Typing<string> => ({
  by: 'typing',
  input,
  start: (value) => value,
  parse: (text) => ({ value: text }),
})

const typedNumber: Typing<number> = {
  by: 'typing',
  input: 'text',
  start: plainNumber,
  parse: parseNumber,
}

const asIs = (value: string) => value

const text = (width: number, input?: Typing<string>['input']): KindSpec<string> => ({
  width,
  text: asIs,
  edit: typed(input),
})

const link = (
  width: number,
  input: Typing<string>['input'],
  addressOf: (text: string) => string,
  short: (text: string) => string = asIs,
): KindSpec<string> => ({
  ...text(width, input),
  Show({ value, withLinks }) {
    const address = withLinks ? safeAddress(addressOf(value)) : undefined
    if (!address) return short(value)
    const target = input === 'url' ? '_blank' : undefined
    return (
      <a className={css.link} href={address} target={target} rel="noreferrer noopener">
        {short(value)}
      </a>
    )
  },
})

const number = (width: number): KindSpec<number> => ({
  width,
  isNumeric: true,
  text: formatNumber,
  edit: typedNumber,
})

interface Named {
  id: string
  name: string
}

const namesOf = (value: readonly Named[]) => value.map(({ name }) => name).join(', ')

function toggled<T extends { id: string }>(value: readonly T[], id: string, all: readonly T[]) {
  return value.some((entry) => entry.id === id)
    ? value.filter((entry) => entry.id !== id)
    : [...value, ...all.filter((entry) => entry.id === id)]
}

const pickMany = (
  relation: 'tags' | 'lists' | 'owners',
  kept: 'tags' | 'lists' | 'members',
): Picking<readonly Named[]> => ({
  by: 'picking',
  isMany: true,
  options: ({ records }) => relations[relation].options(records),
  next: (value, id, { records }) => toggled<Named>(value ?? [], id, records[kept]),
})

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

const selectOptions: Picking<unknown>['options'] = ({ field: { attribute } }) =>
  attribute?.select_options.map(({ id, name, color }) => ({
    id,
    label: name,
    content: <Stage name={name} color={color} />,
  })) ?? []

const pickOne = (options: Picking<string>['options']): Picking<string> => ({
  by: 'picking',
  options,
  next: (value, id) => (value === id ? null : id),
})

type SpecOf = {
  name: string
  number: number
  decimal: number
  money: number
  amount: number
  flag: boolean
  options: string[]
  place: Parameters<typeof placeText>[0]
  status: Lead['status']
  tags: Lead['tags']
  lists: Lead['lists']
  owners: Lead['owners']
}
type Kinds = { [K in Kind]: KindSpec<K extends keyof SpecOf ? SpecOf[K] : string> }

export const kinds: Kinds = {
  name: {
    width: 200,
    beside: 32,
    text: asIs,
    Show: ({ lead }) => <Who lead={lead} />,
    edit: { by: 'naming' },
  },
  text: text(150),
  long: text(240, 'long'),
  email: link(220, 'email', (value) => `mailto:${value}`),
  phone: link(150, 'tel', (value) => `tel:${value.replaceAll(/[^+\d]/g, '')}`),
  link: link(190, 'url', asIs, (value) =>
    value.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''),
  ),
  number: number(96),
  decimal: number(150),
  money: {
    ...number(130),
    text: (value, { field: { attribute } }) => formatMoney(value, attribute?.currency ?? null),
  },
  amount: {
    ...number(130),
    text: (value, { lead }) => formatMoney(value, lead.contract_currency),
    edit: { by: 'pricing' },
  },
  currency: { ...text(90), edit: { by: 'nothing' } },
  flag: {
    width: 96,
    drawn: 0,
    text: (value) => (value ? words.fields.yes : words.fields.no),
    Show: ({ value }) =>
      value && <Check size={15} aria-label={words.fields.yes} className={css.flag} />,
    edit: { by: 'toggling' },
  },
  day: {
    width: 120,
    text: formatPlainDay,
    edit: { ...typed('date'), start: (value) => value.slice(0, 10) },
  },
  time: {
    width: 140,
    // "3 months ago", at most.
    drawn: 120,
    text: (value) => formatExact(value),
    Show: ({ value }) => (
      <time dateTime={value} title={formatExact(value)} className={css.soft}>
        {formatAgo(value)}
      </time>
    ),
    edit: {
      ...typed('datetime-local'),
      start: (value) => localTime(new Date(value)),
      parse: (entered) => ({ value: new Date(entered).toISOString() }),
    },
  },
  id: { ...text(280), edit: { by: 'nothing' } },
  member: {
    width: 150,
    text: (value, { records }) => records.members.find(({ id }) => id === value)?.name ?? '',
    edit: { by: 'nothing' },
  },
  option: { ...select, edit: pickOne(selectOptions) },
  options: {
    ...select,
    edit: {
      by: 'picking',
      isMany: true,
      options: selectOptions,
      next: (value, id) =>
        value?.includes(id) ? value.filter((entry) => entry !== id) : [...(value ?? []), id],
    },
  },
  place: {
    width: 150,
    text: placeText,
    edit: {
      by: 'typing',
      input: 'text',
      start: (value) => value?.address ?? '',
      parse: (entered) => ({ value: { address: entered } }),
    },
  },
  lead: {
    width: 150,
    // Its name comes later.
    drawn: Number.POSITIVE_INFINITY,
    text: asIs,
    Show: ({ value }) => <LeadName id={value} />,
    edit: { by: 'finding a lead' },
  },
  status: {
    width: 150,
    frame,
    text: namesOf,
    Show: ({ value, lead, records, room }) =>
      room === undefined ? (
        <Stages value={value} lead={lead} records={records} />
      ) : (
        <Several
          items={withLists(value, records, room)}
          room={room}
          show={({ id, stage, color, list, title }) => (
            <Stage key={id} name={stage} color={color} list={list} title={title} />
          )}
        />
      ),
    edit: {
      by: 'picking',
      isMany: true,
      options: stageOptions,
      next(value, id, { records }) {
        // A lead has one status in each list: another one takes the place of the first.
        const status = records.status.find((entry) => entry.id === id)
        const others = (value ?? []).filter(
          (entry) => entry.id === id || entry.id_list !== status?.id_list,
        )
        return toggled<{ id: string }>(others, id, records.status)
      },
    },
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
    edit: pickMany('tags', 'tags'),
  },
  lists: {
    width: 160,
    text: namesOf,
    Show: ({ value }) => value.map(({ name, emoji }) => `${emoji} ${name}`.trim()).join(', '),
    edit: pickMany('lists', 'lists'),
  },
  owners: {
    width: 160,
    text: namesOf,
    edit: pickMany('owners', 'members'),
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
      <span className={css.cut}>{name || words.leads.unnamed}</span>
    </span>
  )
}
