// The ceiling, which is what the machine can do at most: bare handlers with the same driver and the
// same number of connections, each with the best statement for its operation. No validation, no keys,
// no contract, no log.
import Fastify from 'fastify'
import { bareDriver } from '../src/db/driver.ts'
import { openDatabase } from '../src/engine/open-database.ts'
import { newId } from '../src/ids.ts'
import { createStatement, listStatement, searchStatement, total } from './ceiling.sql.ts'
import type { BenchData } from './data.ts'

const data: BenchData = JSON.parse(process.argv[2] as string)
const { id_space: space } = data.workspace
const database = await openDatabase(
  { dataDir: data.dataDir, databaseUrl: data.databaseUrl, poolSize: 10 },
  () => {},
)
// The plain driver, without what the service adds to it.
const db = bareDriver(database.pool.options as never)
const app = Fastify()

/** Runs a statement that returns one JSON text. */
async function json(text: string, values: unknown[], prepare = true): Promise<string> {
  const [row] = await db.unsafe(text, values as never[], { prepare })
  return row?.json
}

type Body = Record<string, string> & {
  filter?: { tags?: string[]; search?: string }
  cursor?: number
}
const post = (path: string, handle: (body: Body) => Promise<string>) =>
  app.post(path, async (request, reply) => {
    reply.type('application/json; charset=utf-8')
    return handle(request.body as Body)
  })

post('/rest/leads/search', ({ email }) => json(searchStatement, [space, email]))

const everyLead = listStatement('true', total.all)
const farPage = listStatement('true', total.all, 'offset $2')
// Not prepared, so that PostgreSQL plans for the values: a generic plan is worse for most of them.
const tagged = listStatement(
  'lead.id in (select id_lead from lead_tag where id_space = $1 and id_tag = $2)',
  total.tagged,
)
const found = listStatement(
  'lead.id in (select id_lead from lead_search where id_space = $1 and text like $2)',
  total.found,
)
post('/rest/leads/list', ({ filter = {}, cursor }) => {
  if (filter.tags) return json(tagged, [space, filter.tags[0]], false)
  if (filter.search) return json(found, [space, `%${filter.search}%`], false)
  if (cursor) return json(farPage, [space, cursor], false)
  return json(everyLead, [space])
})

const { lists, listStatuses, tags } = data.workspace
const ids = [lists[0]?.id, listStatuses[0]?.id, tags[0]?.id, data.owner]
post('/rest/lead', ({ first_name, last_name, email, company }) =>
  json(createStatement, [
    ...[space, newId(), first_name, last_name, email, company, newId()],
    ...ids,
    new Date().toISOString(),
  ]),
)

console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
process.once('SIGTERM', async () => {
  await app.close()
  await db.end()
  await database.close()
})
