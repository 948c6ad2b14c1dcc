// Converts the plain fields that a caller sends into the columns of a lead.
import { badRequest, type Issue } from '@rapport/contract/errors'
import { type FieldSpec, type LeadField, leadFields } from '@rapport/contract/leads/fields'
import { maxDecimals, readDecimal, roundAmount } from '@rapport/contract/money.values'
import { readContacts } from '../search/contacts.ts'

/** The columns that a body sets. Only the fields in `names` count. */
export function writtenColumns(
  body: Partial<Record<LeadField | 'contract_amount', unknown>>,
  names: readonly LeadField[],
  path: Issue['path'],
): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const name of names) {
    const value = body[name]
    if (value !== undefined) columns[name] = read(leadFields[name], value, [...path, name])
  }
  if (body.contract_amount !== undefined) {
    columns.contract_value = exactAmount(body.contract_amount, columns.contract_value, path)
  }
  // When a caller changes the company, the lead gives up its claim on the name (see companyClaim).
  if (body.company !== undefined || body.is_company !== undefined) columns.company_claim = null
  return columns
}

function read({ kind, of }: FieldSpec, value: unknown, path: Issue['path']): unknown {
  if (kind === 'phone') return phone(value, path)
  if (of) return readContacts(of, value as string[] | null)
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
  const message = 'Must be a whole number within ±(2^53−1)'
  return amount(value, 0, { path, code: 'integer', message })
}

/** The one place where both names of the contract value meet. `whole` is what contract_value says, if it is sent. */
function exactAmount(value: unknown, whole: unknown, path: Issue['path']): number | null {
  const at = [...path, 'contract_amount']
  const message = `Must be a number with up to ${maxDecimals} decimals and 15 digits`
  const exact = amount(value, maxDecimals, { path: at, code: 'amount', message })
  if (whole !== undefined && whole !== (exact === null ? null : roundAmount(exact))) {
    const message = 'Must round to contract_value. Send only one of the two'
    throw badRequest({ path: at, code: 'amount', message })
  }
  return exact
}

function amount(value: unknown, decimals: number, fault: Issue): number | null {
  const text = String(value ?? '').trim()
  if (text === '') return null
  const number = readDecimal(text, decimals)
  if (number === undefined) throw badRequest(fault)
  return number
}
