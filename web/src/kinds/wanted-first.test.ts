import { expect, test } from 'vitest'
import type { Lead } from '../api/lead.ts'
import { wantedFirst } from './wanted-first.ts'

const status = (id: string, id_list: string) =>
  ({ id, id_list, name: id, color: '', type: null }) as Lead['status'][number]
const all = [status('new', 'deals'), status('won', 'events'), status('late', 'support')]

test.each([
  [{}, 'new won late'],
  [{ status: ['late'] }, 'late new won'],
  [{ lists: ['events'] }, 'won new late'],
  [{ lists: ['events'], status: ['late'] }, 'late won new'],
  [{ any: [{ status: ['won'] }, { search: 'ada' }] }, 'won new late'],
  [{ none: [{ status: ['late'] }] }, 'new won late'],
])('statuses of leads selected by %j: %s', (filter, expected) => {
  expect(wantedFirst(all, filter).map(({ id }) => id)).toEqual(expected.split(' '))
})
