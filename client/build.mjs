// Builds the package: one module, its types, and what npm needs to know. It stands alone: routes.ts, which reads the
// contract, becomes plain data and plain types.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { isolatedDeclarationSync } from 'rolldown/experimental'

const here = import.meta.dirname
const root = join(here, '..')
const out = join(root, process.argv[2])
const source = (file) => readFileSync(join(here, 'src', file), 'utf8')

mkdirSync(out, { recursive: true })
const { routes, declarations } = await evaluated()

const table = {
  name: 'routes as data',
  load: (id) =>
    id.endsWith('/routes.ts') ? `export const routes = ${JSON.stringify(routes)}` : undefined,
}
const bundle = await rolldown({ cwd: here, input: './src/index.ts', plugins: [table] })
await bundle.write({ file: join(out, 'index.js'), format: 'es', comments: false })

for (const file of readdirSync(join(here, 'src'))) {
  if (file.endsWith('.test.ts')) continue
  const types = file === 'routes.ts' ? declarations() : declared(file)
  writeFileSync(join(out, file.replace(/ts$/, 'd.ts')), `${types}\n`)
}

const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const { version, license, engines } = read('package.json')
const { name, description } = read('client/package.json')
const about = {
  ...{ name, version, description, license, type: 'module', engines, sideEffects: false },
  files: ['*.js', '*.d.ts'],
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
}
writeFileSync(join(out, 'package.json'), `${JSON.stringify(about, null, 2)}\n`)
copyFileSync(join(here, 'README.md'), join(out, 'README.md'))
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'))

/** The table and its types, from the contract as it runs. */
async function evaluated() {
  const file = join(out, 'contract.mjs')
  const entry = 'both'
  const both = {
    name: 'both',
    resolveId: (id) => (id === entry ? id : undefined),
    load: (id) =>
      id === entry
        ? `export * from ${JSON.stringify(join(here, 'declare.ts'))}; export { routes } from ${JSON.stringify(join(here, 'src/routes.ts'))}`
        : undefined,
  }
  const bundle = await rolldown({ cwd: here, input: entry, plugins: [both], platform: 'node' })
  await bundle.write({ file, format: 'es' })
  const found = await import(pathToFileURL(file).href)
  rmSync(file)
  return found
}

function declared(file) {
  const { code, errors } = isolatedDeclarationSync(file, source(file))
  if (errors.length > 0) throw new Error(`${file}: ${JSON.stringify(errors)}`)
  return code.replace(/("\.\/[\w-]+)\.ts"/g, '$1.js"')
}
