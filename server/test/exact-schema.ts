// Validates answers against the OpenAPI document. Fields that it does not name are errors.
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

/** Returns a function that compiles a schema of the document. */
export function exactSchemas(components: object): (schema: object) => ValidateFunction {
  const ajv = formats.default(new Ajv({ strict: false, allErrors: true }), ['uuid', 'date'])
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const known = closed(components)
  return (schema) => ajv.compile({ ...closed(schema), components: known })
}

function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]))
  const { type, properties } = copy
  return (type === 'object' && properties ? { ...copy, additionalProperties: false } : copy) as T
}
