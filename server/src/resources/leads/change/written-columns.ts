// Converts the plain fields that a caller sends into the columns of a lead.
import { badRequest, type Issue } from '@rapport/contract/errors'
import { type FieldSpec, type LeadField, leadFields } from '@rapport/contract/leads/fields'

/** The columns that a body sets. Only the fields in `names` count. */
export function writtenColumns(
  body: Partial<Record<LeadField, unknown>>,
  names: readonly LeadField[],
  path: Issue['path'],
): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const name of names) {
    const value = body[name]
    if (value !== undefined) columns[name] = read(leadFields[name], value, [...path, name])
  }
  // When a caller changes the company, the lead gives up its claim on the name (see companyClaim).
  if (body.company !== undefined || body.is_company !== undefined) columns.company_claim = null
  return columns
}

function read({ kind }: FieldSpec, value: unknown, path: Issue['path']): unknown {
  if (kind === 'phone') return phone(value, path)
  if (kind === 'amount') return wholeNumber(value, path)
  // A client that sends a form back may send "" for an empty currency. It is stored as null.
  if (kind === 'currency' && value === '') return null
  return value
}

function phone(value: unknown, path: Issue['path']): string | null {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw badRequest({ path, code: 'type', message: 'Must be string, or the digits as a number' })
  }
  return value === null ? null : String(value)
}

function wholeNumber(value: unknown, path: Issue['path']): number | null {
  const text = String(value ?? '').trim()
  if (text === '') return null
  const number = Number(text)
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(number)) {
    throw badRequest({ path, code: 'integer', message: 'Must be a whole number within ±(2^53−1)' })
  }
  return number
}
