// Draws latency against the size of the workspace, as an SVG with two logarithmic scales. A flat line
// is what is wanted.
import { duration } from './figures.ts'

export interface Series {
  name: string
  points: { leads: number; ms: number }[]
}

const width = 890
const height = 460
const area = { left: 70, right: 590, top: 40, bottom: 410 }
/** Each line also has its name at its end, so that readers do not depend on colors. */
const colors = [
  ...['#2563eb', '#dc2626', '#059669', '#d97706', '#7c3aed'],
  ...['#0891b2', '#be185d', '#4d7c0f', '#475569', '#b45309'],
]

export function drawGrowth(series: Series[]): string {
  const all = series.flatMap(({ points }) => points)
  const sizes = [...new Set(all.map(({ leads }) => leads))].sort((a, b) => a - b)
  const low = 10 ** Math.floor(Math.log10(Math.min(...all.map(({ ms }) => ms))))
  const high = 10 ** Math.ceil(Math.log10(Math.max(...all.map(({ ms }) => ms))))
  const x = scale(sizes[0] ?? 1, sizes.at(-1) ?? 10, area.left, area.right)
  const y = scale(low, high, area.bottom, area.top)
  const steps = Math.round(Math.log10(high / low))
  const levels = Array.from({ length: steps + 1 }, (_, step) => low * 10 ** step)
  const labels = spread(series.map(({ points }) => y(points.at(-1)?.ms ?? low)))

  const grid = [
    ...levels.map(
      (ms) => `<line class="grid" x1="${area.left}" x2="${area.right}" y1="${y(ms)}" y2="${y(ms)}"/>
  <text x="${area.left - 8}" y="${y(ms) + 4}" text-anchor="end">${duration(ms)}</text>`,
    ),
    ...sizes.map(
      (
        leads,
      ) => `<line class="grid" x1="${x(leads)}" x2="${x(leads)}" y1="${area.top}" y2="${area.bottom}"/>
  <text x="${x(leads)}" y="${area.bottom + 20}" text-anchor="middle">${leads.toLocaleString('en')}</text>`,
    ),
  ]
  const lines = series.map(({ name, points }, index) => {
    const color = colors[index % colors.length]
    const path = points.map(({ leads, ms }) => `${x(leads)},${y(ms)}`).join(' ')
    const dots = points.map(
      ({ leads, ms }) =>
        `<circle cx="${x(leads)}" cy="${y(ms)}" r="3.5" fill="${color}"><title>${name}, ${leads.toLocaleString('en')} leads: ${duration(ms)}</title></circle>`,
    )
    const label = labels[index] as number
    const last = points.at(-1)
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>
  ${dots.join('\n  ')}
  <line x1="${area.right + 4}" y1="${y(last?.ms ?? low)}" x2="${area.right + 22}" y2="${label}" stroke="${color}" stroke-width="1"/>
  <text x="${area.right + 26}" y="${label + 4}" fill="${color}">${name} · ${duration(last?.ms ?? 0)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#334155" role="img" aria-label="Latency against leads in the workspace">
  <style>.grid { stroke: #e2e8f0 }</style>
  <rect width="${width}" height="${height}" fill="#ffffff"/>
  <text x="${area.left}" y="22" font-size="14" font-weight="600">Latency against leads in the workspace</text>
  ${grid.join('\n  ')}
  ${lines.join('\n  ')}
  <text x="${(area.left + area.right) / 2}" y="${area.bottom + 42}" text-anchor="middle">leads in the workspace</text>
</svg>
`
}

function scale(from: number, to: number, start: number, end: number) {
  const span = Math.log(to / from) || 1
  return (value: number) =>
    Math.round((start + ((end - start) * Math.log(value / from)) / span) * 10) / 10
}

/** Moves labels apart that would overlap, and keeps their order. */
function spread(wanted: number[], gap = 17): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const placed = [...wanted]
  let free = area.top
  for (const index of order) {
    placed[index] = Math.max(wanted[index] ?? 0, free)
    free = (placed[index] ?? 0) + gap
  }
  const over = free - gap - area.bottom
  return over > 0 ? placed.map((at) => at - over) : placed
}
