// The options of files and imports as plain values, so that the page can import them without the schemas.

/** The files that an import reads: the media type of each format, and how their names end. */
export const fileFormats = {
  csv: { type: 'text/csv', endings: ['csv', 'tsv', 'txt'] },
  ndjson: { type: 'application/x-ndjson', endings: ['ndjson', 'jsonl'] },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    endings: ['xlsx', 'xlsm'],
  },
} as const
export type FileFormat = keyof typeof fileFormats

export const importFormats = Object.keys(fileFormats) as FileFormat[]

/** The largest file that an import takes. */
export const maxFileBytes = 1024 ** 3

/** What an export writes. */
export const formats = ['csv', 'ndjson'] as const satisfies FileFormat[]
export type Format = (typeof formats)[number]

/** The format that the name of a file says. */
export function formatOfName(name: string): FileFormat | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return importFormats.find((format) => fileFormats[format].endings.some((one) => one === ending))
}

export const encodings = ['utf-8', 'latin1', 'utf-16'] as const
export type Encoding = (typeof encodings)[number]

/** What an import may find existing leads by, in addition to `attribute:SLUG`. */
export const upsertKeys = ['email', 'linkedin_url', 'phone', 'id', 'foreign_id'] as const

/** Which of day, month and year comes first in dates such as 3/4/2026. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]

/** The decimal separator: 1,234.56 has a point, 1.234,56 a comma. */
export const decimals = ['point', 'comma'] as const

/** What an import does about earlier imports of the same content. */
export const onceWays = ['true', 'continue', 'again'] as const

/** What to do with rows that look like an existing lead. */
export const duplicateWays = ['create', 'update', 'skip'] as const
export type DuplicateWay = (typeof duplicateWays)[number]

/** How many such rows a check lists, and how much of each value. */
export const maxAlikeRows = 5_000
export const alikeCharacters = 100

/** As many unknown values as people decide about one by one. */
export const maxUnknownValues = 200

/** What becomes of a status or an option that the workspace does not have. */
export const unknownWays = ['create', 'empty', 'reject'] as const
export type UnknownWay = (typeof unknownWays)[number]

/** In place of a name in `value=Header=Value=>Name`. */
export const valueSigns = { create: '+', empty: '-', reject: '!' } as const satisfies Record<
  UnknownWay,
  string
>

/** The parameters that a caller must send before an ambiguous column can be read. */
export const asks = ['dates', 'decimal'] as const

/** How far an import is. */
export interface ImportProgress {
  /** Rows of the file, and those of them that are done. */
  rows: number
  done: number
  created: number
  updated: number
  skipped: number
  rejected: number
}
