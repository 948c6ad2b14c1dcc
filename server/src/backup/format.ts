// The format of the backup file: a gzipped psql script. It starts with a comment that describes the
// content. Then come the rows of each table in the text format of COPY, parents before children. It
// ends with a comment that contains the checksum. So people can read it and psql can load it without
// this program.

export const formatVersion = 1

/** A backup cannot be made, read or restored. The message is one line for people. */
export class BackupError extends Error {}
/** The file to write already exists. */
export class FileExists extends BackupError {}
/** The database to restore into already has data. */
export class NotEmpty extends BackupError {}

/** A workspace that a backup has, or could have. */
export interface BackupSpace {
  id: string
  name: string
}

export interface Table {
  name: string
  columns: string[]
}

export interface CountedTable extends Table {
  rows: number
}

export interface Header {
  format: number
  /** Version of the program that made the backup. */
  program: string
  created_at: string
  migrations: { name: string; checksum: string }[]
  /** Parents before children. */
  tables: CountedTable[]
}

export interface Trailer {
  /** Checksum of everything before the trailer. */
  sha256: string
}

export const headerMark = '-- rapport backup '
export const trailerMark = '-- end '
export const endOfRows = '\\.\n'

export const headerLine = (header: Header) => `${headerMark}${JSON.stringify(header)}\n`
export const trailerLine = (trailer: Trailer) => `${trailerMark}${JSON.stringify(trailer)}\n`
export const tableLine = (table: Table) => `${copyIn(table)};\n`

/** `where` selects some of the rows. */
export function copyOut(table: Table, where?: string): string {
  if (where === undefined) return `copy ${target(table)} to stdout`
  const columns = table.columns.map(quote).join(', ')
  return `copy (select ${columns} from ${quote(table.name)} where ${where}) to stdout`
}
export const copyIn = (table: Table) => `copy ${target(table)} from stdin`

function target({ name, columns }: Table): string {
  return `${quote(name)} (${columns.map(quote).join(', ')})`
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function countRows(tables: CountedTable[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

/** In the text format of COPY, a newline always ends a row; newlines in values are escaped. */
export function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++
  return count
}
