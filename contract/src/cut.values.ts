// Of a very long value an event has the start, as text.
export interface Cut {
  cut: string
  length: number
}

export const isCut = (value: unknown): value is Cut =>
  typeof (value as Partial<Cut> | null | undefined)?.cut === 'string'
