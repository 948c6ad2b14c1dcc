// Prepares a checkout: installs missing packages and builds outdated output.
// Plain JavaScript without dependencies, because it runs before packages are installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const installStamp = join(root, 'node_modules', '.rapport-installed')
/** What is built, from which sources, where to. */
const service = {
  name: 'service',
  sources: ['contract', 'server/src', 'server/build.mjs', 'server/mend-driver.mjs'],
  out: 'server/dist',
  build: () => runNode('server/build.mjs', []),
}
const page = {
  name: 'page',
  sources: ['contract', 'web'],
  out: 'web/dist',
  // Under a test NODE_ENV is set, and React would be built for development: larger and slower.
  build: () =>
    runTool('vite/bin/vite.js', ['build', 'web', '--logLevel', 'warn'], {
      ...process.env,
      NODE_ENV: 'production',
    }),
}
/** The bench, the torture, and what tests run in processes of their own. */
const tools = {
  name: 'tools',
  sources: ['contract', 'server'],
  out: 'server/dist-tools',
  build: () => runNode('server/build.mjs', ['tools']),
}
const lockFile = join(root, '.prepare.lock')

/** `dev` also installs packages for tests and checks. `withTools` also builds bench and torture. */
export function prepare({ dev = false, withTools = false } = {}) {
  requireNode(20, 19)
  const wanted = withTools ? [service, page, tools] : [service, page]
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
  // The user may have run `npm ci` or `npm install`: npm then leaves a copy of the lock file.
  const copy = statIfThere(join(root, 'node_modules', '.package-lock.json'))
  return (
    copy !== undefined &&
    copy.mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs &&
    (!dev || existsSync(join(root, 'node_modules', 'vitest')))
  )
}

function install(dev) {
  say('Installing packages (once) …')
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

const stampOf = ({ out }) => join(root, out, '.built')

function isBuilt(project) {
  return readIfThere(stampOf(project)) === sourceHash(project)
}

function build(project) {
  say(`Building the ${project.name} …`)
  const hash = sourceHash(project)
  rmSync(join(root, project.out), { recursive: true, force: true })
  project.build()
  writeFileSync(stampOf(project), hash)
}

const isBuildOutput = /(^|[/\\])(dist|dist-tools|node_modules)([/\\]|$)/

/** Hash of the names, sizes and times of all sources. It is cheap enough for every start. */
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
  const { size, mtimeMs } = statSync(join(root, name))
  // Rounded, because copies of a folder keep times to the millisecond.
  return `${name} ${size} ${Math.round(mtimeMs)}\n`
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
      if (owner && !isAlive(owner)) rmSync(lockFile, { force: true })
      else {
        if (waited === 0)
          say('Waiting for another Rapport command that is installing or building …')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
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

function statIfThere(file) {
  return statSync(file, { throwIfNoEntry: false })
}

/** Prints to standard error, so that standard output contains only the output of the command. */
function say(line) {
  console.error(line)
}
