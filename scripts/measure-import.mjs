// npm run measure:import: how fast an import is beside COPY of the same rows into the same tables,
// and how much memory it takes. In a database of its own, which is gone afterwards.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { prepare, root } from './prepare.mjs'

const usage = `Usage: npm run measure:import -- [--rows <n>] [--rounds <n>] [--minutes <n>]

Makes demo leads and exports them, then loads them by COPY and by "import leads", each time into a
workspace of its own in the same tables. Ends with status 1 when the import is slower than half of
COPY. TMPDIR says where its files are meanwhile.

  --rows <n>      how many leads, 1,000 to 1,000,000 (default: 100,000)
  --rounds <n>    how often, 1 to 9; the order changes from one to the next (default: 2)
  --minutes <n>   give up after so long (default: 60)`

const wantedRatio = 0.5
const moments = {
  tenth: "import's memory at 10 %",
  half: "import's memory at 50 %",
  peak: "import's memory at most",
}
/** What a lead takes on the disk: in each workspace, and in the files and the database beside. */
const bytesPerLead = 3_000
const bytesBeside = 6_000
/** What the logs of both databases take. */
const logBytes = { perLead: 20_000, atMost: 4e9 }
/** What the leads of the demo refer to; parents before children. */
const furniture = ['member', 'list', 'status', 'tag', 'attribute', 'attribute_option']
/** What an import writes. */
const written = ['lead', 'lead_list', 'lead_status', 'lead_tag', 'lead_owner']

const options = readOptions()
prepare()
const dist = (file) => import(`../server/dist/${file}.js`)
const { insertSpace } = await dist('access/access.sql')
const { copyIn, copyOut } = await dist('backup/copy')
const { countLines, quote } = await dist('backup/format')
const { selectTables, useOwnSettings } = await dist('backup/tables.sql')
const { onStopSignal } = await dist('commands/interrupt')
const { showProgress } = await dist('commands/progress')
const { migrate } = await dist('db/migrate')
const { openDatabase } = await dist('db/open')
const { newId } = await dist('ids')

/** What a person must know, in one line. */
class Told extends Error {
  constructor(message, status = 1) {
    super(message)
    this.status = status
  }
}

const stop = new AbortController()
/** The command that runs, or ran last. */
let child
process.exitCode = await main()

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        rows: { type: 'string', default: '100000' },
        rounds: { type: 'string', default: '2' },
        minutes: { type: 'string', default: '60' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    return {
      rows: wholeNumber('--rows', values.rows, 1_000, 1_000_000),
      rounds: wholeNumber('--rounds', values.rounds, 1, 9),
      minutes: wholeNumber('--minutes', values.minutes, 1, 1_440),
    }
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`)
    process.exit(2)
  }
}

function wholeNumber(option, text, min, max) {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new Error(`${option} must be a whole number from ${min} to ${max}, not "${text}".`)
}

/** Answers the status to end with. Whatever happens, nothing is left behind. */
async function main() {
  const stopListening = onStopSignal(() => stop.abort(new Told('Stopped.', 130)))
  const tooLong = new Told(`Not done after ${options.minutes} minutes: see --minutes.`)
  const deadline = setTimeout(() => stop.abort(tooLong), options.minutes * 60_000)
  const stopped = new Promise((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason))
  })
  // It may be before anybody waits for it.
  stopped.catch(() => {})
  const folder = await mkdtemp(join(tmpdir(), 'rapport-measure-'))
  let database
  try {
    await requireRoom(folder)
    // Started by root, PostgreSQL runs under another account, which has to get in.
    await chmod(folder, 0o711)
    const dataDir = join(folder, 'data')
    say('Starting a database')
    database = await openDatabase({ dataDir, poolSize: 3 }, say)
    await migrate(database.pool)
    const measured = measure(database.pool, folder, dataDir)
    // Stopped, it is left where it is: the database goes away under it.
    measured.catch(() => {})
    return report(await Promise.race([measured, stopped]))
  } catch (error) {
    stop.abort(error)
    console.error(error instanceof Told ? error.message : error)
    return error.status ?? 1
  } finally {
    clearTimeout(deadline)
    await endChild()
    await database?.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    stopListening()
  }
}

async function requireRoom(folder) {
  const { rows, rounds } = options
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const needed =
    rows * (bytesPerLead * (1 + 2 * rounds) + bytesBeside) +
    Math.min(rows * logBytes.perLead, logBytes.atMost)
  if (free >= needed) return
  const shown = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`
  throw new Told(
    `${tmpdir()} has ${shown(free)} free, and this may need ${shown(needed)}: set TMPDIR to a folder on a larger disk, or ask for fewer rows or rounds.`,
  )
}

async function measure(pool, folder, dataDir) {
  const { rows, rounds } = options
  const csv = join(folder, 'leads.csv')
  const backup = join(folder, 'leads.backup')

  say(`Making ${count(rows)} demo leads`)
  const { result: demo } = await rapport(dataDir, ['demo', '--leads', String(rows), '--json'])
  const tables = await selectTables(pool)
  say('Exporting them')
  const exported = await rapport(dataDir, ['export', 'leads', '--output', csv])
  say('Backing up')
  const backedUp = await rapport(dataDir, ['backup', backup])
  say('Restoring into another database')
  const other = join(folder, 'restored')
  const restored = await rapport(other, ['restore', backup])
  await Promise.all([other, backup].map((name) => rm(name, { recursive: true, force: true })))

  const source = { space: demo.id_space, tables }
  const expected = await fingerprint(pool, source, demo.id_space)
  const copies = []
  const imports = []
  const load = {
    async COPY(space) {
      const files = await writeTexts(pool, folder, source, space)
      await settle(pool)
      return async () => copies.push(await copy(pool, files, rows))
    },
    async import(space) {
      await settle(pool)
      return async () => imports.push(await importFile(pool, dataDir, csv, space))
    },
  }
  for (let round = 1; round <= rounds; round++) {
    // Each goes first every other time, so that neither profits from the other.
    const order = round % 2 === 1 ? ['COPY', 'import'] : ['import', 'COPY']
    for (const kind of order) {
      const space = await newSpace(pool, source, `${kind} ${round}`)
      const run = await load[kind](space)
      say(`Round ${round} of ${rounds}: ${kind}`)
      await run()
      if ((await fingerprint(pool, source, space)) !== expected) {
        throw new Told(`What ${kind} loaded differs from the demo's rows.`)
      }
    }
  }
  const relations = written.slice(1).reduce((sum, name) => sum + demo.rows[name], 0)
  return { relations, copies, imports, exported, backedUp, restored }
}

/** Runs a command of Rapport in a process of its own, and takes the time of all of it. */
async function rapport(dataDir, args, watch) {
  stop.signal.throwIfAborted()
  const started = performance.now()
  child = spawn(process.execPath, [join(root, 'scripts', 'rapport.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', BACKUP_DIR: '' },
  })
  const running = child
  let output = ''
  running.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const closed = once(running, 'close')
  const watching = watch?.(running)
  // A failure is met below.
  watching?.catch(() => {})
  const [status, signal] = await closed
  const seconds = (performance.now() - started) / 1000
  await watching
  if (status !== 0) throw new Told(`rapport ${args[0]} ended with ${signal ?? status}.\n${output}`)
  return { seconds, result: args.includes('--json') ? JSON.parse(output) : undefined }
}

async function endChild() {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const kill = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(kill)
}

/** A workspace with all that the leads of the demo refer to, under the same ids. */
async function newSpace(pool, source, name) {
  const id_space = newId()
  await pool.begin(async (tx) => {
    const created_at = new Date().toISOString()
    await insertSpace(tx, { id_space, name, time_zone: 'UTC', created_at })
    for (const table of furniture) {
      const columns = columnsOf(source, table)
      await tx.unsafe(
        `insert into ${quote(table)} (id_space, ${columns})
         select $1, ${columns} from ${quote(table)} where id_space = $2`,
        [id_space, source.space],
      )
    }
  })
  return id_space
}

/** The columns of a table but the workspace's, quoted. */
function columnsOf({ tables }, name, left = []) {
  const { columns } = tables.find((table) => table.name === name)
  return columns
    .filter((column) => column !== 'id_space' && !left.includes(column))
    .map(quote)
    .join(', ')
}

/** The same for the same rows, in whatever order they are stored. */
async function fingerprint(pool, source, space) {
  const parts = []
  for (const name of written) {
    // Who created a lead is not in an export.
    const columns = columnsOf(source, name, ['usersId'])
    const [row] = await pool.unsafe(
      `select count(*)::text || ' ' || sum(hashtextextended(row(${columns})::text, 0)) as hash
       from ${quote(name)} where id_space = $1`,
      [space],
    )
    parts.push(`${name} ${row.hash}`)
  }
  return parts.join('\n')
}

/** The demo's rows as COPY reads them, in the order of the export, for another workspace. */
async function writeTexts(pool, folder, source, space) {
  const files = []
  for (const name of written) {
    say(`Writing ${name} as text for COPY`)
    const file = join(folder, `${name}.copy`)
    const output = createWriteStream(file)
    const statement = `copy (
      select '${space}'::uuid, ${columnsOf(source, name)} from ${quote(name)}
      where id_space = '${source.space}' ${name === 'lead' ? 'order by created_at, id' : ''}
    ) to stdout`
    await pool.begin(async (tx) => {
      await useOwnSettings(tx)
      const write = async (piece) => {
        if (!output.write(piece)) await once(output, 'drain')
      }
      await copyOut(tx, statement, write, async () => {})
    })
    await finished(output.end())
    const columns = `id_space, ${columnsOf(source, name)}`
    files.push({ file, statement: `copy ${quote(name)} (${columns}) from stdin` })
  }
  return files
}

/** What was written before is sorted in and on the disk, and none of the next one's business. */
async function settle(pool) {
  say('Vacuum and checkpoint')
  await pool.unsafe(`vacuum (analyze) ${written.map(quote).join(', ')}`)
  await pool.unsafe('checkpoint')
}

async function copy(pool, files, rows) {
  const progress = showProgress('leads', rows)
  let done = 0
  async function* counted(file) {
    for await (const piece of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      yield piece
      if (file !== files[0].file) continue
      done += countLines(piece)
      progress.at(done)
    }
  }
  const started = performance.now()
  try {
    await pool.begin(async (tx) => {
      await useOwnSettings(tx)
      // As the import has it.
      await tx`select set_config('gin_pending_list_limit', '32768', true)`
      for (const { file, statement } of files) await copyIn(tx, statement, counted(file))
    })
  } finally {
    progress.end()
  }
  return { seconds: (performance.now() - started) / 1000 }
}

async function importFile(pool, dataDir, csv, space) {
  const { rows } = options
  const samples = []
  async function watch(running) {
    while (running.exitCode === null && running.signalCode === null) {
      const memory = await memoryOf(running.pid)
      const [progress] = await pool`
        select row_number from import_progress where id_space = ${space}`
      if (memory) samples.push({ share: (progress?.row_number ?? 0) / rows, ...memory })
      await sleep(200)
    }
  }
  const args = ['import', 'leads', csv, '--space', space, '--json']
  const { seconds, result } = await rapport(dataDir, args, watch)
  if (result.created !== rows) throw new Told(`${result.created} of ${rows} leads were imported.`)
  const at = (share) => samples.find((sample) => sample.share >= share)?.now
  const peak = Math.max(...samples.map((sample) => sample.peak))
  return { seconds, tenth: at(0.1), half: at(0.5), peak: samples.length > 0 ? peak : undefined }
}

/** Resident memory of a process in bytes, and the most so far; undefined where nobody tells. */
async function memoryOf(pid) {
  try {
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      const read = (name) =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)[1]) * 1024
      return { now: read('VmRSS'), peak: read('VmHWM') }
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    const now = Number(stdout) * 1024
    return { now, peak: now }
  } catch {
    // It has ended just now, or this system has no ps.
    return undefined
  }
}

/** Prints what was found. Answers the status to end with. */
function report({ relations, copies, imports, exported, backedUp, restored }) {
  const { rows, rounds } = options
  const copySeconds = median(copies.map(({ seconds }) => seconds))
  const importSeconds = median(imports.map(({ seconds }) => seconds))
  const ratio = copySeconds / importSeconds
  const time = (name, seconds, all = []) => [
    name,
    seconds.toFixed(1),
    count(Math.round(rows / seconds)),
    all.length > 1 ? all.map((one) => one.seconds.toFixed(1)).join(', ') : '',
  ]
  console.log(`
${count(rows)} leads with ${count(relations)} lists, statuses, tags and owners

${table([
  ['', 'seconds', 'leads/s', rounds > 1 ? 'rounds' : ''],
  time('COPY', copySeconds, copies),
  time('import', importSeconds, imports),
  time('export', exported.seconds),
  time('backup', backedUp.seconds),
  time('restore', restored.seconds),
])}

${table([
  ['import : COPY', ratio.toFixed(2), `wanted: ${wantedRatio} or more`],
  ...['tenth', 'half', 'peak'].map((moment) => {
    const all = imports.map((one) => one[moment]).filter((bytes) => bytes !== undefined)
    const shown = (bytes) => `${Math.round(bytes / 1e6)} MB`
    const rounds = all.length > 1 ? all.map(shown).join(', ') : ''
    return [moments[moment], all.length > 0 ? shown(Math.max(...all)) : 'unknown', rounds]
  }),
])}`)
  return ratio < wantedRatio ? 1 : 0
}

/** Columns of numbers end where they end, names begin where they begin. */
function table(lines) {
  const widths = lines[0].map((_cell, at) => Math.max(...lines.map((cells) => cells[at].length)))
  const pad = (cell, at) =>
    at === 0 || at === lines[0].length - 1 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])
  return lines.map((cells) => cells.map(pad).join('   ').trimEnd()).join('\n')
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}

function count(number) {
  return number.toLocaleString('en')
}

/** On standard error, with the progress of the commands: the result alone is the output. */
function say(line) {
  console.error(line)
}
