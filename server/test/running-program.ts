// The program as a person starts it: real processes, driven from a test file.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { root } from '../src/root.ts'
import { fillFolder } from './data-folder.ts'
import { addressIn, environment, firstKeyIn, program as script } from './program.ts'
import { runHere } from './run-here.ts'

export const projectFolder = fileURLToPath(root)

type Environment = Record<string, string | undefined>

export interface Running {
  child: ChildProcess
  /** Everything it has printed so far, on both outputs. */
  readonly output: string
  /** Waits for a match in the output. Fails when the process ends without it. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** The exit status, or the name of the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>
}

export interface Serving extends Running {
  url: string
  /** The key of the first start. */
  key: string | undefined
}

/**
 * Starts programs on a data folder of the test file, and ends those that are left. The folder has a database,
 * unless `isEmpty`.
 */
export function program({ isEmpty = false } = {}) {
  let dataDir: string
  const running = new Set<Running>()
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rapport start '))
    if (!isEmpty) await fillFolder(dataDir)
  })
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGINT')
    await Promise.all([...running].map(({ ended }) => ended))
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Any command, in a process group of its own. */
  function spawned(command: string, args: string[], more?: Environment): Running {
    const options = { cwd: projectFolder, env: environment(dataDir, more), detached: true }
    const started = follow(spawn(command, args, options))
    running.add(started)
    started.ended.then(() => running.delete(started))
    return started
  }

  const launch = (args: string[], more?: Environment) =>
    spawned(process.execPath, [script, ...args], more)

  /** Starts the server and waits until it serves. */
  const start = (more?: Environment) => serving(launch(['serve'], more))

  /** Runs a command to its end, without a process. */
  const run = (args: string[], more?: Environment) => runHere(args, environment(dataDir, more))

  return {
    get dataDir() {
      return dataDir
    },
    spawned,
    launch,
    start,
    run,
    /** The process id of the bundled PostgreSQL. */
    postgres: async (folder = dataDir) =>
      Number((await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]),
    hasPostgres: (folder = dataDir) => existsSync(join(folder, 'postgres', 'postmaster.pid')),
  }
}

/** Waits for the banner. */
export async function serving(started: Running): Promise<Serving> {
  await started.says(/Stop with Ctrl-C\./)
  const url = addressIn(started.output) ?? ''
  const key = firstKeyIn(started.output)
  return Object.assign(started, { url, key })
}

export function follow(child: ChildProcess): Running {
  let output = ''
  let hasEnded = false
  const waiting = new Set<() => void>()
  const look = () => {
    for (const check of waiting) check()
  }
  const read = (chunk: Buffer) => {
    output += chunk
    look()
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    // What it has printed is read in the next turns of the event loop. 'close' may wait for processes that it has left.
    child.on('exit', (code, signal) =>
      setImmediate(() => setImmediate(() => resolve(code ?? signal))),
    )
  })
  // The output may come after the exit.
  child.on('close', () => {
    hasEnded = true
    look()
  })
  return {
    child,
    get output() {
      return output
    },
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = pattern.exec(output)
          if (!found && !hasEnded) return
          waiting.delete(check)
          if (found) resolve(found)
          else reject(new Error(`It ended without ${pattern}. It printed:\n${output}`))
        }
        waiting.add(check)
        check()
      }),
    ended,
  }
}
