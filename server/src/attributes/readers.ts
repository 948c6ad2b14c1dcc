// How values of attributes in a body are checked, and converted to the stored form.
import { type Issue, maxIssues } from '@rapport/contract/errors'
import { isId } from '../ids.ts'
import type { Definition, Read } from './definition.ts'

type Path = Issue['path']

/** Returns the value to store, or undefined if it is of another kind. */
type Convert = (value: unknown) => unknown

const oneValue =
  (takes: string, convert: Convert): Read =>
  (attribute, value, path, issues) => {
    const stored = convert(value)
    if (stored === undefined) issues.push(wrongKind(attribute, takes, path))
    return stored
  }

const isText: Convert = (value) => (typeof value === 'string' ? value : undefined)

export const textThat = (takes: string, read: (value: string) => string | undefined) =>
  oneValue(takes, (value) => (typeof value === 'string' ? read(value) : undefined))

export const anyText = oneValue('text', isText)

export const anyNumber = oneValue('a number', (value) =>
  Number.isFinite(value) ? value : undefined,
)

export const flag = oneValue('true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
)

export const leadId = textThat('the id of a lead', (value) =>
  isId(value) ? value.toLowerCase() : undefined,
)

function wrongKind({ name }: Definition, takes: string, path: Path): Issue {
  return { path, code: 'kind', message: `${name} must be ${takes}` }
}

/** One option or an array of them. Stored as an array if the attribute is multi-select. */
export const options: Read = (definition, value, path, issues) => {
  const { name, is_multi, options } = definition
  const known = new Set(options.map(({ id }) => id))
  const chosen = new Set<string>()
  const choose = (item: unknown, at: Path) => {
    if (typeof item !== 'string') {
      issues.push(wrongKind(definition, is_multi ? 'option ids' : 'the id of an option', at))
    } else if (known.has(item.toLowerCase())) {
      chosen.add(item.toLowerCase())
    } else {
      issues.push({ path: at, code: 'unknown_record', message: `${name} has no such option` })
    }
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (issues.length >= maxIssues) break
      choose(item, [...path, index])
    }
  } else {
    choose(value, path)
  }
  if (chosen.size > 1 && !is_multi) issues.push(wrongKind(definition, 'one option', path))
  const [first = null] = chosen
  return is_multi && first !== null ? [...chosen] : first
}

const coordinate = (limit: number) => ({
  takes: `a number from -${limit} to ${limit}`,
  convert: (value: unknown) =>
    typeof value === 'number' && Math.abs(value) <= limit ? value : undefined,
})

const locationFields = new Map<string, { takes: string; convert: Convert }>([
  ['latitude', coordinate(90)],
  ['longitude', coordinate(180)],
  ['address', { takes: 'text', convert: isText }],
])

/** An object with at least one of latitude, longitude and address. A string is read as the address. */
export const location: Read = (definition, value, path, issues) => {
  if (typeof value === 'string') return { address: value }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const fields = isObject ? Object.entries(value) : []
  if (fields.length === 0) {
    issues.push(wrongKind(definition, 'latitude, longitude and address, or an address', path))
  }
  for (const [key, part] of fields) {
    if (issues.length >= maxIssues) break
    const field = locationFields.get(key)
    const at = [...path, key]
    if (!field) {
      issues.push({ path: at, code: 'unknown_field', message: 'Unknown field' })
    } else if (field.convert(part) === undefined) {
      const message = `The ${key} of ${definition.name} must be ${field.takes}`
      issues.push({ path: at, code: 'kind', message })
    }
  }
  return value
}
