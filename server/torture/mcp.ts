// Bad calls of tools: whatever the arguments are, the answer is a result or an error, and none is too large.
import { newId } from '../src/ids.ts'
import { messageOf } from '../src/mcp/remote.ts'
import { tools } from '../src/mcp/tools.ts'
import type { Random } from '../src/random.ts'
import type { HttpRequest } from '../test/http-client.ts'
import { changed } from './fuzz.damage.ts'
import { oddText, oddValue } from './fuzz.values.ts'
import { withService } from './service.ts'
import { Breach, type Size, type Torture, together } from './torture.ts'

const sizes: Record<Size, number> = { short: 300, long: 10_000 }
const lanes = 4
const maxAnswer = 32 * 1024

export const mcp: Torture = {
  name: 'mcp',
  summary: 'calls the tools of agents with damaged arguments',
  run: (size, context) =>
    withService(context, async (service) => {
      const calls = Math.ceil((context.requests ?? sizes[size]) / lanes)
      const tally = newTally()
      const lane = (random: Random) => async (goesOn: () => boolean) => {
        const { key } = await service.workspace('Fuzzed')
        for (let count = 0; count < calls && goesOn(); count++) {
          await oneCall(service.send, key, random, tally)
        }
      }
      const forks = Array.from({ length: lanes }, () => context.random.fork())
      await together(forks.map(lane), context.signal)
      return {
        'calls of tools': tally.sent,
        'of them answered with a result': tally.results,
        'of them refused by the tool': tally.refused,
        'of them refused by the protocol': tally.faults,
      }
    }),
}

export const newTally = () => ({ sent: 0, results: 0, refused: 0, faults: 0 })
export type Tally = ReturnType<typeof newTally>

type Send = (request: HttpRequest) => Promise<{ status: number; body: unknown }>

/** A call that is right for each tool, or nearly. */
function draft(name: string, random: Random): Record<string, unknown> {
  const text = () => oddText(random)
  const filter = random.pick<Record<string, unknown>>([
    { search: text() },
    { city: text(), has_no_owner: true },
    { tags: [text()], none: [{ status: [text()] }] },
    { fields: [{ field: 'email', operator: 'contains', value: text() }], leads: [newId()] },
    { attributes: [{ id: text(), operator: 'equals', value: text() }] },
  ])
  const drafts: Record<string, Record<string, unknown>> = {
    describe_workspace: { part: 'tags', search: text() },
    find_leads: { filter, fields: ['email', 'tags'], limit: 5, cursor: 0, order_by: 'email' },
    get_lead: { lead: newId() },
    report: { group_by: 'tag', filter },
    recent_changes: { limit: 5, period: 'today' },
    save_leads: { leads: [{ email: text(), first_name: text() }, { city: text() }] },
    add_activity: { lead: newId(), kind: 'note', text: text(), at: '2026-01-01T00:00:00Z' },
    preview_change: { filter: { search: text() }, set: { city: text() } },
    apply_change: { token: text() },
    undo_change: { operation: newId() },
  }
  return drafts[name] ?? {}
}

export async function oneCall(send: Send, apiKey: string, random: Random, tally: Tally) {
  const name = random.pick(tools)?.name ?? ''
  const right = draft(name, random)
  const args = random.chance(0.2)
    ? right
    : random.chance(0.9)
      ? changed(right, random)
      : oddValue(random)
  const { headers, body } = messageOf('tools/call', { name, arguments: args })
  const key = { 'X-API-KEY': apiKey }
  const answer = await send({ method: 'POST', path: '/mcp', headers: { ...headers, ...key }, body })
  tally.sent++
  const fault = faultOf(answer, tally)
  if (!fault) return
  throw new Breach(`${fault}\n${body.slice(0, 2_000)}\n${JSON.stringify(answer).slice(0, 2_000)}`)
}

interface Message {
  jsonrpc?: string
  error?: { code?: unknown; message?: unknown }
  result?: {
    content?: { type?: string; text?: unknown }[]
    isError?: boolean
    structuredContent?: unknown
  }
  /** Of a refusal that is not one of the protocol. */
  code?: unknown
  issues?: unknown
}

/** What is wrong with an answer. */
function faultOf({ status, body }: { status: number; body: unknown }, tally: Tally) {
  if (status >= 500) return `The status is ${status}`
  if (typeof body !== 'object' || body === null) return 'The answer is not JSON'
  const { jsonrpc, error, result, code, issues } = body as Message
  if (status !== 200 || error) {
    tally.faults++
    const isProtocol = typeof error?.code === 'number' && typeof error.message === 'string'
    return isProtocol || (typeof code === 'string' && Array.isArray(issues))
      ? undefined
      : 'No error'
  }
  if (jsonrpc !== '2.0' || !result?.structuredContent) return 'No result'
  if (!result.content?.every(({ type, text }) => type === 'text' && typeof text === 'string'))
    return 'No text'
  tally[result.isError ? 'refused' : 'results']++
  return Buffer.byteLength(JSON.stringify(result)) > maxAnswer
    ? 'The answer is too large'
    : undefined
}
