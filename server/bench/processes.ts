// The processes of a measurement: the service, the ceiling, the load generator, single commands.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from '../src/root.ts'
import { type HttpAnswer, HttpClient, type HttpRequest } from '../test/http-client.ts'
import { addressIn, endProcess, environment, hasEnded, program } from '../test/program.ts'
import type { BenchData } from './data.ts'
import type { Order, Seen } from './load.ts'

export interface Running {
  url: string
  pid: number
  /** Any other status than 200 is an error. */
  send(request: HttpRequest): Promise<HttpAnswer>
  /** The response as a stream. */
  open(request: HttpRequest): Promise<IncomingMessage>
  stop(): Promise<void>
}

/** The scripts of the bench as they are built (server/build.mjs). */
const built = (file: string) => fileURLToPath(new URL(`server/dist-tools/bench/${file}`, root))

/**
 * With default settings: the bundled PostgreSQL, and a log line for each request. `by` is the script of
 * another version.
 */
export function startService(
  data: BenchData,
  by = program,
  settings: Record<string, string> = {},
): Promise<Running> {
  return start('service', [by, 'serve'], data, addressIn, settings)
}

export function startCeiling(data: BenchData): Promise<Running> {
  const args = [built('ceiling.js'), JSON.stringify(data)]
  return start('ceiling', args, data, (output) => /(http:\S+)/.exec(output)?.[1])
}

/** Every process that runs, so that all can be ended. */
const running = new Set<ChildProcess>()

function keep<Child extends ChildProcess>(child: Child): Child {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Its output goes to a file, because reading a pipe here would take time from the measurement. */
async function start(
  name: string,
  args: string[],
  { dataDir, databaseUrl }: BenchData,
  address: (output: string) => string | undefined,
  settings: Record<string, string> = {},
): Promise<Running> {
  const log = `${join(dataDir, '..', name)}.log`
  const output = openSync(log, 'w')
  const child = keep(
    spawn(process.execPath, args, {
      env: environment(dataDir, { DATABASE_URL: databaseUrl, ...settings }),
      stdio: ['ignore', output, output],
    }),
  )
  for (let waited = 0; ; waited += 20) {
    const said = await readFile(log, 'utf8')
    const url = address(said)
    if (url) return runningAt(url, child)
    if (hasEnded(child) || waited > 60_000) throw new Error(`Did not start:\n${said}`)
    await sleep(20)
  }
}

function runningAt(url: string, child: ChildProcess): Running {
  const http = new HttpClient()
  const refusal = ({ method, path }: HttpRequest, status = 0, text = '') =>
    new Error(`${method} ${path} returned ${status} ${text.slice(0, 500)}`)
  return {
    url,
    pid: child.pid as number,
    async send(request) {
      const answer = await http.send(url, request)
      if (answer.status !== 200) throw refusal(request, answer.status, answer.text)
      return answer
    },
    async open(request) {
      const answer = await http.open(url, request)
      if (answer.statusCode !== 200) throw refusal(request, answer.statusCode)
      return answer
    },
    async stop() {
      http.close()
      await endProcess(child, 'SIGTERM')
    },
  }
}

/** A process that does not end by itself within 10 seconds is killed. */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const kill = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await endProcess(child, 'SIGTERM')
      clearTimeout(kill)
    }),
  )
}

export async function load(order: Order): Promise<Seen> {
  const child = keep(
    spawn(process.execPath, [built('load.js')], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  child.stdin.end(JSON.stringify(order))
  const said = await text(child.stdout)
  const seen: Seen = JSON.parse(said || '{"rate":0,"failed":1}')
  if (seen.failed > 0) throw new Error(`${order.path}: ${seen.failed} requests failed`)
  return seen
}

interface CommandOptions {
  /** The script that runs it, of another version if need be. */
  by?: string
  /** Runs at the same time as the command. */
  watch?(child: ChildProcess): Promise<void>
}

/** Runs a command of Rapport to its end, in a process of its own. */
export async function runCommand(
  dataDir: string,
  args: string[],
  { by = program, watch = async () => {} }: CommandOptions = {},
): Promise<{ seconds: number; output: string }> {
  const started = performance.now()
  const child = keep(
    spawn(process.execPath, [by, ...args], {
      env: environment(dataDir),
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const closed = once(child, 'close')
  const measured = closed.then(() => (performance.now() - started) / 1000)
  const [output, seconds] = await Promise.all([text(child.stdout), measured, watch(child)])
  const [status, signal] = await closed
  if (status === 0) return { seconds, output }
  throw new Error(`rapport ${args[0]} ended with ${signal ?? status}.\n${output}`)
}
