// The check itself. Every test file that starts a service applies it to the statements of that service.
import { expect, test } from 'vitest'
import { unpinnedTables } from './pinned.ts'

const tables = new Set(['lead', 'lead_tag', 'tag', 'api_key'])
const unpinned = (text: string) => unpinnedTables(text, tables)

test.each([
  'select id from lead where id_space = $1 and id = $2',
  'select from lead l join lead_tag t on t.id_space = $1::uuid and t.id_lead = l.id where l.id_space = $1',
  'with lead_tag as (select 1 as id) select id from lead_tag',
  'insert into tag (id, id_space) select id, $1::uuid from unnest($2::uuid[]) as id',
  'insert into tag (id_space, id) values ($1, $2), ($1, $3) on conflict do nothing',
  'update lead set city = $2 from (select id from tag where id_space = $1) x where lead.id_space = $1',
  'select hash from api_key where hash = $1',
  '/* across workspaces */ select distinct id_space from lead',
])('names the workspace for each table: %s', (text) => {
  expect(unpinned(text)).toEqual([])
})

test.each([
  ['select id from lead where id = $1', ['lead']],
  ['select id from lead where id_space = $1 or id = $2', ['lead']],
  ['select 1 from lead l join tag t on t.id_space = l.id_space where l.id_space = $1', ['t']],
  [
    'select (select count(*) from lead_tag where id_lead = l.id) from lead l where l.id_space = $1',
    ['lead_tag'],
  ],
  ['select 1 from tag where id_space = $1 union select 1 from lead', ['lead']],
  ['with x as (delete from lead_tag where id_tag = $2) select 1', ['lead_tag']],
  ['update lead set city = $1', ['lead']],
  [
    'insert into tag (id_space, id) select id_space, id from lead where id_space = $1',
    ['insert into tag'],
  ],
  ['insert into tag (id) values ($1)', ['insert into tag']],
  [
    'select 1 from lateral (select from lead where id_space = $1 and exists (select from tag)) x',
    ['tag'],
  ],
])('refuses %s', (text, found) => {
  expect(unpinned(text)).toEqual(found)
})
