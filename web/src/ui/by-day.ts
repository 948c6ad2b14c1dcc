import { formatDay } from './format.ts'

/** Items in groups of the same day, in their order. */
export function byDay<T>(items: readonly T[], timeOf: (item: T) => string): [day: string, T[]][] {
  const days: [string, T[]][] = []
  for (const item of items) {
    const day = formatDay(timeOf(item))
    const last = days.at(-1)
    if (last?.[0] === day) last[1].push(item)
    else days.push([day, [item]])
  }
  return days
}
