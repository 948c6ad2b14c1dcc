// Of a very long value an event has the start, as text that may end in the middle of a word or an id.
interface Cut {
  cut: string
  length: number
}

export const isCut = (value: unknown): value is Cut =>
  typeof (value as Partial<Cut> | null | undefined)?.cut === 'string'

/** The ids that an event says of a relation. */
export function idsIn(value: unknown): unknown[] {
  if (isCut(value)) return value.cut.match(/(?<=")[0-9a-f-]{36}(?=")/g) ?? []
  return [value ?? []].flat()
}
