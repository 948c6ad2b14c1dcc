// Where cards begin that are as high as what they hold. Those that are not loaded yet count as the highest.
import type { Rows } from '../../parts/grid/window.ts'

/** More cards than a column can have, and a power of two. */
const most = 2 ** 24

/** A Fenwick tree: to set a height and to sum up all above a row takes as many steps as `most` has bits. */
export class Heights implements Rows {
  readonly #usual: number
  /** How much lower than usual rows are. */
  readonly #lower = new Map<number, number>()
  readonly #tree = new Map<number, number>()

  constructor(usual: number) {
    this.#usual = usual
  }

  /** Returns whether it had another one. */
  set(row: number, height: number): boolean {
    const lower = this.#usual - height
    const more = lower - (this.#lower.get(row) ?? 0)
    if (more === 0) return false
    this.#lower.set(row, lower)
    for (let at = row + 1; at <= most; at += at & -at) {
      this.#tree.set(at, (this.#tree.get(at) ?? 0) + more)
    }
    return true
  }

  readonly topOf = (row: number): number => {
    let top = row * this.#usual
    for (let at = row; at > 0; at -= at & -at) top -= this.#tree.get(at) ?? 0
    return top
  }

  readonly rowAt = (top: number): number => {
    let row = 0
    let left = top
    for (let step = most / 2; step >= 1; step /= 2) {
      const height = step * this.#usual - (this.#tree.get(row + step) ?? 0)
      if (height > left) continue
      row += step
      left -= height
    }
    return row
  }
}
