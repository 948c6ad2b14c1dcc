// What to do with single rows that look like existing leads, as text: skip=5,9-12.
import { type DuplicateWay, duplicateWays } from '@rapport/contract/transfer'
import { ImportError } from '../../file/errors.ts'

export type DecidedRows = [way: DuplicateWay, first: number, last: number]

/** "skip=5,9-12", several times. */
export function readDecidedRows(texts: string[]): DecidedRows[] {
  const decided = texts.flatMap((text) => {
    const [, said, spans = ''] = /^(\w+)=([\d,-]+)$/.exec(text) ?? []
    const way = duplicateWays.find((one) => one === said)
    return spans.split(',').map((span): DecidedRows => {
      const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(span) ?? []
      if (way && first && Number(first) <= Number(last)) return [way, Number(first), Number(last)]
      throw new ImportError(
        (name) =>
          `${name('duplicate_rows')} must be ${duplicateWays.join(', ')} with rows, such as skip=5,9-12, not "${text.slice(0, 100)}".`,
      )
    })
  })
  decided.sort(([, a], [, b]) => a - b)
  let end = 0
  for (const [, first, last] of decided) {
    if (first <= end) {
      throw new ImportError((name) => `${name('duplicate_rows')} names row ${first} twice.`)
    }
    end = last
  }
  return decided
}

export function requireRows(decided: DecidedRows[], header: number, last: number): void {
  const stray = decided.find(([, first, end]) => first <= header || end > last)
  if (!stray) return
  const row = stray[1] <= header ? stray[1] : stray[2]
  throw new ImportError(
    (name) => `${name('duplicate_rows')} names row ${row}, which the file does not have.`,
  )
}

/** What is said about a row, alone or in a range. */
export function decisionOf(decided: DecidedRows[], row: number): DecidedRows | undefined {
  let [low, high] = [0, decided.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((decided[middle]?.[2] ?? 0) < row) low = middle + 1
    else high = middle
  }
  const found = decided[low]
  return found && found[1] <= row ? found : undefined
}
