// Concurrent changes of the same records: no caller sees a deadlock, and no change is half done.
import { run as query, sql } from '../src/db/sql.ts'
import { type Caller, scenarios } from './concurrency.scenarios.ts'
import { checkInvariants } from './concurrency.sql.ts'
import { type Service, type Workspace, withService } from './service.ts'
import { Breach, type Context, type Figures, type Size, type Torture, together } from './torture.ts'

const rounds: Record<Size, number> = { short: 3, long: 200 }

export const concurrency: Torture = {
  name: 'concurrency',
  summary: 'changes, moves and deletes the same records from many clients at once',
  run: (size, context) => withService(context, (service) => run(service, size, context)),
}

interface Tally {
  requests: number
  refused: number
  highest: number
}

async function run({ db, workspace }: Service, size: Size, context: Context): Promise<Figures> {
  const tally: Tally = { requests: 0, refused: 0, highest: 0 }
  const space = await workspace('Crowded')
  const caller = callerOf(space, tally)
  const before = await deadlocks(db)
  // All scenarios share one workspace, so that they conflict with each other too.
  const lanes = Object.values(scenarios).map((scenario) => {
    const random = context.random.fork()
    return async (goesOn: () => boolean) => {
      for (let round = 0; round < rounds[size] && goesOn(); round++) await scenario(caller, random)
    }
  })
  await together(lanes, context.signal)
  const checked = await checkInvariants(db, space.id_space)
  const met = (await deadlocks(db)) - before
  return {
    'kinds of conflict': lanes.length,
    'rounds of each': rounds[size],
    'requests sent': tally.requests,
    'of them refused because a record was gone or a name taken': tally.refused,
    'deadlocks in PostgreSQL, all retried by the service': met,
    'invariants checked in the database': checked,
    'highest status of an answer': tally.highest,
  }
}

async function deadlocks(db: Service['db']): Promise<number> {
  // PostgreSQL counts a deadlock when its session becomes idle.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const [row] = await query<[{ deadlocks: number }]>(
    db,
    sql`
    select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`,
  )
  return row.deadlocks
}

function callerOf(space: Workspace, tally: Tally): Caller {
  const call = async (method: string, path: string, body?: unknown) => {
    tally.requests++
    const answer = await space.call(method, path, body)
    if (answer.status !== 200) tally.refused++
    tally.highest = Math.max(tally.highest, answer.status)
    if ([200, 400, 404].includes(answer.status)) return answer
    throw new Breach(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`)
  }
  const done = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    if (answer.status === 200) return answer.body
    throw new Breach(`${method} ${path} ${JSON.stringify(body)} was refused: ${answer.text}`)
  }
  const make = async (path: string, body: object) => (await done('POST', path, body)).id
  return { members: space.members, call, done, make }
}
