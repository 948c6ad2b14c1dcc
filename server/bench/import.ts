// Compares an import with COPY of the same rows into the same tables, and measures its memory. The
// database is temporary.

import { rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { selectTables } from '../src/backup/tables.sql.ts'
import type { Pool } from '../src/db/driver.ts'
import { migrate } from '../src/db/migrate.ts'
import { run } from '../src/db/sql.ts'
import { memoryOf } from '../test/memory.ts'
import { openAsSuperuser } from '../test/open-as-superuser.ts'
import { hasEnded, program } from '../test/program.ts'
import { BenchError } from './bench-error.ts'
import {
  copy,
  fingerprint,
  newWorkspace,
  relationTables,
  type Source,
  settle,
  writeTexts,
} from './import.copy.ts'
import { runCommand } from './processes.ts'
import type { Run } from './run.ts'

export interface ImportPlan {
  rows: number
  rounds: number
  /** A checkout of another version. */
  against?: string
}

export interface Imported {
  seconds: number
  /** Memory in megabytes after a tenth and half of the rows, and its maximum; undefined if unknown. */
  tenth: number | undefined
  half: number | undefined
  peak: number | undefined
}

export interface ImportFigures {
  /** Lists, statuses, tags and owners of the leads. */
  relations: number
  /** Seconds. */
  copies: number[]
  imports: Imported[]
  /** By the other version. */
  otherImports: Imported[]
  exported: number
  backedUp: number
  restored: number
}

export async function measureImport(plan: ImportPlan, run: Run): Promise<ImportFigures> {
  await requireRoom(plan, run.folder)
  const dataDir = join(run.folder, 'data')
  run.say('Starting a database')
  const database = await openAsSuperuser({ dataDir, databaseUrl: undefined, poolSize: 3 }, run.say)
  try {
    await migrate(database.pool)
    const measured = measure(plan, run, database.pool, dataDir)
    // After a stop nothing awaits it: closing the database makes it fail.
    measured.catch(() => {})
    return await Promise.race([measured, rejectOn(run.signal)])
  } finally {
    await database.close()
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Disk space of a lead: in each workspace, and in the files and the other database. */
const bytesPerLead = 3_000
const bytesBeside = 6_000
/** Disk space of the write-ahead logs of both databases. */
const logBytes = { perLead: 20_000, atMost: 4e9 }

async function requireRoom({ rows, rounds, against }: ImportPlan, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const workspaces = 1 + rounds * (against === undefined ? 2 : 3)
  const needed =
    rows * (bytesPerLead * workspaces + bytesBeside) +
    Math.min(rows * logBytes.perLead, logBytes.atMost)
  if (free >= needed) return
  const shown = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  throw new BenchError(
    `${tmpdir()} has ${shown(free)} free, but this may need ${shown(needed)}. Set TMPDIR to a folder on a larger disk, or use fewer rows or rounds.`,
  )
}

async function measure(
  plan: ImportPlan,
  { folder, say }: Run,
  pool: Pool,
  dataDir: string,
): Promise<ImportFigures> {
  const { rows, rounds } = plan
  const csv = join(folder, 'leads.csv')
  const backup = join(folder, 'leads.backup')
  say(`Creating ${rows.toLocaleString('en')} demo leads`)
  const made = await runCommand(dataDir, ['demo', '--leads', String(rows), '--json'])
  const demo = JSON.parse(made.output)
  say('Exporting them')
  const exported = await runCommand(dataDir, ['export', 'leads', '--output', csv])
  say('Backing up')
  const backedUp = await runCommand(dataDir, ['backup', backup])
  say('Restoring into another database')
  const other = join(folder, 'restored')
  const restored = await runCommand(other, ['restore', backup])
  await Promise.all([other, backup].map((name) => rm(name, { recursive: true, force: true })))

  const source: Source = { space: demo.id_space, tables: await selectTables(pool) }
  const expected = await fingerprint(pool, source, demo.id_space)
  const copies: number[] = []
  const imports: Imported[] = []
  const otherImports: Imported[] = []

  async function runCopy(space: string) {
    say('Writing the rows as text for COPY')
    const files = await writeTexts(pool, folder, source, space)
    await settle(pool)
    say('COPY')
    copies.push(await copy(pool, files, rows))
  }
  const runImport = (by: string, into: Imported[]) => async (space: string) => {
    await settle(pool)
    say(by === program ? 'import' : 'import by the other checkout')
    into.push(await importFile(by, pool, dataDir, csv, space, rows))
  }
  const loads = [runCopy, runImport(program, imports)]
  if (plan.against !== undefined) {
    const otherProgram = resolve(plan.against, 'scripts', 'rapport.mjs')
    // Builds it, if needed, before the measurement.
    await runCommand(dataDir, ['help'], { by: otherProgram })
    loads.push(runImport(otherProgram, otherImports))
  }
  for (let round = 1; round <= rounds; round++) {
    // The order changes from round to round, so that none profits from the previous one.
    const order = round % 2 === 1 ? loads : loads.toReversed()
    for (const load of order) {
      say(`Round ${round} of ${rounds}`)
      const space = await newWorkspace(pool, source, `Round ${round}`)
      await load(space)
      if ((await fingerprint(pool, source, space)) !== expected) {
        throw new BenchError('What was loaded differs from the rows of the demo.')
      }
    }
  }
  const relations = relationTables.reduce((sum, name) => sum + demo.rows[name], 0)
  return {
    relations,
    copies,
    imports,
    otherImports,
    exported: exported.seconds,
    backedUp: backedUp.seconds,
    restored: restored.seconds,
  }
}

/** The time is that of the whole command. */
async function importFile(
  by: string,
  pool: Pool,
  dataDir: string,
  csv: string,
  space: string,
  rows: number,
): Promise<Imported> {
  const samples: { share: number; now: number; peak: number }[] = []
  const args = ['import', 'leads', csv, '--space', space, '--json']
  const { seconds, output } = await runCommand(dataDir, args, {
    by,
    async watch(child) {
      while (!hasEnded(child)) {
        const memory = await memoryOf(child.pid as number)
        const [progress] = await run<{ row_number: number }[]>(pool)`
          select row_number from import_progress where id_space = ${space}`
        if (memory) samples.push({ share: (progress?.row_number ?? 0) / rows, ...memory })
        await sleep(200)
      }
    },
  })
  const { created } = JSON.parse(output)
  if (created !== rows) throw new BenchError(`${created} of ${rows} leads were imported.`)
  const at = (share: number) => samples.find((sample) => sample.share >= share)?.now
  const peak = Math.max(...samples.map((sample) => sample.peak))
  return { seconds, tenth: at(0.1), half: at(0.5), peak: samples.length > 0 ? peak : undefined }
}
