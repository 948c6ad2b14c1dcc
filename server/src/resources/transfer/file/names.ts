// Several names in one cell, and names of files.
import { extname } from 'node:path'

/** Between the list and the status in the name of a status: "Sales > Won". */
export const statusMark = ' > '

/** The first column of a file of rejected rows. */
export const reasonColumn = 'reason'

const separators = [' ::: ', ';', '|', '\n', ',']

/** The separator between the names of a column, given the separators that occur in it. */
export function signOf(occurs: (sign: string) => boolean): string | undefined {
  return separators.find(occurs)
}

/**
 * Several names in one cell: "Warm; Hot". A name with a separator in it is in quotes. `sign` is
 * what the column uses; without it the cell decides.
 */
export function splitNames(cell: string, sign?: string): string[] {
  const plain = cell.replace(/"([^"]|"")*"/g, '')
  const separator = sign ?? separators.find((known) => plain.includes(known)) ?? ';'
  const parts =
    separator.length > 1
      ? cell.split(separator)
      : (cell.match(new RegExp(`("([^"]|"")*"|[^\\${separator}])+`, 'g')) ?? [])
  return parts
    .map((part) => part.trim())
    .map((part) => (/^"([^"]|"")*"$/.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part))
    .filter((name) => name !== '')
}

/** leads.csv → leads.rejected.csv */
export function rejectedName(file: string, format: string): string {
  return `${file.slice(0, file.length - extname(file).length)}.rejected.${format}`
}

/** Labels that address books give to everything. */
const systemLabel = /^(\* ?)?(my ?contacts|other contacts)$/i

/** Address books mark their own labels with an asterisk: "* starred". */
export function withoutSystemLabels(names: string[]): string[] {
  return names.filter((name) => !systemLabel.test(name)).map((name) => name.replace(/^\* /, ''))
}

export function joinNames(names: string[]): string {
  const quoted = (name: string) =>
    /^\s|\s$|[";|\n,]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
  return names.map(quoted).join('; ')
}
