// From what a person typed or chose to a change of the lead.
import type { Lead } from '../api/lead.ts'
import { words } from '../words/index.ts'
import { changeLead } from './change-lead.ts'
import type { Field } from './fields.ts'

/** Saves a value, shown at once. Returns whether the service took it. */
export function saveField(field: Field, lead: Lead, value: unknown): Promise<boolean> {
  const body = field.change(value)
  const shown = isRelation(field) ? { [field.id]: value } : body
  return changeLead(lead, shown as Partial<Lead>, body, field.label)
}

const isRelation = ({ group }: Field) => group === 'relations'

const [group = ',', decimal = '.'] = new Intl.NumberFormat()
  .formatToParts(12_345.6)
  .filter(({ type }) => type === 'group' || type === 'decimal')
  .map(({ value }) => value)

export type Parsed = { value: unknown } | { fault: string }

/** Reads the text of an input in the kind of the field. An empty text clears the value. */
export function parseText(field: Field, text: string): Parsed {
  const trimmed = text.trim()
  switch (field.kind) {
    case 'number':
    case 'decimal':
    case 'money': {
      if (trimmed === '') return { value: null }
      const plain = trimmed
        .replaceAll(/[\s'’]/g, '')
        .replaceAll(group, '')
        .replace(decimal, '.')
      const number = /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
      if (Number.isNaN(number)) return { fault: words.fields.notNumber }
      if (!field.attribute && !Number.isSafeInteger(number)) return { fault: words.fields.notWhole }
      return { value: number }
    }
    case 'time':
      return { value: trimmed === '' ? null : new Date(trimmed).toISOString() }
    case 'place':
      return { value: trimmed === '' ? null : { address: trimmed } }
    default:
      return { value: trimmed === '' ? null : trimmed }
  }
}

/** The text that an input starts with. */
export function editText(field: Field, lead: Lead): string {
  const value = field.read(lead)
  if (value === null || value === undefined) return ''
  if (field.kind === 'time') return localTime(new Date(value as string))
  if (field.kind === 'day') return String(value).slice(0, 10)
  if (field.kind === 'place') return (value as { address?: string }).address ?? ''
  if (typeof value === 'number') return String(value).replace('.', decimal)
  return String(value)
}

/** What an input of type datetime-local takes: the local time without a zone. */
export function localTime(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
