// Ordinary traffic: mostly reads, some writes, now and then a change of several leads.
import type { Random } from '../src/random.ts'
import { HttpClient, type HttpRequest, restRequest, withBody } from '../test/http-client.ts'
import { Breach } from './torture.ts'

export interface Stock {
  leads: string[]
  lists: string[]
  tags: string[]
}

/** The records of this key's workspace that requests can name. */
export async function takeStock(url: string, key: string): Promise<Stock> {
  const http = new HttpClient()
  const get = async (method: string, path: string, body?: unknown) => {
    const answer = withBody(await http.send(url, restRequest(key, method, path, body)))
    if (answer.status === 200) return answer.body
    throw new Breach(`${method} ${path} returned ${answer.status}: ${answer.text}`)
  }
  const ids = (records: { id: string }[]) => records.map(({ id }) => id)
  const page = { id_only: true, pagination: { page_size: 1000 } }
  const stock = {
    leads: ids((await get('POST', '/leads/list', page)).leads),
    lists: ids(await get('GET', '/lists')),
    tags: ids(await get('GET', '/tags')),
  }
  http.close()
  return stock
}

export function ordinary(
  key: string,
  { leads, lists, tags }: Stock,
): (random: Random) => HttpRequest {
  const get = (path: string) => restRequest(key, 'GET', path)
  const post = (path: string, body: object) => restRequest(key, 'POST', path, body)
  const patch = (path: string, body: object) => restRequest(key, 'PATCH', path, body)
  const list = (body: object) => post('/leads/list', { pagination: { page_size: 20 }, ...body })
  const city = (random: Random) => `City ${random.between(1, 1000)}`
  const some = (random: Random) => ({
    leads: Array.from({ length: random.between(1, 20) }, () => random.pick(leads)),
  })
  const kinds: { weight: number; make(r: Random): HttpRequest }[] = [
    { weight: 33, make: (r) => get(`/lead/${r.pick(leads)}`) },
    { weight: 10, make: (r) => list({ filter: { lists: [r.pick(lists)] } }) },
    {
      weight: 10,
      make: (r) => list({ filter: { search: r.pick(['an', 'berg', 'maria', 'example']) } }),
    },
    { weight: 5, make: (r) => list({ cursor: r.between(0, 500) }) },
    {
      weight: 10,
      make: (r) => post('/lead', { first_name: 'Load', last_name: `Number ${r.between(1, 1e9)}` }),
    },
    { weight: 10, make: (r) => patch(`/lead/${r.pick(leads)}`, { city: city(r) }) },
    {
      weight: 5,
      make: (r) => post('/notes', { id_lead: r.pick(leads), content: `Called, ${city(r)}` }),
    },
    { weight: 5, make: (r) => post('/notes/list', { id_lead: r.pick(leads) }) },
    { weight: 10, make: (r) => get(r.pick(['/tags', '/lists', '/status', '/me'])) },
    {
      weight: 1,
      make: (r) => post('/leads/add-list', { id_list: r.pick(lists), filter: some(r) }),
    },
    {
      weight: 1,
      make: (r) =>
        patch('/leads/update-many', {
          filter: some(r),
          data: { tags_connect: [r.pick(tags)], company: city(r) },
        }),
    },
  ]
  return (random) => random.weighted(kinds).make(random)
}
