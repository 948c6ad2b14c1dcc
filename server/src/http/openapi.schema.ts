// Schemas of the contract as the OpenAPI document has them.
import { Type } from 'typebox'

export type Components = Record<string, object>

/** The content of a file that is sent or received as it is. */
export const fileContent = Type.String({
  title: 'FileContent',
  description: 'A file of the given content type',
})

/** A schema with what the document adds. */
export function documented(schema: object): Record<string, unknown> {
  const {
    'x-documented': beyond,
    'x-instead': instead,
    ...checked
  } = schema as Record<string, unknown>
  const said = [checked.description, instead].filter(Boolean).map(String)
  return {
    ...checked,
    ...(instead !== undefined && {
      description: said.map((part) => part.replace(/\.$/, '')).join('. '),
    }),
    ...Object(beyond),
  }
}

/** A schema with a title becomes a component that others refer to. */
export function reference(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((item) => reference(item, components))
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(
    Object.entries(documented(schema)).map(([key, value]) => [key, reference(value, components)]),
  )
  const { title } = copy
  if (typeof title !== 'string') return copy
  const known = components[title]
  if (known && JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`Two different schemas are called ${title}`)
  }
  components[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}
