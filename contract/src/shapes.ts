// The building blocks of the contracts.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** A value of the schema or null, as one type, so that an error has one message instead of one per branch. */
export function Nullable<T extends TSchema>(schema: T) {
  const plain = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [plain.type, 'null'],
    ...(plain.enum && { enum: [...plain.enum, null] }),
  })
}

/** One of a few strings. */
export function OneOf<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/**
 * What the document says in addition to the validated schema: where the handler validates it and words the
 * error, or where a query has text for another type.
 */
export function Documented<T extends TSchema>(schema: T, beyond: object) {
  return Type.Unsafe<Static<T>>({ ...schema, 'x-documented': beyond })
}

/** An id in a response. */
export const Id = Type.String({ format: 'uuid' })

/** The id of a record in a body. The handler detects an unknown one, or one that is not a UUID. */
export const Ref = Type.String()

/** The maximum number of tags, lists, members and so on in an array of a body. */
export const maxRefs = 5_000

/**
 * An array with a limit. `instead` says what to do if it is not enough: in the document, and in the error
 * for a body that has more.
 */
export function Limited<T extends TSchema>(
  item: T,
  maxItems: number,
  { instead, ...options }: { instead?: string; description?: string; minItems?: number } = {},
) {
  return Type.Array(item, { maxItems, ...options, ...(instead && { 'x-instead': instead }) })
}

/** The most characters of a name. Every name of a workspace is read at once, for pickers and imports. */
export const maxName = 1_000

/** A name that is not blank. */
export const Name = Type.String({ pattern: '\\S', maxLength: maxName })

/**
 * The most bytes of one text in a body or a file, and of a whole lead. What is larger is a file, not a text. A
 * page has up to 1,000 records, so this also bounds what a page can cost.
 */
export const maxTextBytes = 128 * 1024
export const maxText = `${maxTextBytes / 1024} KiB`

export const DateTime = Type.String({ format: 'date-time' })

/** An object with a name in the OpenAPI document. */
export function Shape<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, { title })
}

/** Makes every property optional. The name stays. */
export const AllOptional: typeof Type.Partial = (schema, options = {}) => {
  const { title } = schema as { title?: string }
  return Type.Partial(schema, { ...(title && { title }), ...options })
}

/** What deletions and bulk operations return. */
export const Message = Type.String({
  title: 'Message',
  description: 'A human-readable message, for example "12 leads updated"',
})

export const SortDirection = OneOf(['asc', 'desc'], { title: 'SortDirection' })

/** Of leads, notes and reminders. */
export const pageSizes = { min: 1, max: 1000, otherwise: 50 }

export const PageSize = Type.Integer({
  minimum: pageSizes.min,
  maximum: pageSizes.max,
  description: `Records per page; default ${pageSizes.otherwise}`,
})

/** Of a whole number in a query, where it is text. The handler reads it. */
export interface Limits {
  min: number
  max: number
  otherwise: number
}

const WholeNumber = (description: string) =>
  Documented(Type.String({ description }), { type: 'integer' })

export const Seconds = ({ max }: Limits, says: string) => WholeNumber(`${says}, at most ${max}`)

/** How many of these a page has at most. */
export const PageLimit = ({ min, max, otherwise }: Limits, what = '') =>
  WholeNumber(`${min} to ${max}${what && ` ${what}`}; default ${otherwise}`)

/** Which page of a list is wanted that is read from page to page. */
export const nextPage = (limits: Limits, what?: string) => ({
  after: Type.String({ description: '`next` of the previous page' }),
  limit: PageLimit(limits, what),
})

/** Which page of notes or reminders is wanted. */
export const PageRequest = AllOptional(
  Shape('PageRequest', {
    page: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'The first page is 1' }),
    page_size: PageSize,
  }),
)

/** Any JSON value. */
export const Anything = Type.Unsafe<unknown>({ description: 'Any JSON value' })

/** An object with any keys. */
export function AnyObject(options: object = {}) {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    ...options,
  })
}

/** The same schema for each of these names. */
export function each<const K extends string, S extends TSchema>(names: readonly K[], schema: S) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<K, S>
}
