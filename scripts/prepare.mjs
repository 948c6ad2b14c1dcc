// Prepares a checkout: installs missing packages and builds outdated output.
// Plain JavaScript without dependencies, because it runs before packages are installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const installStamp = join(root, 'node_modules', '.rapport-installed')
/** What is built, from which sources, where to. */
const service = {
  name: 'service',
  sources: ['contract', 'server/src', 'server/build.mjs', 'server/mend-driver.mjs'],
  out: 'server/dist',
  build: (out) => runNode('server/build.mjs', ['service', out]),
}
const page = {
  name: 'page',
  sources: ['contract', 'web'],
  out: 'web/dist',
  // Under a test NODE_ENV is set, and React would be built for development: larger and slower.
  build: (out) =>
    runTool(
      'vite/bin/vite.js',
      ['build', 'web', '--logLevel', 'warn', '--emptyOutDir', '--outDir', join(root, out)],
      { ...process.env, NODE_ENV: 'production' },
    ),
}
/** The package for other programs. Here only its tests and the release use it. */
const client = {
  name: 'client',
  sources: ['contract', 'client'],
  out: 'client/dist/package',
  build: (out) => runNode('client/build.mjs', [out]),
}
/** The bench, the torture, and what tests run in processes of their own. */
const tools = {
  name: 'tools',
  sources: ['contract', 'client', 'server'],
  out: 'server/dist-tools',
  build: (out) => runNode('server/build.mjs', ['tools', out]),
}
const lockFile = join(root, '.prepare.lock')
const waitMs = 250
/** Ten minutes: the number in the lock may be that of another process by now. */
const mostWaits = 600_000 / waitMs

/**
 * `dev` also installs packages for tests and checks. `withTools` also builds bench and torture, `withClient` the package
 * for other programs. Most commands need no page.
 */
export function prepare({
  dev = false,
  withTools = false,
  withClient = false,
  withPage = true,
} = {}) {
  requireNode(20, 19)
  const wanted = [
    service,
    ...(withPage ? [page] : []),
    ...(withTools ? [tools] : []),
    ...(withClient ? [client] : []),
  ]
  if (isInstalled(dev) && wanted.every(isBuilt)) return
  withLock(() => {
    if (!isInstalled(dev)) install(dev)
    for (const project of wanted) if (!isBuilt(project)) build(project)
  })
}

export function fail(line) {
  console.error(line)
  process.exit(1)
}

/** Runs a program from node_modules with this Node. If it fails, exits with its status. */
export function runTool(file, args, env) {
  runNode(join('node_modules', file), args, env)
}

function runNode(file, args, env = process.env) {
  const options = { cwd: root, stdio: 'inherit', env }
  const { status, signal } = spawnSync(process.execPath, [join(root, file), ...args], options)
  if (status !== 0) process.exit(status ?? (signal ? 130 : 1))
}

function requireNode(major, minor) {
  const [a, b] = process.versions.node.split('.').map(Number)
  if (a < major || (a === major && b < minor)) {
    fail(`Rapport needs Node ${major}.${minor} or newer; this is ${process.versions.node}.`)
  }
}

function isInstalled(dev) {
  const stamp = readIfThere(installStamp)
  if (stamp)
    return [dev || 'run', 'all'].includes(stamp.split(' ')[1]) && stamp.startsWith(lockHash())
  // The user may have run `npm ci` or `npm install`: npm then leaves a list of what it has installed.
  const list = readIfThere(join(root, 'node_modules', '.package-lock.json'))
  if (!list) return false
  const { packages: installed } = JSON.parse(list)
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).every(
    ([path, { version, dev: isForTests, optional, devOptional, link }]) =>
      !path.startsWith('node_modules/') ||
      (optional ?? devOptional ?? (isForTests && !dev)) ||
      (link ? existsSync(join(root, path)) : installed[path]?.version === version),
  )
}

function install(dev) {
  say('Installing packages (once)…')
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=optional']
  args.push(dev ? '--include=dev' : '--omit=dev')
  const { npm_execpath: npm } = process.env
  const { status, error } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, {
        cwd: root,
        stdio: ['ignore', 2, 2],
        shell: process.platform === 'win32',
      })
  if (status !== 0) {
    fail(
      `Could not install the packages${error ? ` (${error.message})` : ''}. Run "npm ci" to see why.`,
    )
  }
  writeFileSync(installStamp, `${lockHash()} ${dev ? 'all' : 'run'}`)
}

const stamp = '.built'

function isBuilt(project) {
  return readIfThere(join(root, project.out, stamp)) === sourceHash(project)
}

function build(project) {
  say(`Building the ${project.name}…`)
  const hash = sourceHash(project)
  const fresh = `${project.out}-new`
  rmSync(join(root, fresh), { recursive: true, force: true })
  project.build(fresh)
  writeFileSync(join(root, fresh, stamp), hash)
  rmSync(join(root, project.out), { recursive: true, force: true })
  renameSync(join(root, fresh), join(root, project.out))
}

const isBuildOutput = /(^|[/\\])(dist(-tools)?(-new)?|node_modules)([/\\]|$)/

/**
 * Hash of the names and contents of all sources: copies and archives of a checkout count as built. It takes some
 * 50 ms.
 */
function sourceHash({ sources }) {
  const hash = createHash('sha256').update(lockHash()).update(describe('tsconfig.json'))
  for (const source of sources) {
    if (/\.\w+$/.test(source)) hash.update(describe(source))
    else
      for (const name of readdirSync(join(root, source), { recursive: true }).sort()) {
        const file = join(source, name)
        if (isBuildOutput.test(file) || file.endsWith('.test.ts')) continue
        if (/\.(ts|tsx|mjs|css|html|json)$/.test(file)) hash.update(describe(file))
      }
  }
  return hash.digest('hex')
}

function describe(name) {
  const content = readFileSync(join(root, name))
  return `${name.replaceAll(sep, '/')} ${createHash('sha1').update(content).digest('hex')}\n`
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

/** A lock file: two commands that start at the same time on a new clone must not both install. */
function withLock(work) {
  for (let waited = 0; ; waited++) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') {
        fail(
          `Packages must be installed or built, but this folder is not writable: ${error.message}`,
        )
      }
      const owner = Number(readIfThere(lockFile))
      // A lock without an owner is being written, unless it stays like that.
      if (owner ? !isAlive(owner) : waited > 20) rmSync(lockFile, { force: true })
      else if (waited > mostWaits) {
        fail(
          `Another Rapport command has been installing or building for 10 minutes. If there is none, delete ${lockFile}.`,
        )
      } else {
        if (waited === 0) say('Waiting for another Rapport command that is installing or building…')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
      }
    }
  }
  const unlock = () => rmSync(lockFile, { force: true })
  process.on('exit', unlock)
  work()
  process.off('exit', unlock)
  unlock()
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Prints to standard error, so that standard output contains only the output of the command. */
function say(line) {
  console.error(line)
}
