import { badRequest } from '@rapport/contract/errors'

/** A whole number in a query. */
export function readNumber(
  name: string,
  text: string | undefined,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): number {
  if (text === undefined || text === '') return otherwise
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  const message = `Must be a whole number from ${min} to ${max}`
  throw badRequest({ path: [name], code: 'integer', message })
}
