// What a query says beside what its schema checks.
import { badRequest, notNext } from '@rapport/contract/errors'
import type { Limits } from '@rapport/contract/shapes'
import { isId } from '../ids.ts'

/** A whole number. */
export function readNumber(
  name: string,
  text: string | undefined,
  { min, max, otherwise }: Limits,
): number {
  if (text === undefined || text === '') return otherwise
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  const message = `Must be a whole number from ${min} to ${max}`
  throw badRequest({ path: [name], code: 'integer', message })
}

/** The id of the record that a page comes after. */
export function readAfter(after: string | undefined): string | undefined {
  if (!after) return undefined
  if (!isId(after)) throw notNext()
  return after
}
