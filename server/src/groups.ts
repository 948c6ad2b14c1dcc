// Does work together that arrives at the same time. Nobody waits for a group to fill: a group is what has
// arrived while the last one was under way.

/** One piece of work. */
export interface Piece {
  /** About how many bytes it is. */
  size: number
  /** Two pieces that claim the same are not in one group: the second one is in the next. */
  claims: string[]
  /** Runs the work when it is its turn. A group takes the turn of the first one that waits. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

export interface GroupOptions {
  /** The bytes of a group. A larger piece is alone. */
  maxSize?: number
  /**
   * If a group takes longer, the next one does not wait for it: it may be waiting for a lock. Undefined: it
   * always waits.
   */
  patienceMs?: number | undefined
}

interface Waiting<P, Result> {
  piece: P
  resolve(result: Result | PromiseLike<Result>): void
  reject(error: unknown): void
}

/**
 * `work` does a group of pieces with one name. It returns the result of each. Where that is a promise, the next
 * group does not wait for it.
 */
export function createGroups<P extends Piece, Result>(
  work: (name: string, pieces: P[]) => Promise<(Result | PromiseLike<Result>)[]>,
  { maxSize = 1024 * 1024, patienceMs }: GroupOptions = {},
): (name: string, piece: P) => Promise<Result> {
  /** The names with a group under way, each with what has arrived since. */
  const lanes = new Map<string, Waiting<P, Result>[]>()

  function next(name: string, waiting: Waiting<P, Result>[]): void {
    const [first] = waiting
    if (!first) {
      lanes.delete(name)
      return
    }
    let group: Waiting<P, Result>[] = []
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const goOn = () => {
      if (!isOver) next(name, waiting)
      isOver = true
    }
    const end = () => {
      clearTimeout(timer)
      // First, so that the database works while the results are dealt with.
      goOn()
    }
    const doGroup = () => {
      group = takeGroup(waiting, maxSize)
      if (patienceMs !== undefined) timer = setTimeout(goOn, patienceMs)
      return work(
        name,
        group.map(({ piece }) => piece),
      )
    }
    first.piece.inTurn(doGroup).then(
      (results) => {
        end()
        for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result)
      },
      (error) => {
        // Without a group, it was never their turn.
        const failed = group.length > 0 ? group : waiting.splice(0)
        end()
        for (const { reject } of failed) reject(error)
      },
    )
  }

  return (name, piece) =>
    new Promise((resolve, reject) => {
      const known = lanes.get(name)
      const waiting = known ?? []
      waiting.push({ piece, resolve, reject })
      if (known) return
      lanes.set(name, waiting)
      next(name, waiting)
    })
}

/** Takes the first ones out of the queue. */
function takeGroup<P extends Piece, Result>(
  waiting: Waiting<P, Result>[],
  maxSize: number,
): Waiting<P, Result>[] {
  const claimed = new Set<string>()
  const group: Waiting<P, Result>[] = []
  const later: Waiting<P, Result>[] = []
  let size = 0
  for (const each of waiting.splice(0)) {
    const { piece } = each
    const fits = group.length === 0 || size + piece.size <= maxSize
    if (!fits || piece.claims.some((claim) => claimed.has(claim))) {
      later.push(each)
      continue
    }
    for (const claim of piece.claims) claimed.add(claim)
    size += piece.size
    group.push(each)
  }
  waiting.push(...later)
  return group
}
