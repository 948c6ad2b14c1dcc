// Asks for /healthz again and again, and notes how long it waits. It runs in a thread of its own: making and
// sending large bodies would delay it.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { restRequest } from '../test/http-client.ts'
import type { Server } from './server.ts'
import type { Service, Workspace } from './service.ts'

export interface Probe {
  /**
   * The longest wait since the last call, in milliseconds. Includes that of a check that still waits. Only as
   * much of a wait counts as the main thread of the service has worked: on a busy machine everything waits.
   */
  longest(): Promise<number>
  stop(): Promise<void>
}

/** In plain JavaScript, because the bundled tools have no file for it. */
const code = `
const { readFileSync } = require('node:fs')
const { Agent, get } = require('node:http')
const { parentPort, workerData } = require('node:worker_threads')
const { url, pid } = workerData
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const worked = () => {
  try {
    // Behind the name, which may hold blanks: utime and stime, in hundredths of a second.
    const stat = readFileSync('/proc/' + pid + '/task/' + pid + '/stat', 'utf8')
    const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12)
    return 10 * (Number(user) + Number(system))
  } catch {
    return undefined
  }
}
let longest = 0
let asked
const waited = () => {
  if (!asked) return 0
  const ms = performance.now() - asked.at
  const work = worked()
  return work === undefined || asked.worked === undefined ? ms : Math.min(ms, work - asked.worked)
}
const ask = () => {
  asked = { at: performance.now(), worked: worked() }
  const done = () => {
    longest = Math.max(longest, waited())
    asked = undefined
    setTimeout(ask, 10)
  }
  get(url + '/healthz', { agent }, (answer) => answer.resume().once('end', done)).once('error', done)
}
ask()
parentPort.on('message', () => {
  parentPort.postMessage(Math.round(Math.max(longest, waited())))
  longest = 0
})
`

export function startProbe({ url, child }: Server): Probe {
  const worker = new Worker(code, { eval: true, workerData: { url, pid: child.pid } })
  return {
    longest: () =>
      new Promise((resolve) => {
        worker.once('message', resolve)
        worker.postMessage('longest')
      }),
    async stop() {
      await worker.terminate()
    },
  }
}

/** How long a health check may wait. On a busy machine, a multiple of what it waits beside small requests. */
const stallLimitMs = 500
const timesIdle = 10

/** Also warms up the service. */
export async function stallLimit({ send }: Service, { key }: Workspace, probe: Probe) {
  const list = restRequest(key, 'POST', '/leads/list', {})
  for (let times = 0; times < 50; times++) await send(list)
  await probe.longest()
  for (let times = 0; times < 20; times++) {
    await send(list)
    await sleep(25)
  }
  const idleMs = await probe.longest()
  return { idleMs, limitMs: Math.max(stallLimitMs, timesIdle * idleMs) }
}
