// The section of docs/BENCHMARKS.md about the page. The rest of that file is written by npm run bench.
import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { root } from '../src/root.ts'
import { version } from '../src/version.ts'
import type { Line } from './figures.ts'

const file = new URL('docs/BENCHMARKS.md', root)
const section = /## The page\n[\s\S]*?(?=\n## |$)/

/** The section as it stands, so that the other benchmark keeps it. "" when there is none. */
export async function pageSection(): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return section.exec(text)?.[0] ?? ''
}

/** Returns the name of the file. */
export async function writeSection(lines: Line[]): Promise<string> {
  const text = await readFile(file, 'utf8')
  const made = `## The page

Written by \`npm run bench:web\` in headless Chromium. While the page scrolls, its processor is slowed down
four times. It is compared with a page with the same rows as static HTML, without any script, in
the same browser. \`npm test\` checks the size budgets.
Rapport ${version}, ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model.trim()}).

| | what | measured | target | details |
|---|---|---:|---|---|
${lines
  .map(
    ({ operation, measured, target, detail, isReached }) =>
      `| ${isReached ? '✓' : '**missed**'} | ${operation} | ${measured} | ${target} | ${detail} |`,
  )
  .join('\n')}
`
  const next = section.test(text)
    ? text.replace(section, () => made)
    : text.replace('## Run it', () => `${made}\n## Run it`)
  await writeFile(file, next)
  return 'docs/BENCHMARKS.md'
}
