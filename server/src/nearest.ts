// Typing mistakes.

/** The candidate that was probably meant: the one with the fewest typing mistakes, if they are few. */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  most = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  const isNear = (candidate: string) => Math.abs(candidate.length - word.length) <= most
  const distances = [...candidates]
    .filter((candidate) => candidate.startsWith(word) || isNear(candidate))
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
  const rows = [Array.from({ length: to.length + 1 }, (_none, index) => index)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1]
      const at = (r: number, c: number) => (r === i ? row[c] : rows[r]?.[c]) ?? 0
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1))
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (i > 1 && j > 1 && isSwapped) best = Math.min(best, at(i - 2, j - 2) + 1)
      row.push(best)
    }
    rows.push(row)
  }
  return rows[from.length]?.[to.length] ?? 0
}
