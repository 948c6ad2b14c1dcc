// Prints the figures of an import.
import { columns, median } from './figures.ts'
import type { Imported, ImportFigures, ImportPlan } from './import.ts'

const wantedRatio = 0.75
const moments = {
  tenth: "import's memory at 10 %",
  half: "import's memory at 50 %",
  peak: "import's memory at most",
} as const

/** Returns whether the import is fast enough. */
export function printImport({ rows, rounds }: ImportPlan, figures: ImportFigures): boolean {
  const { relations, copies, imports, otherImports } = figures
  const ratio = median(copies) / median(seconds(imports))
  const time = (name: string, all: number[]) => [
    name,
    median(all).toFixed(1),
    Math.round(rows / median(all)).toLocaleString('en'),
    inRounds(all.map((one) => one.toFixed(1))),
  ]
  const memory = (moment: keyof typeof moments) => {
    const all = imports.map((one) => one[moment]).filter((size) => size !== undefined)
    const shown = (size: number) => `${Math.round(size)} MB`
    const most = all.length > 0 ? shown(Math.max(...all)) : 'unknown'
    return [moments[moment], most, inRounds(all.map(shown))]
  }
  const times = columns([
    ['', 'seconds', 'leads/s', rounds > 1 ? 'rounds' : ''],
    time('COPY', copies),
    time('import', seconds(imports)),
    ...(otherImports.length > 0 ? [time('other import', seconds(otherImports))] : []),
    time('export', [figures.exported]),
    time('backup', [figures.backedUp]),
    time('restore', [figures.restored]),
  ])
  const targets = columns([
    ['import : COPY', ratio.toFixed(2), `wanted: ${wantedRatio} or more`],
    ...(['tenth', 'half', 'peak'] as const).map(memory),
  ])
  console.log(
    `${rows.toLocaleString('en')} leads with ${relations.toLocaleString('en')} lists, statuses, tags and owners`,
  )
  console.log(`\n${times}\n\n${targets}`)
  return ratio >= wantedRatio
}

const seconds = (imports: Imported[]) => imports.map((one) => one.seconds)

/** Empty for a single round, whose figure is the median. */
const inRounds = (all: string[]) => (all.length > 1 ? all.join(', ') : '')
