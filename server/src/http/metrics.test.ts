import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { service } from '../../test/harness.ts'

const metricsToken = 'a token of monitoring'.replaceAll(' ', '-')
const app = service({ config: { metricsToken } })

const scrape = async (token = metricsToken) => {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${app.url}/metrics`, { headers })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  }
}

/** The values by name and labels. Every line must be one of the format. */
function read(text: string): Map<string, number> {
  const values = new Map<string, number>()
  const described = new Set<string>()
  for (const line of text.trimEnd().split('\n')) {
    const [, name = ''] =
      /^# (?:HELP (\w+) \S.*|TYPE \w+ (?:counter|gauge|histogram|summary))$/.exec(line) ?? []
    if (line.startsWith('#')) {
      expect(line).toMatch(/^# (HELP|TYPE) rapport_\w+ \S/)
      described.add(name)
      continue
    }
    const [, full = '', value] =
      /^(rapport_\w+(?:\{(?:\w+="[^"\n]*",?)+\})?) (-?[\d.e+-]+)$/.exec(line) ?? []
    expect(full, line).not.toBe('')
    expect(values.has(full), full).toBe(false)
    expect(described).toContain(full.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, ''))
    values.set(full, Number(value))
  }
  return values
}

test('counts requests by route and status, with times in buckets, and says nothing of whom', async () => {
  const space = await app.workspace()
  const { body: lead } = await space.post('/lead', { first_name: 'Ada', email: 'ada@example.com' })
  await space.get(`/lead/${lead.id}`)
  await space.get(`/lead/${space.owner}`)
  const before = read((await scrape()).text)
  await space.get(`/lead/${lead.id}`)
  const { status, type, text } = await scrape()
  expect({ status, type }).toEqual({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
  })
  const after = read(text)
  const route = 'method="GET",route="/rest/lead/:id"'
  const name = (rest: string) => `rapport_request${rest}`
  expect(before.get(name(`s_total{${route},status="200"}`))).toBe(1)
  expect(after.get(name(`s_total{${route},status="200"}`))).toBe(2)
  expect(after.get(name(`s_total{${route},status="404"}`))).toBe(1)
  expect(after.get(name(`_seconds_count{${route}}`))).toBe(3)
  expect(after.get(name(`_seconds_bucket{${route},le="+Inf"}`))).toBe(3)
  const inOrder = [...after].filter(([key]) => key.startsWith(name(`_seconds_bucket{${route}`)))
  expect(inOrder.map(([, value]) => value)).toEqual(inOrder.map(([, value]) => value).toSorted())
  for (const personal of [
    lead.id,
    space.id_space,
    space.key,
    'ada@example.com',
    'Ada',
    '127.0.0.1',
  ]) {
    expect(text).not.toContain(personal)
  }
})

test('has the delay of the event loop, the queues and the database', async () => {
  const space = await app.workspace()
  const date = new Date(app.clock.now.getTime() + 60_000).toISOString()
  await space.post('/reminders', { name: 'Call', date, ressource_link: '' })
  app.clock.advance(120_000)
  const values = read((await scrape()).text)
  expect(values.get('rapport_event_loop_delay_seconds{quantile="1"}')).toBeGreaterThanOrEqual(0)
  expect(values.get('rapport_queue_slots{queue="ordinary"}')).toBeGreaterThan(0)
  expect(values.get('rapport_queue_waiting{queue="bulk"}')).toBe(0)
  expect(values.get('rapport_database_up')).toBe(1)
  expect(values.get('rapport_database_bytes')).toBeGreaterThan(1_000_000)
  expect(values.get('rapport_reminder_delay_seconds')).toBe(60)
  expect(values.get('rapport_feed_delay_seconds')).toBeGreaterThanOrEqual(0)
})

test('what has quantiles is a summary, as Prometheus expects', async () => {
  const { text } = await scrape()
  const names = new Set([...text.matchAll(/^(\w+)\{[^}]*quantile=/gm)].map(([, name]) => name))
  expect(names.size).toBeGreaterThan(0)
  for (const name of names) expect(text).toContain(`# TYPE ${name} summary\n`)
})

test('only with the token', async () => {
  expect((await scrape(`${metricsToken}x`)).status).toBe(401)
  expect((await scrape('')).status).toBe(401)
})

test('the rules, the board and the guide know no metric that does not exist', async () => {
  const { text } = await scrape()
  const names = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const read = (file: string) =>
    readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')
  for (const file of ['operations/alerts.yml', 'operations/grafana.json']) {
    const used = [...read(file).matchAll(/\brapport_[a-z_]+/g)].map(([name]) =>
      name.replace(/^(rapport_request_seconds)_(bucket|sum|count)$/, '$1'),
    )
    expect(used.length).toBeGreaterThan(9)
    // It loses the labels, so that nothing beside it matches.
    expect(read(file)).not.toContain('absent(')
    for (const name of used) expect(names).toContain(name)
  }
  // Nothing that is measured is missing from the board.
  for (const name of names) expect(read('operations/grafana.json')).toContain(name)
  const guide = read('OPERATIONS.md')
  for (const name of names) expect(guide).toContain(name?.replace(/_(running|waiting)$/, ''))
})
