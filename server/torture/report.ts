// Writes the figures of a long run into docs/RELIABILITY.md, between two marks.
import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { root } from '../src/root.ts'
import { version } from '../src/version.ts'
import type { Outcome } from './torture.ts'

const page = new URL('docs/RELIABILITY.md', root)
const begin = '<!-- figures: written by npm run torture -->'
const end = '<!-- end of figures -->'

export async function writeReport(outcomes: Outcome[], seed: number): Promise<void> {
  const text = await readFile(page, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) {
    throw new Error(`docs/RELIABILITY.md does not contain the marks ${begin} and ${end}`)
  }
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  const tables = outcomes.map(({ name, figures, seconds }) => {
    const rows = Object.entries({ ...figures, seconds }).map(
      ([what, value]) => `| ${what} | ${value.toLocaleString('en')} |`,
    )
    return `**${name}**\n\n| | |\n|---|---:|\n${rows.join('\n')}\n`
  })
  const report = [
    `Rapport ${version} on ${day}, ${machine}; \`npm run torture -- --seed ${seed}\`.\n`,
    ...tables,
  ].join('\n')
  await writeFile(page, `${before}${begin}\n\n${report}\n${end}${after}`)
}
