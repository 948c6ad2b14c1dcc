// This version beside an older one: as a table, and as a picture of how many times faster it is.
import type { Figures } from './against.ts'
import { columns, duration, short } from './figures.ts'
import { groupOf } from './filters.ts'
import type { Results } from './measure.ts'

export interface Version {
  what: string
  old: string
  now: string
  /** How many times faster. */
  times: number
}

export function compareVersions({ rates, growth, filters }: Results, old: Figures): Version[] {
  const requests = [...rates].map(([what, now]): Version => {
    const before = old.rates.get(what) ?? Number.NaN
    const perSecond = (rate: number) => `${short(rate)}/s`
    return { what, old: perSecond(before), now: perSecond(now), times: now / before }
  })
  const times = (what: string, before: number, now: number): Version => ({
    ...{ what, old: duration(before), now: duration(now), times: before / now },
  })
  const bulk = [...old.bulk].map(([what, before]) => {
    const now = growth.find(({ name }) => name === what)?.points.at(-1)?.ms ?? Number.NaN
    return times(what, before, now)
  })
  const single = filters.map(({ name, ms }, at) =>
    times(name, old.filters[at]?.ms ?? Number.NaN, ms),
  )
  const slowest = [...new Set(filters.map(({ most }) => most))].map((most) => {
    const of = (cases: { ms: number; most: number }[]) =>
      Math.max(...cases.filter((each) => each.most === most).map(({ ms }) => ms))
    return times(`the slowest of the ${groupOf(most)}`, of(old.filters), of(filters))
  })
  return [...requests, ...bulk, ...slowest, ...single]
}

export function printVersions(results: Results, old: Figures): void {
  const rows = compareVersions(results, old).map((each) => [
    ...[each.what, each.old, each.now, `${short(each.times)} times`],
  ])
  console.log(`\n${columns([['', 'before', 'now', ''], ...rows])}`)
}

export function versionsSection(versions: Version[]): string {
  return `## Compared with an older version

Both versions were measured in the same hour on this machine, each with its own database of the same leads. The
older one predates the new layout of the lead table (migration 0022). The chart has the requests,
the bulk changes and the slowest of each group; the table has everything.

![How many times faster than the older version](benchmarks-versions.svg)

| | before | now | times |
|---|---:|---:|---:|
${versions
  .map(({ what, old, now, times }) => `| ${what} | ${old} | ${now} | ${short(times)} |`)
  .join('\n')}

`
}

const row = 24
const area = { left: 330, right: 790, top: 50 }

export function drawVersions(versions: Version[]): string {
  const last = versions.findLastIndex(({ what }) => what.startsWith('the slowest'))
  const shown = versions.slice(0, last + 1).filter(({ times }) => Number.isFinite(times))
  const most = Math.max(...shown.map(({ times }) => times), 2)
  const x = (times: number) => area.left + ((area.right - area.left) * times) / most
  const height = area.top + shown.length * row + 20
  const bars = shown.map(({ what, times, old, now }, at) => {
    const y = area.top + at * row
    return `<text x="${area.left - 10}" y="${y + 13}" text-anchor="end">${what}</text>
  <rect x="${area.left}" y="${y}" width="${(x(times) - area.left).toFixed(1)}" height="16" fill="#2563eb"><title>${what}: ${old} before, ${now} now</title></rect>
  <text x="${(x(times) + 6).toFixed(1)}" y="${y + 13}">${short(times)} (${old} → ${now})</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 980 ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#334155" role="img" aria-label="How many times faster than the older version">
  <rect width="980" height="${height}" fill="#ffffff"/>
  <text x="20" y="24" font-size="14" font-weight="600">How many times faster than the older version</text>
  <line x1="${x(1).toFixed(1)}" x2="${x(1).toFixed(1)}" y1="${area.top - 8}" y2="${height - 16}" stroke="#94a3b8" stroke-dasharray="3 3"/>
  ${bars.join('\n  ')}
</svg>
`
}
