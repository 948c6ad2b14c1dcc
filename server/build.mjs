// Builds the service, or with `tools` what runs beside it: the bench, the torture, and modules that tests start
// and kill. Many files become a few: a start would spend more time
// on finding and reading hundreds of them than on anything else. Types are checked by `npm test`.
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { mendDriver } from './mend-driver.mjs'

const service = ['src/main']
const tools = [
  ...['bench/main', 'bench/web.main', 'bench/ceiling', 'bench/load', 'torture/main'],
  // For the pictures of the documents.
  'test/web/browser',
  // npm run cluster
  'test/cluster.main',
  // For tests.
  ...['src/db/driver', 'src/engine/engine', 'src/resources/reminders/reminders.firing'],
  ...['src/resources/transfer/import/run/import-file', 'src/app', 'src/secrets'],
]

/**
 * Packages are loaded from node_modules. TypeBox is not: a start would read 370 files of it. The driver is
 * not either: it is mended.
 */
const isBundled = /^(\.|\/|\w:|typebox$|postgres$|@rapport\/)/

const [what, dir] = process.argv.slice(2)
const files = what === 'tools' ? tools : service
const bundle = await rolldown({
  cwd: import.meta.dirname,
  input: Object.fromEntries(files.map((file) => [file.replace(/^src\//, ''), `./${file}.ts`])),
  platform: 'node',
  external: (id) => !isBundled.test(id),
  plugins: [mendDriver()],
})
await bundle.write({
  dir: join(import.meta.dirname, '..', dir),
  format: 'es',
  sourcemap: true,
  chunkFileNames: 'parts/[name].js',
})
