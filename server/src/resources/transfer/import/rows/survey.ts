// The first reading of a file: where its header and its rows are, and what its columns hold.

import { Pace } from '../../../../pace.ts'
import { ImportError } from '../../file/errors.ts'
import { Source, type SourceOptions } from '../../file/row-source.ts'
import type { Input } from '../../file/spool.ts'
import { fieldOf, plain } from '../columns/headers.ts'
import { systemHeaders } from '../columns/systems.ts'
import type { Found } from './read-row.ts'
import { rowFormats } from './row-formats.ts'

export interface Survey extends Found {
  headerRow: number
  encoding: SourceOptions['encoding']
}

export async function survey(
  input: Input,
  options: SourceOptions & { map: [header: string, field: string][] },
): Promise<Survey> {
  const mapped = new Set(options.map.map(([header]) => plain(header)))
  const pace = new Pace(options.signal)
  const source = new Source(input.open(), options)
  try {
    await source.open({ countNames })
    const found = await rowFormats[source.format].survey(source, pace, mapped)
    if (found.columns.length === 0) throw new ImportError('The file is empty.')
    if (found.rows === 0) {
      throw new ImportError('The file has a header but no rows. There is nothing to import.')
    }
    return { ...found, headerRow: source.headerRow, encoding: source.encoding }
  } finally {
    await source.close()
  }
}

function countNames(cells: string[]): number {
  const isName = (cell: string) => fieldOf(cell) || systemHeaders.has(plain(cell))
  return cells.filter((cell) => cell.length < 100 && isName(cell)).length
}
