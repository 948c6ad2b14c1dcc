// Operations of all kinds, undone again and again under kill -9: none is half done, and without other
// changes in between the leads are as they were.
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import { Client } from './client.ts'
import { inspect } from './inspect.ts'
import { makeDataDir, removeDataDir, type Server, startServer } from './server.ts'
import { type Context, type Figures, type Size, type Torture, together } from './torture.ts'
import { checkOperations } from './undo.checks.ts'
import {
  answered,
  type Counts,
  findOperation,
  Lane,
  type Records,
  randomOperation,
  undo as undoOperation,
} from './undo.lane.ts'
import { until } from './until.ts'

export const undo: Torture = {
  name: 'undo',
  summary: 'undoes random operations of several writers, with kill -9 of the server in between',
  run,
}

const lanes = 3
/** Writers that change the same leads. */
const rivals = 3
const crowdSize = 60

async function run(size: Size, { random, say, signal }: Context): Promise<Figures> {
  const kills = size === 'long' ? 25 : 2
  const dataDir = await makeDataDir()
  const client = new Client()
  const counts: Counts = { operations: 0, undos: 0, redos: 0, unknown: 0 }
  const crowd = { operations: 0, undos: 0 }
  let isOver = false
  let server: Server | undefined

  async function killer(goesOn: () => boolean): Promise<void> {
    for (let kill = 1; kill <= kills && goesOn(); kill++) {
      const { operations } = counts
      await sleep(random.between(300, 1500))
      client.down()
      await server?.kill()
      server = await startServer(dataDir)
      client.up(server.url)
      await until('operations are done again', 60, () => {
        return !goesOn() || counts.operations > operations + lanes
      })
      if (kill % 5 === 0) say(`${kill} of ${kills} kills, ${counts.operations} operations`)
    }
    isOver = true
  }

  try {
    server = await startServer(dataDir)
    client.up(server.url)
    const { space, records, leads } = await prepare(client)
    const repeat = (step: () => Promise<void>) => async (goesOn: () => boolean) => {
      while (goesOn() && !isOver) await step()
    }
    await together(
      [
        killer,
        ...Array.from({ length: lanes }, (_none, at) => {
          const lane = new Lane(client, random.fork(), records, `lane${at}x`, counts)
          return repeat(() => lane.round())
        }),
        ...Array.from({ length: rivals }, () => {
          return repeat(rival(client, random.fork(), records, leads, crowd))
        }),
      ],
      signal,
    )
    const done = await inspect(dataDir, (db) => checkOperations(db, space))
    return {
      'kills of the server': kills,
      'operations on own leads': counts.operations,
      'undos of them, exact': counts.undos,
      'undos of undos, exact': counts.redos,
      'operations lost with the server, without a trace': counts.unknown,
      'operations on the same leads at once': crowd.operations,
      'undos of them, in any order': crowd.undos,
      'operations done, all whole': done,
    }
  } finally {
    client.close()
    await server?.kill()
    await removeDataDir(dataDir)
  }
}

async function prepare(client: Client) {
  const me = await answered(client, { method: 'GET', path: '/me' })
  const make = async (path: string, body: object): Promise<string> =>
    (await answered(client, { method: 'POST', path, body })).id
  const lists = [await make('/lists', { name: 'a' }), await make('/lists', { name: 'b' })]
  const records: Records = {
    tags: [await make('/tags', { name: 'a' }), await make('/tags', { name: 'b' })],
    lists,
    status: [
      await make('/status', { name: 'open', id_list: lists[0] }),
      await make('/status', { name: 'won', id_list: lists[0] }),
      await make('/status', { name: 'open', id_list: lists[1] }),
      await make('/status', { name: 'free' }),
    ],
    owners: [me.id],
    attribute: await make('/attributes', { name: 'Size', type: 'TEXT' }),
  }
  const leads = Array.from({ length: crowdSize }, () => newId())
  const path = '/leads/import'
  const body = `id\n${leads.join('\n')}\n`
  await answered(client, { method: 'POST', path, body, type: 'text/csv' })
  return { space: me.id_space as string, records, leads }
}

/** Changes leads that others change too, and undoes what it did some operations ago. */
function rival(
  client: Client,
  random: Random,
  records: Records,
  leads: string[],
  counts: { operations: number; undos: number },
): () => Promise<void> {
  const done: string[] = []
  return async () => {
    const old = done.length > 0 && random.chance(0.5) ? random.pick(done) : undefined
    if (old) {
      done.splice(done.indexOf(old), 1)
      const { id } = await undoOperation(client, old)
      counts.undos++
      if (random.chance(0.3)) done.push(id)
      return
    }
    const mark = newId()
    const { downs } = client
    const { kind, filter, data } = randomOperation(random, records, leads, mark)
    // It has no bulk route.
    if (kind === 'distribute') return
    await client.send(bulkRequest(kind, filter, data))
    const operation = await findOperation(client, mark, downs)
    if (operation?.state !== 'done') return
    counts.operations++
    done.push(operation.id)
  }
}

/** The same as an operation, by the bulk routes: they need no preview, whose count would move. */
function bulkRequest(kind: string, filter: object, data: Record<string, unknown>) {
  const { id_list, ...rest } = data
  switch (kind) {
    case 'update':
      return { method: 'PATCH', path: '/leads/update-many', body: { filter, data } }
    case 'track':
      return { method: 'POST', path: '/leads/track-leads', body: { filter, ...data } }
    case 'add-list':
      return { method: 'POST', path: '/leads/add-list', body: { filter, ...data } }
    case 'delete':
      return { method: 'POST', path: '/leads/delete', body: { filter } }
    default:
      return { method: 'POST', path: `/lists/${id_list}/${kind}`, body: { filter, ...rest } }
  }
}
