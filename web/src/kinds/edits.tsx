// One record for each kind of value: how it is edited. Loaded with the first editor.
import type { LeadRelation } from '@rapport/contract/leads/relations'
import type { Lead } from '../api/lead.ts'
import { isChecked, warningOf } from '../ui/checks.ts'
import type { Option } from '../ui/options.tsx'
import { Stage } from '../ui/small.tsx'
import { type Hint, readWhen, showWhen, type WhenKind, whenHint } from '../ui/when-text.ts'
import { localTime, timeAt } from '../ui/zone.ts'
import { words } from '../words/index.ts'
import type { Field, Kind } from './field.ts'
import type { At, ValueOf } from './kinds.tsx'
import { type Parsed, parseNumber, plainNumber } from './parse-number.ts'
import { relations } from './relations.tsx'
import { stageOptions } from './stages.tsx'

export interface Typing<V> {
  by: 'typing'
  /** The type of the input; a long text has several lines. */
  input: 'text' | 'email' | 'tel' | 'url' | 'long'
  /** The text that the input starts with. */
  start(value: V): string
  /** Reads the trimmed text, which is not empty. */
  parse(text: string, field: Field): Parsed
  /** A warning while typing. */
  hint?(text: string): Hint | undefined
  /** It can be picked too, from a calendar. */
  when?: WhenKind
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
export type Edit<V> =
  | Typing<V>
  | Picking<V>
  | { by: 'toggling' | 'naming' | 'pricing' | 'finding a lead' | 'nothing' }

const asIs = (value: string) => value

const typed = (input: Typing<string>['input'] = 'text'): Typing<string> => ({
  by: 'typing',
  input,
  start: asIs,
  parse: (text) => ({ value: text }),
  ...(isChecked(input) && { hint: (text) => warningOf(input, text) }),
})

const typedWhen = (when: WhenKind, toLocal = asIs, toValue = asIs): Typing<string> => ({
  by: 'typing',
  input: 'text',
  when,
  start: (value) => showWhen(toLocal(value), when),
  hint: (text) => whenHint(text, when),
  parse: (text) => {
    const read = readWhen(text, when)
    return read ? { value: toValue(read) } : { fault: words.fields.whenUnknown }
  },
})

const typedNumber: Typing<number> = {
  by: 'typing',
  input: 'text',
  start: plainNumber,
  parse: parseNumber,
}

function toggled<T extends { id: string }>(value: readonly T[], id: string, all: readonly T[]) {
  return value.some((entry) => entry.id === id)
    ? value.filter((entry) => entry.id !== id)
    : [...value, ...all.filter((entry) => entry.id === id)]
}

interface Named {
  id: string
  name: string
}

const relationOf = ({ id }: Field) => relations[id as LeadRelation]

const pickMany: Picking<readonly Named[]> = {
  by: 'picking',
  isMany: true,
  options: ({ field, records }) => relationOf(field).options(records),
  next: (value, id, { field, records }) =>
    toggled<Named>(value ?? [], id, relationOf(field).named(records)),
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

type Edits = { [K in Kind]: Edit<K extends keyof ValueOf ? ValueOf[K] : string> }

const edits: Edits = {
  name: { by: 'naming' },
  text: typed(),
  long: typed('long'),
  email: typed('email'),
  phone: typed('tel'),
  link: typed('url'),
  number: typedNumber,
  decimal: typedNumber,
  money: typedNumber,
  amount: { by: 'pricing' },
  contacts: { by: 'nothing' },
  currency: { by: 'nothing' },
  flag: { by: 'toggling' },
  day: typedWhen('day'),
  time: typedWhen(
    'time',
    (value) => localTime(new Date(value)),
    (read) => timeAt(read).toISOString(),
  ),
  id: { by: 'nothing' },
  member: { by: 'nothing' },
  option: pickOne(selectOptions),
  options: {
    by: 'picking',
    isMany: true,
    options: selectOptions,
    next: (value, id) =>
      value?.includes(id) ? value.filter((entry) => entry !== id) : [...(value ?? []), id],
  },
  place: {
    by: 'typing',
    input: 'text',
    start: (value) => value?.address ?? '',
    parse: (entered) => ({ value: { address: entered } }),
  },
  lead: { by: 'finding a lead' },
  status: {
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
  tags: pickMany,
  lists: pickMany,
  members: pickMany,
}

/** For callers that do not know which kind it is. */
export const editOf = (kind: Kind): Edit<unknown> => edits[kind]
