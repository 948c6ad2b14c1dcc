// Measures the memory of a program that reads all leads with the client.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from '../src/root.ts'
import type { BenchData } from './data.ts'
import type { Line } from './figures.ts'
import type { Running } from './processes.ts'

const most = 64
/** By default Node 20 lets 32 MB of young garbage pile up, Node 24 128 MB, however little is held. */
const flags = ['--max-semi-space-size=4', '--max-old-space-size=48']

/** Two calls first: Node loads its fetch with them. */
const script = `
import { Rapport } from '${new URL('client/dist/package/index.js', root)}'
const { leads } = new Rapport({ url: process.env.URL, key: process.env.KEY })
for (let call = 0; call < 2; call++) await leads.list({ pagination: { page_size: 1 } })
const before = process.memoryUsage.rss()
let read = 0
for await (const lead of leads.list({ orderBy: [{ field: 'id' }] })) read += lead.id ? 1 : 0
const grown = process.resourceUsage().maxRSS / 1024 - before / 2 ** 20
console.log(JSON.stringify({ read, grown }))`

export async function clientLine({ url }: Running, { key }: BenchData): Promise<Line> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, '--input-type=module', '--eval', script],
    { env: { ...process.env, URL: url, KEY: key } },
  )
  const { read, grown } = JSON.parse(stdout)
  return {
    operation: '`for await` of the client over all leads: memory',
    target: `grows by at most ${most} MB`,
    measured: `${grown.toFixed(0)} MB`,
    detail: `${read.toLocaleString('en')} leads with their relations, ${flags.join(' ')}`,
    isReached: grown <= most,
  }
}
