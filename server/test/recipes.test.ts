// The recipe "Add a kind" of CONTRIBUTING.md, held to the code: a kind is named in exactly the files that the
// recipe says.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { root } from '../src/root.ts'

const top = fileURLToPath(root)
const read = (file: string) => readFileSync(join(top, file), 'utf8')

const sources = ['contract/src', 'server/src', 'web/src'].flatMap((part) =>
  (readdirSync(join(top, part), { recursive: true }) as string[])
    .map((name) => posix.join(part, name.split(sep).join('/')))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)),
)

/** The files of a row of the recipe. */
function recipe(what: string): string[] {
  const row = read('CONTRIBUTING.md')
    .split('\n')
    .find((line) => line.startsWith(`| ${what} |`))
  return [...(row ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
}

/** The files that name a kind. Sample data is no part of the house. */
const naming = (kind: string) =>
  sources.filter(
    (file) => !file.startsWith('server/src/demo/') && new RegExp(`\\b${kind}\\b`).test(read(file)),
  )

test.each([
  ['a condition of the filter', 'has_icebreaker', []],
  // It has a route of its own too, as the interface wants it, and agents get it by a word of theirs.
  [
    'a bulk change',
    'remove-leads',
    [
      'contract/src/leads/routes.ts',
      'server/src/mcp/change.tool.ts',
      'server/src/resources/leads/bulk/bulk.ts',
    ],
  ],
  // An import makes attributes of this type.
  [
    'an attribute type',
    'TEXTAREA',
    ['server/src/resources/transfer/import/columns/make-attributes.ts'],
  ],
])('%s, such as %s, is in the files that CONTRIBUTING names', (what, kind, beside) => {
  const files = recipe(what)
  expect(files).toHaveLength(3)
  expect(naming(kind).sort()).toEqual([...files, ...beside].sort())
})
