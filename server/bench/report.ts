// Prints the results as a table, and writes docs/BENCHMARKS.md with its picture.
import { writeFile } from 'node:fs/promises'
import { cpus, release, type as system, totalmem } from 'node:os'
import { root } from '../src/root.ts'
import { version } from '../src/version.ts'
import type { Figures } from './against.ts'
import { drawGrowth } from './chart.ts'
import { duration, type Line, short } from './figures.ts'
import type { Results } from './measure.ts'
import { compareVersions, drawVersions, versionsSection } from './versions.ts'
import { pageSection } from './web.report.ts'

/** What is known of the targets that this machine misses. */
const reasons = `### Why targets are missed

- **Creating a lead.** The ceiling writes the same rows but no events of the change feed, and checks nothing
  first. Node does three times the work of the ceiling: key, validation, plan, event and log, and no single part
  is large. Leads that arrive at the same time are written together, which makes up for most of it.
- **First page.** Two short statements. The rest is Node: key, validation, log, and no pipelining of queries.
- **Bulk changes against the direct SQL, undo.** The direct SQL has become faster too, and what the service does
  in addition (events, old values) has not. Undo writes every lead again and compares it with its old values.
- **Changes to a searched field.** They are 2.8 to 3 times as fast as before. Two thirds of the time go to the text
  of the search and its trigram index, which are rewritten for each lead.
- **Orders by text, combinations of four.** They read the whole table, on all cores. With two cores, that takes about
  200 ms for a number and 300 ms for text in the order of a language.
`

export function printTable(lines: Line[]): void {
  const rows = lines.map((line) => [
    line.isReached ? 'reached' : 'MISSED',
    line.operation,
    line.measured,
    line.target,
    line.detail,
  ])
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  console.log()
  for (const row of rows) {
    console.log(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
  }
}

/** Returns the names of the files. */
export async function writePage(results: Results, old?: Figures): Promise<string> {
  const { leads, lines, growth, filters } = results
  await writeFile(new URL('docs/benchmarks.svg', root), drawGrowth(growth))
  const versions = old && compareVersions(results, old)
  if (versions) {
    await writeFile(new URL('docs/benchmarks-versions.svg', root), drawVersions(versions))
  }
  const sizes = growth[0]?.points.map((point) => point.leads) ?? []
  const missed = lines.filter(({ isReached }) => !isReached)
  const size = leads.toLocaleString('en')
  const page = `# Benchmarks

Written by \`npm run bench\`; edit \`server/bench\`, not this page.

Each line is a ratio against a **ceiling**. Both are measured alternately in the same run, so that the ratio
means the same on any machine. The ceiling of a request is a bare Fastify handler with the same driver
and the best statement for the operation on the same database: no validation, no keys, no contract, no
log. A bulk operation has two: the same SQL sent by the driver, without the change feed and old values, and
one plain statement on a copy of the table that has only its primary key. The load comes from a
separate process (autocannon, 16 connections) after a warm-up. Figures are medians of the rounds. The
service runs with its default settings.

The ceiling has the same number of database connections as the service. With two connections and
pipelined queries, a bare handler made about a fifth more searches. The service does not pipeline: one
slow statement would delay all statements after it, and a lost connection would lose them.

Rapport ${version}, ${new Date().toISOString().slice(0, 10)}. ${cpus().length} cores (${cpus()[0]?.model.trim()}),
${Math.round(totalmem() / 2 ** 30)} GB, ${system()} ${release()}, Node ${process.versions.node}, the bundled
PostgreSQL. A workspace with ${size} leads (1 % of them deleted) with lists, statuses, tags, owners and
attributes, and ten other workspaces with 10,000 leads each.

| | operation | measured | target | details |
|---|---|---:|---|---|
${lines
  .map(
    ({ operation, measured, target, detail, isReached }) =>
      `| ${isReached ? '✓' : '**missed**'} | ${operation} | ${measured} | ${target} | ${detail} |`,
  )
  .join('\n')}

${missed.length === 0 ? 'Every target is reached.' : `${missed.length} of ${lines.length} targets are missed on this run.\n\n${reasons}`}

${versions ? versionsSection(versions) : ''}## Filters and orders

One request at a time, warm, each with its exact total. The last column compares it with the first page.

| | request | measured | limit | times the first page |
|---|---|---:|---:|---:|
${filters
  .map(
    ({ name, ms, most }) =>
      `| ${ms <= most ? '✓' : '**missed**'} | ${name} | ${duration(ms)} | ${most} ms | ${short(ms / (filters[0]?.ms ?? ms))} |`,
  )
  .join('\n')}

## Growth

The time of one request without concurrent requests, in workspaces of different sizes. Bulk operations
change a tenth of the leads, and \`all: true\` reads all of them, so these grow with the workspace.

![Latency against leads in the workspace](benchmarks.svg)

| operation | ${sizes.map((each) => each.toLocaleString('en')).join(' | ')} |
|---|${sizes.map(() => '---:').join('|')}|
${growth
  .map(({ name, points }) => `| ${name} | ${points.map(({ ms }) => duration(ms)).join(' | ')} |`)
  .join('\n')}

${await pageSection()}
## Run it

\`\`\`sh
npm run bench                      # about half an hour; writes this page
npm run bench -- --quick           # five minutes, up to 30,000 leads: a first impression
npm run bench -- --data bench-data  # keeps the databases for another run, with their changes
npm run bench -- --against ../old --against-data ../old/bench-data  # compared with an older version
npm run bench -- create            # POST /lead only, with the CPU time of a lead
npm run bench -- import            # an import compared with COPY; see IMPORT.md
npm run bench -- duplicates        # how many duplicates are found, and how fast; see DUPLICATES.md
npm run bench -- agents            # each tool for agents compared with its requests; see AGENTS.md
npm run bench -- webhooks          # 200 receivers next to one that never answers; see WEBHOOKS.md
npm run bench:web                  # the page in headless Chromium; writes its section
\`\`\`
`
  await writeFile(new URL('docs/BENCHMARKS.md', root), page)
  return 'docs/BENCHMARKS.md, docs/benchmarks.svg'
}
