// Computes figures and formats them for people.

/** A measurement and its target. */
export interface Line {
  operation: string
  target: string
  measured: string
  /** The rates or times behind it. */
  detail: string
  isReached: boolean
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const at = (index: number) => sorted[index] ?? Number.NaN
  return sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2
}

/** The value that this share of them does not exceed: 0.99 for all but the slowest hundredth. */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN
}

/** With three significant digits: 0.0123, 1.23, 12.3, 1,230. */
export function short(value: number): string {
  return value >= 1000
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)))
}

export function duration(ms: number): string {
  return ms < 1000 ? `${short(ms)} ms` : `${short(ms / 1000)} s`
}

/** Aligns the first and the last column of a table to the left, the others to the right. */
export function columns(lines: string[][]): string {
  const [first = []] = lines
  const widths = first.map((_cell, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)))
  const pad = (cell: string, at: number) =>
    at === 0 || at === first.length - 1
      ? cell.padEnd(widths[at] ?? 0)
      : cell.padStart(widths[at] ?? 0)
  return lines.map((cells) => cells.map(pad).join('   ').trimEnd()).join('\n')
}
