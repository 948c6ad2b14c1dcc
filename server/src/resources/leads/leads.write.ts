// What a caller writes into a lead's plain fields, as columns.
import { badRequest, type Issue } from '../../http/errors.ts'
import { pick } from '../../http/pick.ts'
import { writtenTextFields } from './leads.fields.ts'

const asTheyAre = [
  ...writtenTextFields,
  'contract_currency',
  'is_company',
  'is_contract',
  'is_draft',
  'id_linkedin',
  'id_twitter',
  'custom_fields',
  'email_bounce_score',
] as const

type Written = Partial<Record<(typeof asTheyAre)[number] | 'phone' | 'contract_value', unknown>>

export function plainFields(body: Written, path: Issue['path']): Record<string, unknown> {
  const fields: Record<string, unknown> = pick(body, asTheyAre)
  if (body.phone !== undefined) {
    fields.phone = phone(body.phone, [...path, 'phone'])
  }
  if (body.contract_value !== undefined) {
    fields.contract_value = wholeNumber(body.contract_value, [...path, 'contract_value'])
  }
  // An answer says null; a form that was left empty says "".
  if (body.contract_currency === '') fields.contract_currency = null
  // Whoever names a company by hand ends the claim of one that was made by itself.
  if (body.company !== undefined || body.is_company !== undefined) fields.company_claim = null
  return fields
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
