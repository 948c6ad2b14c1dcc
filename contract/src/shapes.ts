// The building blocks of the contracts.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** A value of the schema or null, as one type: a fault then gets one sentence, not one a branch. */
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
 * What the document says beyond the schema that is checked: where the handler checks it and words the
 * fault, or where a query holds as text what has another type.
 */
export function Documented<T extends TSchema>(schema: T, beyond: object) {
  return Type.Unsafe<Static<T>>({ ...schema, 'x-documented': beyond })
}

/** An id in an answer. */
export const Id = Type.String({ format: 'uuid' })

/** The id of a record in a body. One that is unknown, or no uuid at all, is told apart later. */
export const Ref = Type.String()

/** The most tags, lists, members and the like that one array of a body names. */
export const maxRefs = 5_000

/**
 * An array with a limit. `instead` says what to do when it is not enough: in the document, and in the fault
 * of a body that has more.
 */
export function Limited<T extends TSchema>(
  item: T,
  maxItems: number,
  { instead, ...options }: { instead?: string; description?: string } = {},
) {
  return Type.Array(item, { maxItems, ...options, ...(instead && { 'x-instead': instead }) })
}

/** A name that says something. */
export const Name = Type.String({ pattern: '\\S' })

export const DateTime = Type.String({ format: 'date-time' })

/** An object, under the name that it has in the OpenAPI document. */
export function Shape<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, { title })
}

/** Every property may be left out. The name stays. */
export const AllOptional: typeof Type.Partial = (schema, options = {}) => {
  const { title } = schema as { title?: string }
  return Type.Partial(schema, { ...(title && { title }), ...options })
}

/** What deletions and bulk operations return. */
export const Message = Type.String({
  title: 'Message',
  description: 'A sentence for people, such as "12 leads updated"',
})

export const SortDirection = OneOf(['asc', 'desc'], { title: 'SortDirection' })

export const PageSize = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'Records on a page, 50 when absent',
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
