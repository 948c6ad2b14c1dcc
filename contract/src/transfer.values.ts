// What files and imports can be, as plain values, for readers that must not load the schemas: the page.

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** What an import reads. A workbook is read as the CSV of one sheet. */
export const importFormats = [...formats, 'xlsx'] as const

export const encodings = ['utf-8', 'latin1', 'utf-16'] as const
export type Encoding = (typeof encodings)[number]

/** What an import may find existing leads by, beside `attribute:SLUG`. */
export const upsertKeys = ['email', 'linkedin_url', 'phone', 'id', 'foreign_id'] as const

/** Which of day, month and year comes first in dates such as 3/4/2026. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]

/** What stands before decimals: 1,234.56 has a point, 1.234,56 a comma. */
export const decimals = ['point', 'comma'] as const

/** What an import does about earlier imports of the same content. */
export const onceWays = ['true', 'continue', 'again'] as const

/** What a caller must say before a column can be read: the parameters `dates` and `decimal`. */
export const asks = ['dates', 'decimal'] as const
