// The worst that one request may send, to every route: nobody else may have to wait for it.

import { contract } from '@rapport/contract'
import type { Route } from '@rapport/contract/route'
import { newId } from '../src/ids.ts'
import { HttpClient, type HttpRequest } from '../test/http-client.ts'
import { memoryOf } from '../test/memory.ts'
import { type Service, type Workspace, withService } from './service.ts'
import { kinds, rawBodies, worstBody } from './stalls.bodies.ts'
import { worstFiles } from './stalls.files.ts'
import { stallLimit, startProbe } from './stalls.probe.ts'
import { Breach, type Context, type Figures, type Size, type Torture } from './torture.ts'

/** As large as a body may be, and small enough for the tests. */
const sizes: Record<Size, number> = { short: 300_000, long: 16_700_000 }
/** What one request may take for a moment: its body, the values of it, and their copy for the database. */
const peakLimitMb = 1_000
/** What may be left when all are done. */
const growthLimitMb = 300

export const stalls: Torture = {
  name: 'stalls',
  summary: 'sends the worst allowed body to every route, while health checks must not wait',
  run: (size, context) => withService(context, (service) => run(service, size, context)),
}

interface Worst {
  name: string
  /** Made when it is sent: together they would be gigabytes. */
  make(): HttpRequest
}

async function run(service: Service, size: Size, context: Context): Promise<Figures> {
  const space = await service.workspace('Stalled')
  const pid = service.server.child.pid as number
  const probe = startProbe(service.server)
  // Slow is not a fault, as long as only the sender waits.
  const http = new HttpClient({ timeoutMs: 300_000 })
  const found: string[] = []
  const slow: [number, string][] = []
  let sent = 0
  try {
    const { idleMs, limitMs } = await stallLimit(service, space, probe)
    const before = (await memoryOf(pid))?.now ?? 0
    for (const worst of await everyWorst(space, sizes[size])) {
      if (context.signal.aborted) break
      const { name, make } = worst
      await probe.longest()
      const answer = await http.send(service.server.url, make()).catch((error: Error) => error)
      const waitedMs = await probe.longest()
      const { child, output } = service.server
      const end = child.exitCode ?? child.signalCode
      if (end !== null)
        throw new Breach(`${name} ended the service: ${end}\n${output.slice(-2000)}`)
      if (answer instanceof Error) {
        found.push(`${name}: ${answer.message}`)
        continue
      }
      sent++
      slow.push([waitedMs, name])
      if (waitedMs > limitMs) found.push(`${name}: a health check waited ${waitedMs} ms`)
      if (answer.status >= 500 && answer.status !== 503) {
        found.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
      }
    }
    slow.sort(([a], [b]) => b - a)
    for (const [ms, name] of slow.slice(0, 15)) context.say(`${ms} ms  ${name}`)
    const memory = await memoryOf(pid)
    const [now, peak] = [Math.round(memory?.now ?? 0), Math.round(memory?.peak ?? 0)]
    if (peak > peakLimitMb) found.push(`memory rose to ${peak} MB`)
    if (now > before + growthLimitMb)
      found.push(`memory grew from ${Math.round(before)} to ${now} MB`)
    if (found.length > 0) throw new Breach(found.join('\n'))
    return {
      'requests sent, each the worst of its kind': sent,
      'idle: longest wait of a health check (ms)': Math.round(idleMs),
      'longest wait of a health check (ms)': slow[0]?.[0] ?? 0,
      'memory at first (MB)': Math.round(before),
      'memory at the end (MB)': now,
      'most memory (MB)': peak,
    }
  } finally {
    http.close()
    await probe.stop()
  }
}

async function everyWorst(space: Workspace, bytes: number): Promise<Worst[]> {
  const ids = await makeRecords(space)
  const request = (
    method: string,
    path: string,
    body: string | Buffer,
    type = 'application/json',
  ): HttpRequest => ({
    ...{ method, path: `/rest${path}`, body },
    headers: { 'X-API-KEY': space.key, 'Content-Type': type },
  })
  const routes = Object.values(contract).flatMap(({ routes }) => Object.values(routes) as Route[])
  const bodies = routes.flatMap(({ method, path, body }): Worst[] => {
    if (!body) return []
    const address = path.replace('{id}', ids[path.split('/')[1] ?? ''] ?? newId())
    return kinds.map((kind) => ({
      name: `${method} ${path}, ${kind}`,
      make: () => request(method, address, worstBody(body, kind, bytes)),
    }))
  })
  const raw = Object.entries(rawBodies(bytes)).map(([name, make]) => ({
    name: `POST /leads/list, ${name}`,
    make: () => request('POST', '/leads/list', make()),
  }))
  const files = Object.entries(worstFiles(bytes)).map(([name, { type, make }]) => ({
    name: `POST /leads/import, ${name}`,
    make: () => request('POST', '/leads/import?create_attributes=true', make(), type),
  }))
  return [...bodies, ...raw, ...files]
}

/** One record of each kind that a path may name: its id by the first word of the path. */
async function makeRecords(space: Workspace): Promise<Record<string, string>> {
  const make = async (path: string, body: object) => {
    const { status, body: record } = await space.call('POST', path, body)
    if (status !== 200) throw new Breach(`POST ${path}: ${status}`)
    return record.id as string
  }
  const lead = await make('/lead', { first_name: 'Ada' })
  return {
    lead,
    lists: await make('/lists', { name: 'List' }),
    status: await make('/status', { name: 'Status' }),
    tags: await make('/tags', { name: 'Tag' }),
    attributes: await make('/attributes', { name: 'Choice', type: 'SELECT' }),
    notes: await make('/notes', { id_lead: lead, content: 'Note' }),
    reminders: await make('/reminders', { name: 'Reminder', date: '2030-01-01T00:00:00Z' }),
    views: await make('/views', { name: 'View' }),
    members: space.members[1] as string,
  }
}
