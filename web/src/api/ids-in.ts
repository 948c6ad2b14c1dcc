// What an event says of a relation.
import { isCut } from '@rapport/contract/cut.values'

/** The ids. Of very many the first ones: the text may end in the middle of one. */
export function idsIn(value: unknown): unknown[] {
  if (isCut(value)) return value.cut.match(/(?<=")[0-9a-f-]{36}(?=")/g) ?? []
  return [value ?? []].flat()
}
