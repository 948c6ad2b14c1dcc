// The requests that are sent to the service and to the ceiling.

import type { Pool } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'
import type { BenchData } from './data.ts'

export interface Operation {
  name: string
  path: string
  /** The minimum ratio to the ceiling; undefined where only growth is measured. */
  target?: number
  /** Sent in turns. `#` is replaced by a new number each time. */
  bodies(db: Pool, data: BenchData): Promise<object[]> | object[]
}

/** A tenth of the leads have it. */
const commonTag = ({ workspace }: BenchData) => workspace.tags[2]?.id

export const operations: Operation[] = [
  {
    name: 'search by email',
    path: '/rest/leads/search',
    target: 0.85,
    async bodies(db, { workspace }) {
      const rows = await run<{ email: string }[]>(db)`
        select email from lead
        where id_space = ${workspace.id_space} and not is_deleted and email is not null
        order by md5(id::text) limit 500`
      return rows.map(({ email }) => ({ email }))
    },
  },
  {
    name: 'first page of 50, include, total',
    path: '/rest/leads/list',
    target: 0.85,
    bodies: () => [{}],
  },
  {
    name: 'list by a tag of 10 %',
    path: '/rest/leads/list',
    target: 0.6,
    bodies: (_db, data) => [{ filter: { tags: [commonTag(data)] } }],
  },
  {
    name: 'list by a search word',
    path: '/rest/leads/list',
    target: 0.6,
    bodies: () =>
      ['dijkstra', 'hopper', 'kowalski', 'tanaka', 'robotics', 'shipping'].map((search) => ({
        filter: { search },
      })),
  },
  {
    name: 'deep page (nine tenths down)',
    path: '/rest/leads/list',
    bodies: (_db, { leads }) => [{ cursor: leads * 0.9 }],
  },
  {
    name: 'create a lead',
    path: '/rest/lead',
    target: 0.75,
    bodies: (_db, data) => [newLead(data)],
  },
]

export const newLead = ({ workspace: { lists, listStatuses, tags } }: BenchData) => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada.lovelace#@example.com',
  company: 'Company #',
  lists: [lists[0]?.id],
  status: [listStatuses[0]?.id],
  tags: [tags[0]?.id],
})
