// The arrows of the house: which folder may import from which. See docs/ARCHITECTURE.md.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { root } from '../src/root.ts'

const top = fileURLToPath(root)

/** Floors from the top down. A file imports from floors below its own, or from its own folder. */
const serverFloors = [
  ['main.ts'],
  ['commands'],
  ['app.ts'],
  ['request.ts', 'housekeeping.ts', 'stored-metrics.ts', 'examples.sql.ts'],
  ['calendar', 'demo', 'system'],
  ['backup'],
  ['resources', 'sign-in', 'mcp'],
  ['references', 'idempotency'],
  ['filter', 'access'],
  ['attributes'],
  ['http'],
  ['mail'],
  ['outgoing'],
  ['feed'],
  ['engine'],
  ['db'],
  ['secrets.ts'],
  [
    'config.ts',
    'every.ts',
    'groups.ts',
    'ids.ts',
    'in-progress.ts',
    'make-folder.ts',
    'pace.ts',
    'random.ts',
    'time-zone.ts',
    'version.ts',
    'words.ts',
  ],
  ['config-database.ts', 'config-mail.ts'],
  [
    'config-error.ts',
    'database-tls.ts',
    'email-address.ts',
    'nearest.ts',
    'networks.ts',
    'root.ts',
  ],
]

const webFloors = [
  ['main.tsx'],
  ['app'],
  ['pages'],
  ['parts'],
  ['addresses', 'pipeline'],
  ['kinds'],
  ['api'],
  ['frame'],
  ['ui'],
  ['words'],
  ['base.css', 'tokens.css'],
]

/** The packages that each room may import. Beside them it imports its own files. */
const packages: Record<string, RegExp> = {
  contract: /^typebox$/,
  client: /^(@rapport\/contract(\/.*)?|typebox|rolldown(\/.*)?|vitest|node:.*)$/,
  server: /^(?!@rapport\/(?!(contract|client)(\/|$)))/,
  web: /^(@rapport\/(contract|client)(\/.*)?|typebox|react(-dom)?(\/.*)?|@tanstack\/react-query|@base-ui\/react\/.*|wouter|lucide-react|recharts|uqr|@atlaskit\/pragmatic-drag-and-drop(-auto-scroll)?\/.*|@fontsource-variable\/inter\/.*|vite|vitest|@vitejs\/plugin-react|node:.*)$/,
}

interface Import {
  from: string
  to: string
}

/** Every quoted text after from, import, import( or require(, in code and in types. Not of methods and addresses, nor in code that is shown. */
const specifier = /(?<!['"./]|`[^`\n]*)\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g

/** The imports of every file below a folder; those of other files as their path below the root. */
function importsOf(folder: string, { tests = false } = {}): Import[] {
  const names = readdirSync(join(top, folder), { recursive: true }) as string[]
  return names
    .map((name) => posix.join(folder, name.split(sep).join('/')))
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .filter((file) => !/(^|\/)(dist|dist-tools|node_modules)\//.test(file))
    .filter((file) => tests || !file.endsWith('.test.ts'))
    .flatMap((from) => {
      const text = readFileSync(join(top, from), 'utf8').replaceAll(/^\s*(\/\/|\*).*$/gm, '')
      return [...text.matchAll(specifier)].map(([, , to = '']) => ({
        from,
        to: to.startsWith('.') ? posix.join(dirname(from), to) : to,
      }))
    })
}

test.each(Object.entries(packages))('%s imports only what its room may use', (room, allowed) => {
  // A test may read a script of the root; sources stay in their room.
  const isFile = (to: string) => /^(contract|client|server|web|scripts)\//.test(to)
  const wrong = importsOf(room, { tests: true }).filter(({ from, to }) => {
    if (to.startsWith('scripts/')) return !from.startsWith(`${room}/test/`)
    return isFile(to) ? !to.startsWith(`${room}/`) : !allowed.test(to)
  })
  expect(wrong).toEqual([])
})

test.each([
  ['server/src', serverFloors],
  ['web/src', webFloors],
] as const)('the floors of %s import downwards only', (part, floors) => {
  const floorOf = (file: string) => {
    const [, , place = ''] = file.split('/')
    const floor = floors.findIndex((names) => names.includes(place))
    if (file.startsWith(`${part}/`)) expect(floor, `${file} stands on no floor`).not.toBe(-1)
    return { floor, place }
  }
  const upwards = importsOf(part).filter(({ from, to }) => {
    if (!to.startsWith(part.replace('src', ''))) return false
    const [here, there] = [floorOf(from), floorOf(to)]
    return here.place !== there.place && here.floor >= there.floor
  })
  expect(upwards).toEqual([])
})

test('the page takes classes that its style sheets have, and all of them', () => {
  const names = readdirSync(join(top, 'web/src'), { recursive: true }) as string[]
  const read = (name: string) => readFileSync(join(top, 'web/src', name), 'utf8')
  const sheets = names.filter((name) => name.endsWith('.module.css'))
  const taken = new Map<string, Set<string>>(sheets.map((sheet) => [sheet, new Set()]))
  for (const name of names.filter((name) => name.endsWith('.tsx'))) {
    const text = read(name)
    for (const [, local, path = ''] of text.matchAll(/^import (\w+) from '(\S+\.css)'$/gm)) {
      const sheet = join(dirname(name), path)
      const each = text.matchAll(new RegExp(`(?<![.\\w])${local}\\.(\\w+)\\b(?!\\.css)`, 'g'))
      for (const [, one = ''] of each) taken.get(sheet)?.add(one)
      // css[look]: only the sheet knows which ones there are.
      if (text.includes(`${local}[`)) taken.delete(sheet)
    }
  }
  for (const [sheet, classes] of taken) {
    const rules = read(sheet).replace(/\/\*.*?\*\/|:global\(.*?\)/gs, '')
    const there = new Set([...rules.matchAll(/\.([a-z]\w*)(?=[^;}]*\{)/gi)].map(([, one]) => one))
    expect([...classes].sort(), sheet).toEqual([...there].sort())
  }
})

test('only db/driver.ts imports the driver', () => {
  const importers = importsOf('server', { tests: true }).filter(({ to }) =>
    /^postgres(\/|$)/.test(to),
  )
  expect(importers.map(({ from }) => from)).toEqual(['server/src/db/driver.ts'])
})

test.each([
  'server/src',
  'server/bench',
  'server/torture',
  'contract/src',
  'client/src',
  'web/src',
])('no files and no folders of %s import each other in a circle', (part) => {
  const inside = importsOf(part).filter(({ to }) => to.startsWith(`${part}/`))
  expect(circle(inside)).toBeUndefined()
  // A file that is in no folder of the part counts by itself.
  const folderOf = (file: string) => (dirname(file) === part ? file : dirname(file))
  const folders = inside.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
  expect(circle(folders.filter(({ from, to }) => from !== to))).toBeUndefined()
})

/** A path that comes back to where it began, if there is one. */
function circle(imports: Import[]): string[] | undefined {
  const targetsOf = (at: string) => imports.filter(({ from }) => from === at)
  const done = new Set<string>()
  const walk = (at: string, path: string[]): string[] | undefined => {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at]
    if (done.has(at)) return undefined
    for (const { to } of targetsOf(at)) {
      const found = walk(to, [...path, at])
      if (found) return found
    }
    done.add(at)
    return undefined
  }
  for (const { from } of imports) {
    const found = walk(from, [])
    if (found) return found
  }
  return undefined
}
