// A value as plain text: for copying and for screen readers.
import type { Lead } from '../api/lead.ts'
import type { Records } from '../api/records.ts'
import { formatExact, formatMoney, formatNumber, formatPlainDay } from '../ui/format.ts'
import { words } from '../words/index.ts'
import type { Field } from './fields.ts'

export function textOf(field: Field, lead: Lead, records: Records): string {
  const value = field.read(lead)
  if (value === null || value === undefined || value === '') return ''
  switch (field.kind) {
    case 'number':
    case 'decimal':
      return formatNumber(value as number)
    case 'money':
      return formatMoney(
        value as number,
        field.attribute ? field.attribute.currency : lead.contract_currency,
      )
    case 'flag':
      return value ? words.fields.yes : words.fields.no
    case 'day':
      return formatPlainDay(value as string)
    case 'time':
      return formatExact(value as string)
    case 'status':
    case 'tags':
    case 'lists':
    case 'owners':
      return (value as { name: string }[]).map(({ name }) => name).join(', ')
    case 'member':
      return records.members.find(({ id }) => id === value)?.name ?? ''
    case 'option':
    case 'options':
      return optionsOf(field, value)
        .map(({ name }) => name)
        .join(', ')
    case 'place':
      return placeText(value)
    default:
      return String(value)
  }
}

/** The chosen options of a SELECT attribute. */
export function optionsOf({ attribute }: Field, value: unknown) {
  const ids = Array.isArray(value) ? value : [value]
  return attribute?.select_options.filter(({ id }) => ids.includes(id)) ?? []
}

export function placeText(value: unknown): string {
  const place = value as { address?: string; latitude?: number; longitude?: number } | null
  if (place?.address) return place.address
  return place?.latitude === undefined ? '' : `${place.latitude}, ${place.longitude}`
}
