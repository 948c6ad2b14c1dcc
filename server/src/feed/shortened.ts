// What was asked can be as long as a body: a filter of 50,000 ids. The audit log and operations keep the beginning
// of it, because pages of them are read at once.

/** About 400 ids. A page has up to 1,000 entries, so it is at most as large as a body. */
const maxLength = 16_384
const mark = '…'

/** The same value; of a very long one the first part, with a mark where arrays and texts are cut. */
export function shortened<T extends object>(value: T): T {
  let left = maxLength
  const visit = (one: unknown): unknown => {
    left -= 4
    if (typeof one === 'string') {
      const kept = one.length <= left ? one : one.slice(0, Math.max(0, left)) + mark
      left -= one.length
      return kept
    }
    if (one === null || typeof one !== 'object' || one instanceof Date) return one
    if (Array.isArray(one)) {
      const items: unknown[] = []
      for (const item of one) {
        if (left <= 0) return [...items, mark]
        items.push(visit(item))
      }
      return items
    }
    const fields: [string, unknown][] = []
    for (const [name, field] of Object.entries(one)) {
      if (left <= 0) break
      left -= name.length
      fields.push([name, visit(field)])
    }
    return Object.fromEntries(fields)
  }
  return visit(value) as T
}
