// The processes of a measurement: the service, the ceiling, and the load on either of them.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { root } from '../src/root.ts'
import { type HttpAnswer, HttpClient, type HttpRequest } from '../test/http-client.ts'
import type { BenchData } from './data.ts'
import type { Order, Seen } from './load.ts'

export interface Running {
  url: string
  pid: number
  /** Any other status than 200 is an error. */
  send(request: HttpRequest): Promise<HttpAnswer>
  /** The answer as a stream. */
  open(request: HttpRequest): Promise<IncomingMessage>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('scripts/rapport.mjs', root))
const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** As it is installed: default settings, the PostgreSQL in the box, a line of log for each request. */
export function startService(data: BenchData): Promise<Running> {
  return start([program, 'serve'], data, /API +(\S+)\/rest/)
}

export function startCeiling(data: BenchData): Promise<Running> {
  return start([beside('ceiling.js'), JSON.stringify(data)], data, /(http:\S+)/)
}

/** What is running, for the end of everything. */
const running = new Set<ChildProcess>()

/** Its output goes to a file: somebody who reads it would be part of what is measured. */
async function start(args: string[], { dataDir }: BenchData, address: RegExp): Promise<Running> {
  const log = `${join(dataDir, '..', args[0]?.endsWith('ceiling.js') ? 'ceiling' : 'service')}.log`
  const output = openSync(log, 'w')
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', output, output],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  for (let waited = 0; ; waited += 20) {
    const said = await readFile(log, 'utf8')
    const url = address.exec(said)?.[1]
    if (url) return runningAt(url, child)
    if (child.exitCode !== null || waited > 60_000) throw new Error(`Did not start:\n${said}`)
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
      await end(child)
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

export async function endAll(): Promise<void> {
  await Promise.all([...running].map(end))
}

export async function load(order: Order): Promise<Seen> {
  const child = spawn(process.execPath, [beside('load.js')], { stdio: ['pipe', 'pipe', 'inherit'] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.stdin.end(JSON.stringify(order))
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  await once(child, 'close')
  const seen: Seen = JSON.parse(said || '{"rate":0,"failed":1}')
  if (seen.failed > 0) throw new Error(`${order.path}: ${seen.failed} requests failed`)
  return seen
}

/** Memory of a process in MB. */
export async function memory(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1024
}
