// Names as people type them, and typing mistakes.

/** Names are the same if this is. */
export const plainName = (name: string) => name.normalize('NFC').trim().toLowerCase()

/** To compare two words takes the time of their product. */
const maxCompared = 500

/** The candidate that was probably meant: the one with the fewest typing mistakes, if they are few. */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  most = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  const isNear = (candidate: string) => Math.abs(candidate.length - word.length) <= most
  const distances = [...candidates]
    .filter((candidate) => candidate.startsWith(word) || isNear(candidate))
    .slice(0, maxCompared)
    .map((candidate) => ({
      candidate,
      mistakes: candidate.startsWith(word) ? 0.5 : distance(word, candidate),
    }))
  distances.sort((a, b) => a.mistakes - b.mistakes)
  const [best] = distances
  return best && best.mistakes <= most ? best.candidate : undefined
}

/** Letters to add, drop, replace or swap with their neighbor to get from one word to the other. */
function distance(from: string, to: string): number {
  const width = to.length + 1
  // Row by row. Many names are compared with one: numbers in one place are twenty times as fast as arrays of them.
  const cells = new Uint32Array((from.length + 1) * width)
  const cell = (row: number, column: number) => cells[row * width + column] as number
  for (let j = 0; j < width; j++) cells[j] = j
  for (let i = 1; i <= from.length; i++) {
    cells[i * width] = i
    for (let j = 1; j < width; j++) {
      const isSame = from.charCodeAt(i - 1) === to.charCodeAt(j - 1)
      const replaced = cell(i - 1, j - 1) + (isSame ? 0 : 1)
      let best = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, replaced)
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (isSwapped) best = Math.min(best, cell(i - 2, j - 2) + 1)
      cells[i * width + j] = best
    }
  }
  return cell(from.length, to.length)
}
