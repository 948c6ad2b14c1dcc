// What a row says when all of its cells are read.
import {
  type Contact,
  contactsFields,
  leadFields,
  type TransferField,
} from '@rapport/contract/leads/fields'
import { maxText, maxTextBytes } from '@rapport/contract/shapes'
import { RowFault } from '../../file/errors.ts'
import type { System } from '../columns/systems.ts'
import { requireContacts, splitName } from '../values/read-values.ts'
import type { Draft, Reading } from './read-row.ts'

/** Undefined when nothing tells who it is. */
export function finish(reading: Reading): Draft | undefined {
  const { draft, faults, system } = reading
  if (faults.length > 0) throw new RowFault(...faults)
  requireRoom(draft)
  const { fields } = draft
  if (reading.fullName !== undefined && !fields.first_name && !fields.last_name) {
    Object.assign(fields, { ...splitName(reading.fullName), ...withoutNulls(fields) })
  }
  if (system?.isOurs) return draft
  clearNames(fields, reading.fullName, system)
  if (reading.currency) fields.contract_currency ??= reading.currency
  const isNameless = !fields.first_name && !fields.last_name && fields.company
  if (system?.companies === 'all' || (system?.companies === 'nameless' && isNameless)) {
    fields.is_company ??= true
  }
  return draft
}

/** What a lead takes beside its texts, about. */
const restBytes = 4 * 1024

/** What an attribute takes beside its id and its value, at most. */
const entryBytes = 12

const sizeOf = (value: unknown) => {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return value && typeof value === 'object' ? Buffer.byteLength(JSON.stringify(value)) : 0
}

function requireRoom({ fields, attributes, further }: Draft): void {
  let bytes = restBytes
  for (const name of contactsFields) {
    const contacts = [...((fields[name] ?? []) as Contact[]), ...(further[name] ?? [])]
    requireContacts(name, contacts)
    bytes += sizeOf(further[name])
  }
  for (const value of Object.values(fields)) bytes += sizeOf(value)
  for (const id in attributes) bytes += id.length + entryBytes + sizeOf(attributes[id])
  if (bytes > maxTextBytes) throw new RowFault(`Has values of more than ${maxText} together`)
}

const placeholder = /^\[(not provided|unknown|n\/a)\]$/i

/** An address, or "[not provided]", in the place of a name is not a name. */
function clearNames(
  fields: Draft['fields'],
  fullName: string | undefined,
  system: System | undefined,
): void {
  const email = typeof fields.email === 'string' ? fields.email.toLowerCase() : undefined
  const isNone = (value: unknown) =>
    typeof value === 'string' && (value.toLowerCase() === email || placeholder.test(value))
  for (const name of ['first_name', 'last_name', 'company']) {
    if (isNone(fields[name])) delete fields[name]
  }
  const person = [fields.first_name, fields.last_name].filter(Boolean).join(' ')
  if (
    system?.personAsCompany &&
    fields.company &&
    [person, fullName].includes(String(fields.company))
  ) {
    delete fields.company
  }
}

const withoutNulls = (fields: Draft['fields']) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** Only times: the row says nothing about anyone. */
export function isBare({ fields, attributes, further, names, notes }: Draft): boolean {
  return (
    notes.length === 0 &&
    Object.keys(further).length === 0 &&
    Object.keys(attributes).length === 0 &&
    Object.values(names).every((list) => list.length === 0) &&
    Object.keys(fields).every((name) => leadFields[name as TransferField].kind === 'time')
  )
}
