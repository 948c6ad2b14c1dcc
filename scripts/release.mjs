// npm run release: makes the files of a release in release/, from a clean checkout. The same commit gives the
// same files.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { fail, prepare, root } from './prepare.mjs'

const usage = `Usage: npm run release -- [--output <folder>] [--uncommitted]

Makes, in release/ or that folder:

  package/            what the npm package is made from
  rapport-<version>.tgz           the npm package: npm install -g ./rapport-<version>.tgz
  rapport-client-<version>.tgz    the client, for other programs: docs/CLIENT.md
  rapport-<version>-<platform>.tar.gz   the same with everything it needs, for machines without network
  rapport-<version>.cdx.json      what it is made of (CycloneDX)
  SHA256SUMS

With --image, also:

  rapport-<version>-image-<platform>.tar   the image, for docker load (needs buildah)
  templates/          docs/operations with the name of the image

  --uncommitted       also from a checkout with changes
  --package-only      only package/
  --commit <id>       of a copy without the history
  --image <name>      where the image will be: registry.example.com/rapport`

const { values } = parseArgs({
  options: {
    output: { type: 'string', default: join(root, 'release') },
    uncommitted: { type: 'boolean', default: false },
    'package-only': { type: 'boolean', default: false },
    commit: { type: 'string' },
    image: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
if (!values.uncommitted && git('status', '--porcelain') !== '') {
  fail('The checkout has changes. Commit them, or add --uncommitted.')
}
prepare({ withClient: !values['package-only'] })
if (!values['package-only']) requireDatabase()

const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const lock = read('package-lock.json')
const whole = read('package.json')
const server = read('server/package.json')
const output = values.output
const staged = join(output, 'package')

/** Types are for developers, and the contract is part of the build. */
const isNeeded = ([name]) => !name.startsWith('@types/') && !name.startsWith('@rapport/')
const needed = (packages = {}) => Object.fromEntries(Object.entries(packages).filter(isNeeded))
/** In the build, see server/build.mjs. */
const { typebox: _typebox, postgres: _postgres, ...dependencies } = needed(server.dependencies)
const about = {
  ...{ name: whole.name, version: whole.version, description: whole.description },
  ...{ license: whole.license, type: 'module', engines: whole.engines },
  bin: { rapport: 'bin/rapport.mjs' },
  dependencies,
  optionalDependencies: needed(server.optionalDependencies),
  overrides: { cookie: whole.overrides.cookie },
}

rmSync(output, { recursive: true, force: true })
mkdirSync(staged, { recursive: true })
/** Without what only readers of the code need. */
const isShipped = (file) => !/\.map$|\/\.built$|\/docs\/(images|sql|decisions)$/.test(file)
for (const part of [
  ...['bin', 'server/dist', 'server/src/db/migrations', 'web/dist'],
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'docs'],
]) {
  cpSync(join(root, part), join(staged, part), { recursive: true, filter: isShipped })
}
sayCommandsAsTyped(join(staged, 'web/dist/assets'))
const write = (file, content) =>
  writeFileSync(join(staged, file), `${JSON.stringify(content, null, 2)}\n`)
const hasHistory = existsSync(join(root, '.git'))
const gitHead = values.commit || (hasHistory ? git('rev-parse', 'HEAD') : undefined)
write('package.json', { ...about, gitHead })
write('npm-shrinkwrap.json', {
  ...{ name: about.name, version: about.version, lockfileVersion: lock.lockfileVersion },
  ...{ requires: true, packages: { '': about, ...closure(about) } },
})
const name = `rapport-${about.version}`
const npm = (args, cwd) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] })
if (!values['package-only']) {
  npm(['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], staged)
  removeForReaders(join(staged, 'node_modules'))
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { serialNumber: _number, ...parts } = JSON.parse(npm(sbom, staged))
  parts.metadata.timestamp = new Date(git('log', '-1', '--format=%cI')).toISOString()
  writeAlone(`${name}.cdx.json`, `${JSON.stringify(parts, null, 2)}\n`)
}
// With the packages in it: npm does not read the npm-shrinkwrap.json of a package that it installs from a file, and
// would take newer ones. PostgreSQL is another one on each platform.
write('package.json', { ...about, gitHead, bundleDependencies: Object.keys(dependencies) })
if (!values['package-only']) {
  // Rights do not depend on the machine, nor do times and owners: the same commit gives the same files.
  const packed = [staged, join(root, 'client/dist/package')]
  execFileSync('chmod', ['-R', 'u+rwX,go=rX', ...packed])
  for (const folder of packed) npm(['pack', '--silent', '--pack-destination', output], folder)
  makeOffline(`${name}-${process.platform}-${process.arch}`)
  if (values.image) await makeImages(`${values.image}:${about.version}`)
  const files = readdirSync(output)
    .filter((file) => file.startsWith(name) || file.startsWith('rapport-client-'))
    .sort()
  const sum = (file) =>
    createHash('sha256')
      .update(readFileSync(join(output, file)))
      .digest('hex')
  writeAlone('SHA256SUMS', files.map((file) => `${sum(file)}  ${file}\n`).join(''))
  console.log(readFileSync(join(output, 'SHA256SUMS'), 'utf8'))

  /** As archives of Docker: those of OCI have no health check. */
  async function makeImages(tag) {
    // Docker knows it by itself.
    const here = `--build-arg=BUILDPLATFORM=linux/${process.arch === 'x64' ? 'amd64' : process.arch}`
    const time = `--timestamp=${git('log', '-1', '--format=%ct')}`
    const options = ['--format=docker', time, here, `--build-arg=COMMIT=${gitHead}`]
    for (const platform of ['amd64', 'arm64']) {
      const buildah = (...args) => execFileSync('buildah', args, { cwd: root, stdio: 'inherit' })
      const built = `${tag}-${platform}`
      buildah('bud', ...options, `--platform=linux/${platform}`, `--tag=${built}`, '.')
      const archive = join(output, `${name}-image-${platform}.tar`)
      buildah('push', built, `docker-archive:${archive}:${tag}`)
    }
    // Needs packages, which were installed only now.
    const { writeTemplates } = await import('./templates.mjs')
    writeTemplates(join(output, 'templates'), values.image)
  }

  /** With the PostgreSQL of this platform. */
  function makeOffline(folder) {
    const tar = [
      ...['--sort=name', `--mtime=@${git('log', '-1', '--format=%ct')}`],
      ...['--owner=0', '--group=0', '--numeric-owner', '-I', 'gzip -n'],
      ...[`--transform=s/^package/${folder}/`, '-cf', `${folder}.tar.gz`, 'package'],
    ]
    execFileSync('tar', tar, { cwd: output })
  }
}

/** The page has the commands of a checkout, as the program does: see asTyped() in next-command.ts. */
function sayCommandsAsTyped(folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    const typed = text.replaceAll('npm run rapport --', 'rapport')
    if (typed === text) continue
    writeFileSync(file, typed)
    writeFileSync(`${file}.br`, brotliCompressSync(typed))
    writeFileSync(`${file}.gz`, gzipSync(typed, { level: 9 }))
  }
}

/** Source maps and types. */
function removeForReaders(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (/\.map$|\.d\.[cm]?ts$/.test(name)) rmSync(join(folder, name))
  }
}

/** Later releases are tested with a database of this one: see docs/UPGRADE.md. */
function requireDatabase() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const file = join('server/test/fixtures/releases', `${version}.gz`)
  const made = existsSync(join(root, file)) && gunzipSync(readFileSync(join(root, file))).toString()
  const migrations = made
    ? JSON.parse(made.slice(made.indexOf('{'), made.indexOf('\n'))).migrations
    : []
  const known = readdirSync(join(root, 'server/src/db/migrations')).sort()
  if (migrations.map(({ name }) => name).join() === known.join()) return
  fail(
    `${file} must have a database with the tables of this release. Make it: UPDATE_RELEASE=1 npm test -- server/test/other-release.test.ts`,
  )
}

function writeAlone(file, text) {
  writeFileSync(join(output, file), text)
}

/** The entries of the lock file that these packages need, found as Node finds them. */
function closure({ dependencies, optionalDependencies }) {
  const found = {}
  const visit = (from, names) => {
    for (const name of names) {
      const path = resolved(from, name)
      if (path === undefined || found[path]) continue
      // Only for this release, whatever else the checkout needs it for.
      const {
        dev: _dev,
        devOptional: _devOptional,
        optional: _optional,
        ...entry
      } = lock.packages[path]
      found[path] = { ...entry, ...(isOptional(path) && { optional: true }) }
      const more = {
        ...entry.dependencies,
        ...entry.optionalDependencies,
        ...entry.peerDependencies,
      }
      visit(path, Object.keys(more))
    }
  }
  visit('', Object.keys({ ...dependencies, ...optionalDependencies }))
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Where Node finds the package for a file of another one. Undefined: it is not installed. */
function resolved(from, name) {
  const path = `${from && `${from}/`}node_modules/${name}`
  if (lock.packages[path]) return path
  if (from === '') return undefined
  return resolved(from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)), name)
}

function isOptional(path) {
  return Object.keys(about.optionalDependencies).some((name) => path === `node_modules/${name}`)
}
