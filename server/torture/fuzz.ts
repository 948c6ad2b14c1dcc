// Bad input: whatever is sent, the response is as documented in OpenAPI, and the service continues.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../src/random.ts'
import type { Answer, HttpRequest } from '../test/http-client.ts'
import { damage, toRequest } from './fuzz.damage.ts'
import { type Operation, readDocument } from './fuzz.document.ts'
import { nestedTexts } from './fuzz.nested.ts'
import { rawRequest, sendRaw, shown } from './fuzz.raw.ts'
import { fillRecords, Records } from './fuzz.records.ts'
import { type Draft, draft, type Workshop } from './fuzz.requests.ts'
import { literalSearches, roundTrip, type TextTally, writers } from './fuzz.texts.ts'
import { pollution } from './fuzz.values.ts'
import { type Service, type Workspace, withService } from './service.ts'
import { stallLimit, startProbe } from './stalls.probe.ts'
import { Breach, type Context, type Figures, type Size, type Torture, together } from './torture.ts'

/** Many lanes: the response to a wrong key waits up to 5 seconds, and its lane with it. */
const sizes: Record<Size, { requests: number; lanes: number; searches: number }> = {
  short: { requests: 1_000, lanes: 4, searches: 15 },
  long: { requests: 100_000, lanes: 24, searches: 500 },
}
/** Requests before a lane starts a new workspace: in a large workspace everything is slower. */
const perWorkspace = 500

interface Tally {
  sent: number
  succeeded: number
  refused: number
  malformed: number
  unanswered: number
  highest: number
}

/** The last requests that were answered, for the report of a stall. */
const recent: string[] = []
const maxRecent = 10

export const fuzz: Torture = {
  name: 'fuzz',
  summary: 'sends valid and invalid requests, made from the OpenAPI document',
  run: (size, context) => withService(context, (service) => run(service, size, context)),
}

async function run(service: Service, size: Size, context: Context): Promise<Figures> {
  const { lanes, searches } = sizes[size]
  const requests = context.requests ?? sizes[size].requests
  const { body } = await service.send({ method: 'GET', path: '/openapi.json', headers: {} })
  const document = readDocument(body)
  const tally: Tally = {
    sent: 0,
    succeeded: 0,
    refused: 0,
    malformed: 0,
    unanswered: 0,
    highest: 0,
  }
  const texts: TextTally = { requests: 0, fields: new Set(), values: 0, searches: 0 }
  const isDone = () => tally.sent + texts.requests >= requests

  const lane = (random: Random) => async (goesOn: () => boolean) => {
    while (goesOn() && !isDone()) {
      const space = await service.workspace('Fuzzed')
      const records = new Records(document.kinds)
      const shop = { document, records, random }
      texts.requests += await fillRecords(space, records)
      for (const operation of writers(document)) await roundTrip(shop, space, operation, texts)
      await nestedTexts(space, random, texts)
      for (let count = 0; count < perWorkspace && goesOn() && !isDone(); count++) {
        await oneRequest(service, space, shop, tally)
        if (tally.sent % 5_000 === 0) context.say(`${tally.sent} requests`)
      }
      await checkPrototypes(space)
    }
  }
  const forks = Array.from({ length: lanes }, () => context.random.fork())
  const searching = context.random.fork()
  const probe = startProbe(service.server)
  let longestMs = 0
  try {
    const { limitMs } = await stallLimit(service, await service.workspace('Idle'), probe)
    const watch = async (goesOn: () => boolean) => {
      while (goesOn() && !isDone()) {
        await sleep(500)
        const waitedMs = await probe.longest()
        longestMs = Math.max(longestMs, waitedMs)
        if (waitedMs <= limitMs) continue
        throw new Breach(`A health check waited ${waitedMs} ms. Sent before:\n${recent.join('\n')}`)
      }
    }
    await together([...forks.map(lane), watch], context.signal)
  } finally {
    await probe.stop()
  }
  await literalSearches(await service.workspace('Searched'), searching, texts, searches)
  await checkAlive(service)
  return {
    'requests sent': tally.sent + texts.requests,
    'of them made from the document': tally.sent - tally.malformed,
    'of these successful': `${Math.round((100 * tally.succeeded) / (tally.sent - tally.malformed))} %`,
    'of these refused, with the error body': tally.refused,
    'operations called': document.operations.length,
    'malformed HTTP requests': tally.malformed,
    'of these closed without an answer': tally.unanswered,
    'text fields written and read back': texts.fields.size,
    'texts read back unchanged': texts.values,
    'searches for text with % and _': texts.searches,
    'highest status of an answer': tally.highest,
    'longest wait of a health check (ms)': longestMs,
  }
}

async function oneRequest(
  service: Service,
  space: Workspace,
  shop: Workshop,
  tally: Tally,
): Promise<void> {
  const { document, random } = shop
  tally.sent++
  if (random.chance(0.04)) {
    tally.malformed++
    const raw = rawRequest(space.key, random)
    const answer = await sendRaw(service.server.url, raw)
    if (!answer) {
      tally.unanswered++
      return
    }
    tally.highest = Math.max(tally.highest, answer.status)
    if (answer.status !== 200) check(document.fault(answer, undefined), shown(raw.bytes), answer)
    return
  }
  const planned = draft(shop, nextOperation(shop))
  const right = toRequest(planned, space.key)
  const sent = random.chance(0.5) ? right : damage(right, random, planned)
  const answer = await service.send(sent).catch((error: Error) => {
    throw new Breach(`${error.message}. ${describe(sent)}`)
  })
  if (recent.push(describe(sent).slice(0, 300)) > 2 * maxRecent) recent.splice(0, maxRecent)
  const operation = document.match(sent.method, sent.path)
  check(document.fault(answer, operation), describe(sent), answer)
  tally.highest = Math.max(tally.highest, answer.status)
  if (answer.status === 200) tally.succeeded++
  else tally.refused++
  learn(shop, planned, operation, answer)
}

/** After these the key of the run could be refused, and with it everything that follows. */
const endOwnAccess = ['DELETE /keys/{id}', 'PATCH /members/{id}', 'DELETE /members/{id}']

/** Chooses deletions less often, and creations while there are few records. */
function nextOperation({ document, records, random }: Workshop): Operation {
  const operation = random.pick(
    document.operations.filter(({ name }) => !endOwnAccess.includes(name)),
  )
  const isRare = operation.method === 'DELETE' || operation.path.endsWith('/delete')
  if (isRare && random.chance(0.8)) return nextOperation({ document, records, random })
  if (records.count(operation.kind) >= 3 || !operation.path.includes('{id}')) return operation
  const creator = document.operations.find(
    ({ method, path, kind }) =>
      method === 'POST' && kind === operation.kind && /^\/\w+$/.test(path),
  )
  return creator ?? operation
}

function learn(
  { records }: Workshop,
  { operation, id }: Draft,
  reached: Operation | undefined,
  answer: Answer,
) {
  if (reached !== operation) return
  const isGone = operation.method === 'DELETE' ? answer.status === 200 : answer.status === 404
  if (operation.path.includes('{id}') && isGone) records.forget(operation.kind, id)
  else if (answer.status === 200) records.harvest(operation.kind, answer)
}

function check(fault: string | undefined, request: string, { status, text }: Answer): void {
  if (fault) throw new Breach(`The answer ${fault}. ${request} → ${status} ${text.slice(0, 500)}`)
}

function describe({ method, path, headers, body }: HttpRequest): string {
  const { 'X-API-KEY': _, ...shownHeaders } = headers
  const text = body === undefined ? '' : JSON.stringify(body.toString().slice(0, 1000))
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(shownHeaders).slice(0, 300)} ${text}`
}

/** If a request had polluted a prototype, an empty body would seem to have fields. */
async function checkPrototypes(space: Workspace): Promise<void> {
  const { status, body } = await space.call('POST', '/lists', {})
  if (status !== 400) throw new Breach('POST /lists accepts a body without a name')
  const missing = body.issues.map(({ path }: { path: string[] }) => path.join()).join()
  if (missing !== 'name') throw new Breach(`POST /lists {} complains about ${missing}`)
  const lead = await space.call('POST', '/lead', {})
  for (const field of ['city', 'first_name'] as const) {
    if (lead.body[field] === null) continue
    throw new Breach(
      `POST /lead {} has ${field} ${lead.body[field]}: a prototype is ${pollution.name}`,
    )
  }
}

async function checkAlive({ server, send }: Service): Promise<void> {
  const { status } = await send({ method: 'GET', path: '/readyz', headers: {} })
  if (status !== 200) throw new Breach(`The service is no longer ready: ${status}`)
  if (server.child.exitCode !== null) throw new Breach('The service has ended')
  if (/"level":"(error|fatal)"/.test(server.output)) {
    throw new Breach(`The service logged an error:\n${server.output.slice(-3000)}`)
  }
}
