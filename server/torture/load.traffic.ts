// What an ordinary day sends: mostly reads, some writes, now and then a change of several leads.

import type { Random } from '../src/random.ts'
import type { Call, Client } from './load.client.ts'
import { Breach } from './torture.ts'

export interface Stock {
  leads: string[]
  lists: string[]
  tags: string[]
}

/** What the workspace of this key has to work with. */
export async function takeStock(client: Client, key: string): Promise<Stock> {
  const get = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await client.send({ method, path: `/rest${path}`, key, body })
    if (status !== 200) throw new Breach(`${method} ${path} was answered ${status}: ${text}`)
    return JSON.parse(text)
  }
  const ids = (records: { id: string }[]) => records.map(({ id }) => id)
  const page = { id_only: true, pagination: { page_size: 1000 } }
  return {
    leads: ids((await get('POST', '/leads/list', page)).leads),
    lists: ids(await get('GET', '/lists')),
    tags: ids(await get('GET', '/tags')),
  }
}

export function ordinary(key: string, { leads, lists, tags }: Stock): (random: Random) => Call {
  const kinds: [weight: number, make: (random: Random) => Omit<Call, 'key'>][] = [
    [33, (r) => ({ method: 'GET', path: `/lead/${r.pick(leads)}` })],
    [10, (r) => list({ filter: { lists: [r.pick(lists)] } })],
    [10, (r) => list({ filter: { search: r.pick(['an', 'berg', 'maria', 'example']) } })],
    [5, (r) => list({ cursor: r.between(0, 500) })],
    [10, (r) => post('/lead', { first_name: 'Load', last_name: `Number ${r.between(1, 1e9)}` })],
    [10, (r) => ({ method: 'PATCH', path: `/lead/${r.pick(leads)}`, body: { city: city(r) } })],
    [5, (r) => post('/notes', { id_lead: r.pick(leads), content: `Called, ${city(r)}` })],
    [5, (r) => post('/notes/list', { id_lead: r.pick(leads) })],
    [10, (r) => ({ method: 'GET', path: r.pick(['/tags', '/lists', '/status', '/me']) })],
    [1, (r) => post('/leads/add-list', { id_list: r.pick(lists), filter: some(r) })],
    [
      1,
      (r) => ({
        method: 'PATCH',
        path: '/leads/update-many',
        body: { filter: some(r), data: { tags_connect: [r.pick(tags)], company: city(r) } },
      }),
    ],
  ]
  const list = (body: object) => post('/leads/list', { pagination: { page_size: 20 }, ...body })
  const post = (path: string, body: object) => ({ method: 'POST', path, body })
  const city = (random: Random) => `City ${random.between(1, 1000)}`
  const some = (random: Random) => ({
    leads: Array.from({ length: random.between(1, 20) }, () => random.pick(leads)),
  })
  const chances = kinds.flatMap(([weight, make]) => Array<typeof make>(weight).fill(make))
  return (random) => {
    const call = random.pick(chances)(random)
    return { ...call, key, path: `/rest${call.path}` }
  }
}
