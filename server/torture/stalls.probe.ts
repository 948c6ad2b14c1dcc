// Asks for /healthz again and again, and notes how long it waits. It runs in a thread of its own: making and
// sending large bodies would delay it.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { restRequest } from '../test/http-client.ts'
import type { Service, Workspace } from './service.ts'

export interface Probe {
  /** The longest wait since the last call, in milliseconds. Includes that of a check that still waits. */
  longest(): Promise<number>
  stop(): Promise<void>
}

/** In plain JavaScript, because the bundled tools have no file for it. */
const code = `
const { parentPort, workerData } = require('node:worker_threads')
const { Agent, get } = require('node:http')
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longest = 0
let asked
const ask = () => {
  asked = performance.now()
  const done = () => {
    longest = Math.max(longest, performance.now() - asked)
    asked = undefined
    setTimeout(ask, 10)
  }
  get(workerData + '/healthz', { agent }, (answer) => answer.resume().once('end', done)).once('error', done)
}
ask()
parentPort.on('message', () => {
  const waiting = asked === undefined ? 0 : performance.now() - asked
  parentPort.postMessage(Math.max(longest, waiting))
  longest = 0
})
`

export function startProbe(url: string): Probe {
  const worker = new Worker(code, { eval: true, workerData: url })
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
