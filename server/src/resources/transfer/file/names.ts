// Several names in one cell.

/** Between the list and the status in the name of a status: "Sales > Won". */
export const statusMark = ' > '

const separators = [';', '|', '\n', ',']

/** Several names in one cell: "Warm; Hot". A name with a separator in it stands in quotes. */
export function splitNames(cell: string): string[] {
  const plain = cell.replace(/"([^"]|"")*"/g, '')
  const separator = separators.find((sign) => plain.includes(sign)) ?? ';'
  const parts = cell.match(new RegExp(`("([^"]|"")*"|[^\\${separator}])+`, 'g')) ?? []
  return parts
    .map((part) => part.trim())
    .map((part) => (/^"([^"]|"")*"$/.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part))
    .filter((name) => name !== '')
}

export function joinNames(names: string[]): string {
  const quoted = (name: string) =>
    /^\s|\s$|[";|\n,]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
  return names.map(quoted).join('; ')
}
