// The kinds of tests, by what they need. `npm test -- unit` runs the files of one kind.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const kinds = ['unit', 'service', 'page', 'process'] as const
export type Kind = (typeof kinds)[number]

const root = new URL('../../', import.meta.url)

/** What a file needs is in its path and its imports, so that nobody has to keep a list. */
function kindOf(file: string): Kind {
  if (file.startsWith('server/test/web/')) return 'page'
  if (file.startsWith('server/torture/')) return 'process'
  const text = readFileSync(new URL(file, root), 'utf8')
  if (/running-program|node:child_process|\bopenEngine\b/.test(text)) return 'process'
  // A service in the process of the test, or only its database.
  if (/\/(harness|database|databases|empty-databases)\.ts'/.test(text)) return 'service'
  return 'unit'
}

export function testsOf(kind: Kind): string[] {
  return ['contract', 'client', 'server', 'web'].flatMap((folder) =>
    readdirSync(fileURLToPath(new URL(folder, root)), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => kindOf(file) === kind),
  )
}
