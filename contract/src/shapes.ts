// The building blocks of the contracts.
import { type Static, type TSchema, Type } from 'typebox'

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

/** An id in an answer. */
export const Id = Type.String({ format: 'uuid' })

/** The id of a record in a body. One that is unknown, or no uuid at all, is told apart later. */
export const Ref = Type.String()

/** A name that says something. */
export const Name = Type.String({ pattern: '\\S' })

export const DateTime = Type.String({ format: 'date-time' })

/** Any JSON value. */
export const Anything = Type.Unsafe<unknown>({})

/** An object with any keys. */
export function AnyObject(options: object = {}) {
  return Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    ...options,
  })
}

/** Every property may be left out. */
export const AllOptional = Type.Partial

/** The same schema for each of these names. */
export function each<const K extends string, S extends TSchema>(names: readonly K[], schema: S) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<K, S>
}
