// The undo of a change of a tenth of the leads, compared with the change, and what its old values take.
import type { Pool } from '../src/db/driver.ts'
import { run, sql } from '../src/db/sql.ts'
import { restRequest } from '../test/http-client.ts'
import type { BenchData } from './data.ts'
import { median } from './figures.ts'
import type { Running } from './processes.ts'

export interface UndoTimes {
  /** Milliseconds. */
  undo: number
  /** The time of the undo divided by the time of the operation. */
  toOperation: number
  /** Megabytes of old values, for 100,000 leads. */
  megabytes: number
}

export async function compareUndo(
  db: Pool,
  { key, workspace }: BenchData,
  service: Running,
  rounds: number,
): Promise<UndoTimes> {
  const { id_space: space, tags } = workspace
  // A tenth of the leads have it.
  const filter = { tags: [tags[2]?.id] }
  const changes: number[] = []
  const undos: number[] = []
  let megabytes = 0
  const timed = async (method: string, path: string, body?: object) => {
    await run(db)`vacuum lead`
    await run(db)`checkpoint`
    const started = performance.now()
    const { headers } = await service.send(restRequest(key, method, path, body))
    return { ms: performance.now() - started, operation: headers.get('x-operation-id') as string }
  }
  for (let round = 0; round < rounds; round++) {
    const body = { filter, data: { contract_name: `Undone ${round}` } }
    const change = await timed('PATCH', '/leads/update-many', body)
    megabytes = await sizeOf(db, space, change.operation)
    changes.push(change.ms)
    undos.push((await timed('POST', `/operations/${change.operation}/undo`)).ms)
  }
  return { undo: median(undos), toOperation: median(undos) / median(changes), megabytes }
}

async function sizeOf(db: Pool, space: string, operation: string): Promise<number> {
  const [row] = await run<[{ bytes: number; leads: number }]>(
    db,
    // As stored: values and ids may be compressed, or in a table of their own. A row has 60 bytes besides.
    sql`select sum(pg_column_size(old) + pg_column_size(new) + pg_column_size(ids) + 60)::float8 as bytes,
        sum(cardinality(ids))::float8 as leads
      from operation_before where id_space = ${space} and id_operation = ${operation}`,
  )
  return ((row.bytes / row.leads) * 100_000) / 1e6
}
