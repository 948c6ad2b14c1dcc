// One record for each type of attribute: the kind of its values, and what a condition says of one.
import type { AttributeType } from '@rapport/contract/attributes.values'
import type { ReactNode } from 'react'
import type { AttributeRecord } from '../api/records.ts'
import { formatExact, formatMoney, formatNumber, formatPlainDay } from '../ui/format.ts'
import type { Option } from '../ui/options.tsx'
import { Stage } from '../ui/small.tsx'
import { words } from '../words/index.ts'
import type { Kind } from './field.ts'
import { LeadName } from './lead-name.tsx'
import { names } from './relations.tsx'

interface TypeRecord {
  kind: Kind
  inCondition(value: string, attribute: AttributeRecord): ReactNode
  /** What a condition's value is chosen from. Without it, the value is typed. */
  choices?(attribute: AttributeRecord): Option[]
  /** How the value of a condition is typed, if not as text. */
  typed?: 'decimal' | 'date' | 'datetime-local'
}

const asIs = (value: string) => value

export const attributeRecords: Record<AttributeType, TypeRecord> = {
  TEXT: { kind: 'text', inCondition: asIs },
  TEXTAREA: { kind: 'long', inCondition: asIs },
  NUMBER: {
    kind: 'decimal',
    typed: 'decimal',
    inCondition: (value) => formatNumber(Number(value)),
  },
  EMAIL: { kind: 'email', inCondition: asIs },
  CHECKBOX: {
    kind: 'flag',
    inCondition: (value) => (value === 'true' ? words.fields.yes : words.fields.no),
    choices: () => [
      { id: 'true', label: words.fields.yes },
      { id: 'false', label: words.fields.no },
    ],
  },
  DATE: { kind: 'day', typed: 'date', inCondition: formatPlainDay },
  TIMESTAMP: { kind: 'time', typed: 'datetime-local', inCondition: (value) => formatExact(value) },
  SELECT: {
    kind: 'option',
    inCondition: (value, { select_options }) => names([value], select_options),
    choices: ({ select_options }) =>
      select_options.map(({ id, name, color }) => ({
        id,
        label: name,
        content: <Stage name={name} color={color} />,
      })),
  },
  CURRENCY: {
    kind: 'money',
    typed: 'decimal',
    inCondition: (value, { currency }) => formatMoney(Number(value), currency),
  },
  LOCATION: { kind: 'place', inCondition: asIs },
  PHONENUMBER: { kind: 'phone', inCondition: asIs },
  RELATION: { kind: 'lead', inCondition: (value) => <LeadName id={value} /> },
}
