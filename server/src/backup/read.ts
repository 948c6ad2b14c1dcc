// Reads a backup from the first byte to the last and checks everything: header, order of the tables,
// row counts, checksum and end. If readBackup returns, the file is complete and unchanged.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { decrypted } from './encrypt.ts'
import {
  BackupError,
  type CountedTable,
  countLines,
  endOfRows,
  formatVersion,
  type Header,
  headerMark,
  type Table,
  type Trailer,
  tableLine,
  trailerMark,
} from './format.ts'
import { Lines } from './lines.ts'

export interface Backup {
  header: Header
  sha256: string
}

/** Gets the rows of one table as whole lines. It must read all of them. */
export type UseTable = (
  table: CountedTable,
  rows: AsyncIterable<Buffer>,
  header: Header,
) => Promise<void>

/** `key` is the key that the file is encrypted with, if it is. */
export async function readBackup(
  file: string,
  use: UseTable,
  key: string | undefined,
): Promise<Backup> {
  try {
    return await read(file, use, key)
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (syscall !== undefined) throw new BackupError(`Cannot read ${file}: ${message}`)
    // The first error for a file that is not gzip at all.
    if (code?.startsWith('Z_') && message === 'incorrect header check') throw noBackup(file)
    if (code?.startsWith('Z_')) throw damaged(file, message)
    throw error
  }
}

async function read(file: string, use: UseTable, key: string | undefined): Promise<Backup> {
  const faults = {
    noKey: () => new BackupError(`${file} is encrypted. Set BACKUP_KEY or BACKUP_KEY_FILE.`),
    wrongKey: () =>
      new BackupError(
        `${file} is encrypted with another key than BACKUP_KEY. Nothing was restored.`,
      ),
    damaged: (why: string) => damaged(file, why),
  }
  const content = pipeline(
    createReadStream(file, { highWaterMark: 256 * 1024 }),
    (source) => decrypted(source, key, faults),
    createGunzip({ chunkSize: 256 * 1024 }),
    () => {},
  )
  const lines = new Lines(content)
  const hash = createHash('sha256')
  try {
    const first = await lines.next()
    if (!first?.toString('utf8', 0, headerMark.length).startsWith(headerMark)) throw noBackup(file)
    hash.update(first)
    const header = parseHeader(file, first)
    for (const table of header.tables) {
      const line = await lines.next()
      if (line?.toString() !== tableLine(table))
        throw damaged(file, `the rows of ${table.name} are missing`)
      hash.update(line)
      const rows = rowsOf(file, table, lines, (piece) => hash.update(piece))
      await use(table, rows, header)
      await lines.next()
      hash.update(endOfRows)
    }
    const sha256 = hash.digest('hex')
    const last = (await lines.next())?.toString()
    if (!last?.startsWith(trailerMark)) throw damaged(file, 'the end is missing')
    const trailer = parse<Trailer>(file, last.slice(trailerMark.length))
    if (trailer.sha256 !== sha256) throw damaged(file, 'the checksum does not match')
    if (await lines.next()) throw damaged(file, 'there is data after the end')
    return { header, sha256 }
  } finally {
    content.destroy()
  }
}

async function* rowsOf(
  file: string,
  { name, rows }: CountedTable,
  lines: Lines,
  onPiece: (piece: Buffer) => void,
): AsyncGenerator<Buffer> {
  let count = 0
  for await (const piece of lines.until(endOfRows)) {
    onPiece(piece)
    count += countLines(piece)
    yield piece
  }
  if (count !== rows) throw damaged(file, `${name} has ${count} rows, not ${rows}`)
}

function parseHeader(file: string, line: Buffer): Header {
  const header = parse<Partial<Header>>(file, line.toString('utf8', headerMark.length))
  const { format, program, created_at, migrations, tables } = header
  if (typeof format === 'number' && format > formatVersion) {
    throw new BackupError(
      `${file} was made by a newer Rapport (${program}). Restore it with that release or a newer one.`,
    )
  }
  const isTable = ({ name, columns, rows }: Partial<CountedTable & Table>) =>
    typeof name === 'string' && Array.isArray(columns) && typeof rows === 'number'
  if (!format || !program || !created_at || !migrations || !tables?.every(isTable)) {
    throw damaged(file, 'the header is incomplete')
  }
  return { format, program, created_at, migrations, tables }
}

function parse<T>(file: string, json: string): T {
  try {
    return JSON.parse(json)
  } catch {
    throw damaged(file, 'the header or the end is unreadable')
  }
}

function damaged(file: string, why: string): BackupError {
  return new BackupError(`${file} is damaged or truncated (${why}). Nothing was restored.`)
}

function noBackup(file: string): BackupError {
  return new BackupError(`${file} is not a Rapport backup.`)
}
