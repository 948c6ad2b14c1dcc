// Every command of the README and of docs/ works when it is pasted in order into a fresh shell: those in
// ```console blocks are run here. What needs more than a clone (another machine, half an hour, rights of
// root) is in ```sh blocks, which are not run.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fillFolder } from './data-folder.ts'
import { freePort } from './free-port.ts'
import { program, projectFolder, type Running, serving } from './running-program.ts'

const box = program()
let folder: string
/** A clone of the project. Each document has a copy. */
let original: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport documents '))
  original = join(folder, 'original')
  await clone(original)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Step {
  command: string
  /** What the document shows below the command. */
  shown: string
}

/** Commands that the document shows to fail. */
const refused = ['cut.backup', 'north.backup'].map((file) => `npm run rapport -- restore ${file}`)

function stepsIn(text: string): Step[] {
  const blocks = [...text.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return blocks.flatMap((block) => {
    const steps: Step[] = []
    for (const line of block.split('\n')) {
      const last = steps.at(-1)
      if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: '' })
      else if (last && last.shown === '' && isOpen(last.command)) last.command += `\n${line}`
      else if (last) last.shown += `${line}\n`
    }
    return steps
  })
}

/** The shell would ask for more: a backslash at the end, or a quote that is not closed. */
function isOpen(command: string): boolean {
  return command.endsWith('\\') || (command.match(/'/g)?.length ?? 0) % 2 === 1
}

const number = String.raw`\d+(,\d{3})*(\.\d+)?`
const changing: [RegExp, string][] = [
  [/^…/, String.raw`[\s\S]*?`],
  [/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/, '[0-9a-f-]{36}'],
  [/^[0-9a-f]{8}-…/, '[0-9a-f-]{36}'],
  [/^r[kl]_[\w-]+/, String.raw`r[kl]_[\w-]+`],
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z/, String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`],
  [/^(DATA_DIR=)?\/home\/ada\/[\w./-]+/, String.raw`(DATA_DIR=)?('[^']+'|\S.*?)`],
  [new RegExp(`^${number}`), number],
  [/^\s+/, String.raw`\s*`],
]

/** What the document shows, as a pattern: ids, keys, times, numbers and folders are others each time. */
function patternOf(shown: string): RegExp {
  let rest = shown.trim()
  let pattern = ''
  while (rest !== '') {
    const [found, replacement] = changing.find(([kind]) => kind.test(rest)) ?? []
    const length = found?.exec(rest)?.[0].length ?? 1
    pattern += replacement ?? rest.slice(0, 1).replace(/[.*+?^${}()|[\]\\]/, '\\$&')
    rest = rest.slice(length)
  }
  return new RegExp(pattern)
}

/** A copy of the project as a clone has it after its first start: installed and built. */
async function clone(to: string): Promise<void> {
  await cp(projectFolder, to, {
    recursive: true,
    preserveTimestamps: true,
    filter: (file) => !['node_modules', '.git'].includes(basename(file)),
  })
  await symlink(join(projectFolder, 'node_modules'), join(to, 'node_modules'))
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...author, 'commit', '-qm', 'Clone'],
  ]) {
    await promisify(execFile)('git', args, { cwd: to })
  }
}

/** A shell that stays open, as in a terminal. */
function shell(cwd: string, env: Record<string, string | undefined>) {
  const child = spawn('bash', ['--norc', '--noprofile'], { cwd, env, stdio: 'pipe' })
  const mark = 'end of the command:'
  let output = ''
  let look = () => {}
  const read = (chunk: Buffer) => {
    output += chunk
    look()
  }
  child.stdout.on('data', read)
  // Both are one in a terminal. Two pipes might be read in another order.
  child.stdin.write('exec 2>&1\n')
  return {
    run(command: string): Promise<{ code: number; text: string }> {
      output = ''
      child.stdin.write(`{ ${command}\n} < /dev/null\necho "${mark} $?"\n`)
      return new Promise((resolve) => {
        look = () => {
          const [end, code] = new RegExp(`${mark} (\\d+)\n`).exec(output) ?? []
          if (end) resolve({ code: Number(code), text: output.replace(end, '') })
        }
        look()
      })
    },
    async close() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

const withoutNpm = `npm() {
  if [ "$1 $2 $3" = "run rapport --" ]; then node scripts/rapport.mjs "\${@:4}"; else command npm "$@"; fi
}`

const documents = [
  'README.md',
  ...(await readdir(join(projectFolder, 'docs')))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

describe('commands work when they are pasted', () => {
  test.each(documents)('%s', async (name) => {
    const text = await readFile(join(projectFolder, name), 'utf8')
    const steps = stepsIn(text)
    if (steps.length === 0) return
    const place = join(folder, name.replace('/', ' '))
    const [cwd, home] = [join(place, 'rapport'), join(place, 'home')]
    await mkdir(home, { recursive: true })
    await promisify(execFile)('cp', ['-a', original, cwd])
    const port = String(await freePort())
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      DATA_DIR: join(place, 'data'),
      PORT: port,
    }
    // The README begins with the first start, on an empty folder.
    if (name !== 'README.md') await fillFolder(env.DATA_DIR)
    const terminal = shell(cwd, env)
    let server: Running | undefined
    onTestFinished(async () => {
      // To npm and what it runs, as a terminal does.
      if (server?.child.pid) process.kill(-server.child.pid, 'SIGINT')
      await server?.ended
    })
    for (const [at, { command, shown }] of steps.entries()) {
      // The first steps of the README show that it works with npm, which takes longer to start than most commands.
      if (at === (name === 'README.md' ? 6 : 0)) await terminal.run(withoutNpm)
      const line = command.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      if (line === 'npm start') {
        const start = ['-c', 'cd "$CLONE" && exec npm start']
        server = await serving(box.spawned('sh', start, { ...env, CLONE: cwd }))
        // It has no terminal here. What the document shows for one is in the tests of the first sign-in.
        const [shownWithoutTerminal = ''] = /^ .*\bfirst-sign-in\.txt\n.*$/m.exec(text) ?? []
        expect.soft(server.output, command).toMatch(patternOf(shownWithoutTerminal))
        continue
      }
      const { code, text: printed } = await terminal.run(line)
      const mayFail = refused.includes(command)
      expect({ command, code, printed }).toMatchObject({ code: mayFail ? expect.any(Number) : 0 })
      if (mayFail && code === 0) expect.fail(`${command} should have been refused`)
      if (!shown.includes('"issues"')) expect(printed, command).not.toContain('"issues":[')
      expect.soft(printed, command).toMatch(patternOf(shown))
    }
    await terminal.close()
    const { stdout } = await promisify(execFile)('git', ['status', '--porcelain'], { cwd })
    expect(stdout).toBe('')
  })
})

const hasSystemd = existsSync('/usr/bin/systemd-analyze')
test.runIf(hasSystemd)(
  'the systemd unit has no mistake, and lets the service do little',
  async () => {
    const unit = join(projectFolder, 'docs/operations/rapport.service')
    const analyze = (...args: string[]) => promisify(execFile)('systemd-analyze', args)
    expect(await analyze('verify', unit)).toEqual({ stdout: '', stderr: '' })
    // Of ten, where ten is everything. It fails beyond the threshold.
    await analyze('security', '--offline=true', '--threshold=25', unit)
  },
)
