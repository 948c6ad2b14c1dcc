// Measures what the tools for agents add to the requests behind them.
import { restRequest } from '../test/http-client.ts'
import type { BenchData } from './data.ts'
import { duration, type Line, percentile } from './figures.ts'
import type { Running } from './processes.ts'

const most = 1.5
const warmUpMs = 3_000
const durationMs = 6_000

const list = { cursor: 0, pagination: { page_size: 20 } }
const tools = [
  { name: 'find_leads', args: {}, path: '/leads/list', body: { filter: {}, ...list } },
  {
    ...{ name: 'find_leads', args: { filter: { search: 'ada' } } },
    ...{ path: '/leads/list', body: { filter: { search: 'ada' }, ...list } },
  },
  {
    ...{ name: 'report', args: { group_by: 'status' } },
    ...{ path: '/leads/stats', body: { group_by: 'status', filter: {} } },
  },
]

/** One call at a time, in turns with its request. */
export async function toolLines(service: Running, { key }: BenchData): Promise<Line[]> {
  const lines: Line[] = []
  for (const { name, args, path, body } of tools) {
    const request = restRequest(key, 'POST', path, body)
    const call = {
      ...restRequest(key, 'POST', '', {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: args },
      }),
      path: '/mcp',
    }
    call.headers.Accept = 'application/json, text/event-stream'
    const time = async (wanted: typeof call) => {
      const sent = performance.now()
      const { text } = await service.send(wanted)
      if (text.includes('"isError":true')) throw new Error(`${name} was refused: ${text}`)
      return performance.now() - sent
    }
    const calls: number[] = []
    const requests: number[] = []
    const start = performance.now()
    while (performance.now() < start + warmUpMs + durationMs) {
      const isWarm = performance.now() > start + warmUpMs
      const [ofCall, ofRequest] = [await time(call), await time(request)]
      if (!isWarm) continue
      calls.push(ofCall)
      requests.push(ofRequest)
    }
    const [ofCalls, ofRequests] = [percentile(calls, 0.95), percentile(requests, 0.95)]
    const ratio = ofCalls / ofRequests
    lines.push({
      operation: `tool ${name} ${JSON.stringify(args)}, 95 %`,
      target: `at most ${most} times the request behind it`,
      measured: ratio.toFixed(2),
      detail: `${duration(ofCalls)} against ${duration(ofRequests)}, ${calls.length} of each`,
      isReached: ratio <= most,
    })
  }
  return lines
}
