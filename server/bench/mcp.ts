// Measures what the tools for agents add to the requests behind them.
import { type HttpRequest, restRequest } from '../test/http-client.ts'
import { type BenchData, makeData, type Place } from './data.ts'
import { duration, type Line, percentile } from './figures.ts'
import { type Running, startService } from './processes.ts'

const most = 1.5
/** With fewer, the slowest twentieth is one or two calls. */
const samples = 60
const warmUps = 10
/** What is fast is measured for this long. */
const durationMs = 3_000

const ways = ['tool', 'requests'] as const
type Way = (typeof ways)[number]
type Times = Record<Way, number[]>

export async function measureTools(
  place: Place,
  leads: number,
  say: (line: string) => void,
): Promise<Line[]> {
  const data = await makeData(place, leads, leads / 100, say)
  const service = await startService(data)
  try {
    return await toolLines(service, data, say)
  } finally {
    await service.stop()
  }
}

/** One call at a time, in turns with the requests behind it. */
export async function toolLines(
  service: Running,
  { key, workspace }: BenchData,
  say: (line: string) => void,
): Promise<Line[]> {
  const rest = (method: string, path: string, body?: object) => restRequest(key, method, path, body)
  const post = (path: string, body: object) => rest('POST', path, body)
  const get = (path: string) => rest('GET', path)
  const send = async (request: HttpRequest) => {
    const { text } = await service.send(request)
    return JSON.parse(text.replace(/^event: message\ndata: /, ''))
  }
  const callOf = (name: string, args: object): HttpRequest => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const { headers, ...request } = post('', call)
    const Accept = 'application/json, text/event-stream'
    return { ...request, path: '/mcp', headers: { ...headers, Accept } }
  }
  const use = async (call: HttpRequest) => {
    const { result, error } = await send(call)
    if (result && !result.isError) return result.structuredContent
    throw new Error(`${call.body} was refused: ${JSON.stringify(result ?? error)}`)
  }
  const timed = async <T>(times: number[], work: () => Promise<T>): Promise<T> => {
    const sent = performance.now()
    const result = await work()
    times.push(performance.now() - sent)
    return result
  }

  const lines: Line[] = []
  const tell = (operation: string, { tool, requests }: Times) => {
    const [ofTool, ofRequests] = [percentile(tool, 0.95), percentile(requests, 0.95)]
    const ratio = ofTool / ofRequests
    lines.push({
      operation: `tool ${operation}, 95 %`,
      target: `at most ${most} times what is behind it`,
      measured: ratio.toFixed(2),
      detail: `${duration(ofTool)} against ${duration(ofRequests)}, ${tool.length} of each`,
      isReached: ratio <= most,
    })
    say(`${operation}: ${ratio.toFixed(2)}`)
  }
  /** One after the other, the first one by turns. */
  const inTurns = async (one: (way: Way) => Promise<void>, hasEnough: () => boolean) => {
    for (let turn = 0; !hasEnough(); turn++) {
      for (const way of turn % 2 === 0 ? ways : ways.toReversed()) await one(way)
    }
  }

  const { leads } = await send(post('/leads/list', { pagination: { page_size: 20 } }))
  const ids: string[] = leads.map(({ id }: { id: string }) => id)
  const id = ids[0] as string
  const tag = workspace.tags[2]?.id
  const tags: { id: string; name: string }[] = await send(get('/tags'))
  const tagName = tags.find((one) => one.id === tag)?.name as string
  const few = { page: 1, page_size: 10 }
  const page = { cursor: 0, pagination: { page_size: 20 } }
  const text = 'Called, wants a demo'
  const cases: { name: string; args: object; behind: HttpRequest[] }[] = [
    {
      ...{ name: 'describe_workspace', args: {} },
      behind: ['/me', '/lists', '/status', '/tags', '/attributes', '/members'].map(get),
    },
    {
      ...{ name: 'find_leads', args: {} },
      behind: [post('/leads/list', { filter: {}, ...page })],
    },
    {
      ...{ name: 'find_leads', args: { filter: { search: 'ada' } } },
      behind: [post('/leads/list', { filter: { search: 'ada' }, ...page })],
    },
    {
      ...{ name: 'find_leads', args: { filter: { tags: [tagName] } } },
      behind: [get('/tags'), post('/leads/list', { filter: { tags: [tag] }, ...page })],
    },
    {
      ...{ name: 'get_lead', args: { lead: id } },
      behind: [
        ...[get(`/lead/${id}`), post('/notes/list', { id_lead: id, pagination: few })],
        post('/reminders/list', { filter: { id_lead: id, is_done: false }, pagination: few }),
        ...[get(`/lead/${id}/events?limit=10`), get('/members')],
      ],
    },
    {
      ...{ name: 'report', args: { group_by: 'status' } },
      behind: [post('/leads/stats', { group_by: 'status', filter: {} }), get('/status')],
    },
    {
      ...{ name: 'recent_changes', args: {} },
      behind: [get('/members'), get('/changes?limit=20'), get('/events?after=now&limit=1')],
    },
    {
      ...{ name: 'save_leads', args: { leads: [{ first_name: 'Ada', city: 'London' }] } },
      behind: [post('/lead', { first_name: 'Ada', city: 'London' })],
    },
    {
      ...{ name: 'add_activity', args: { lead: id, kind: 'note', text } },
      behind: [post('/notes', { id_lead: id, content: text })],
    },
    {
      ...{ name: 'preview_change', args: { filter: { tags: [tagName] }, set: { city: 'Rome' } } },
      behind: [
        get('/tags'),
        post('/operations/preview', {
          ...{ kind: 'update', filter: { tags: [tag] }, data: { city: 'Rome' } },
        }),
      ],
    },
  ]
  for (const { name, args, behind } of cases) {
    const call = callOf(name, args)
    const work = { tool: () => use(call), requests: () => Promise.all(behind.map(service.send)) }
    const times: Times = { tool: [], requests: [] }
    const isWarm = () => times.tool.length >= warmUps
    await inTurns((way) => timed(times[way], work[way]), isWarm)
    for (const way of ways) times[way] = []
    const end = performance.now() + durationMs
    const hasEnough = () => times.tool.length >= samples && performance.now() > end
    await inTurns((way) => timed(times[way], work[way]), hasEnough)
    tell(`${name} ${JSON.stringify(args)}`, times)
  }

  const [applying, undoing]: Times[] = [1, 2].map(() => ({ tool: [], requests: [] }))
  const filter = { leads: ids }
  const data = { city: 'Rome' }
  const change = {
    async tool(apply: number[], undo: number[]) {
      const { token } = await use(callOf('preview_change', { filter, set: data }))
      const { operation } = await timed(apply, () => use(callOf('apply_change', { token })))
      await timed(undo, () => use(callOf('undo_change', { operation })))
    },
    async requests(apply: number[], undo: number[]) {
      const wanted = { kind: 'update', filter, data }
      const { confirm } = await send(post('/operations/preview', wanted))
      const { headers, ...request } = post('/operations', { ...wanted, confirm })
      // The tool has such a key too: the same token again does nothing more.
      const once = { ...request, headers: { ...headers, 'Idempotency-Key': confirm.slice(-100) } }
      const { id } = await timed(apply, () => send(once))
      await timed(undo, () => send(post(`/operations/${id}/undo`, {})))
    },
  }
  await inTurns(
    (way) => change[way](applying?.[way] ?? [], undoing?.[way] ?? []),
    () => (undoing?.tool.length ?? 0) >= warmUps + samples,
  )
  for (const [name, times] of [
    [`apply_change to ${ids.length} leads`, applying],
    ['undo_change of that', undoing],
  ] as const) {
    if (times)
      tell(name, { tool: times.tool.slice(warmUps), requests: times.requests.slice(warmUps) })
  }
  return lines
}
