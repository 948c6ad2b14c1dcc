// The service as a person starts it: a process of its own, with the bundled PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillFolder } from '../test/data-folder.ts'
import { addressIn, endProcess, environment, program } from '../test/program.ts'
import { endPostgres } from './inspect.ts'

/** A key for the first workspace of the data, so that no key has to be read from the output. */
export const apiKey = 'torture-key-0123456789'

export interface Server {
  child: ChildProcess
  url: string
  dataDir: string
  /** What it has printed so far. */
  readonly output: string
  /** The process id of the bundled PostgreSQL. */
  postgresPid(): Promise<number>
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>
  /** Stops it as Ctrl-C does. Returns the exit status. */
  stop(): Promise<number | null>
}

/**
 * A folder for the data of one run. When root starts PostgreSQL, it runs under another account, and
 * that needs access.
 */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-torture-'))
  await chmod(folder, 0o711)
  await fillFolder(folder)
  return folder
}

/** Also ends the PostgreSQL that may still use it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  endPostgres(dataDir)
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
}

/**
 * Starts the service on this data and waits for its banner, at most 60 seconds. Calls `spawned` as
 * soon as the process exists.
 */
export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
  spawned: (child: ChildProcess) => void = () => {},
): Promise<Server> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: environment(dataDir, { LOG_LEVEL: 'error', RAPPORT_API_KEY: apiKey, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  spawned(child)
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}. It printed:\n${output}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('The server did not start within 60 seconds')
    }, 60_000)
    const read = (chunk: Buffer) => {
      output += chunk
      const address = addressIn(output)
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      fail(`The server ended with ${code ?? signal}`)
    })
  })
  return {
    child,
    url,
    dataDir,
    get output() {
      return output
    },
    postgresPid: () => postgresPid(dataDir),
    async kill() {
      await endProcess(child, 'SIGKILL')
    },
    stop: () => endProcess(child, 'SIGTERM'),
  }
}

async function postgresPid(dataDir: string): Promise<number> {
  const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(pidFile.split('\n', 1)[0])
}
