// Checks the values of custom attributes in the body of a lead, and converts them to the stored form.
import type { AttributeType } from '@rapport/contract/attributes'
import { badRequest, type Issue, maxIssues, unknownRecord } from '@rapport/contract/errors'
import { toDate, toTimestamp } from '../../filter/values.ts'
import { isId } from '../../ids.ts'
import type { AttributeRow } from './attributes.ts'

type Path = Issue['path']

export interface Values {
  /** Attribute id → the value to store. Null clears it. */
  values: Record<string, unknown>
  /** The leads that values refer to. The caller checks that they exist. */
  relations: { id: string; path: Path }[]
}

/** Throws one error with all faults, up to `maxIssues`. */
export function readValues(
  definitions: AttributeRow[],
  attributes: Record<string, unknown>,
  path: Path,
): Values {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]))
  const seen = new Set<string>()
  const values: Values['values'] = {}
  const relations: Values['relations'] = []
  const issues: Issue[] = []
  for (const [key, value] of Object.entries(attributes)) {
    if (issues.length >= maxIssues) break
    const at = [...path, key]
    const definition = byId.get(key.toLowerCase())
    if (!definition) {
      issues.push(unknownRecord(at, 'attribute'))
      continue
    }
    const { id, type, name } = definition
    if (seen.has(id)) {
      issues.push({ path: at, code: 'duplicate', message: `${name} is given twice` })
      continue
    }
    seen.add(id)
    const read = value === null ? null : readValue(definition, value, at, issues)
    if (type === 'RELATION' && typeof read === 'string') relations.push({ id: read, path: at })
    values[id] = read
  }
  if (issues.length > 0) throw badRequest(issues)
  return { values, relations }
}

/** Returns the value to store. Adds a fault to `issues`; the returned value is then not used. */
function readValue(definition: AttributeRow, value: unknown, path: Path, issues: Issue[]): unknown {
  if (definition.type === 'SELECT') return readOptions(definition, value, path, issues)
  if (definition.type === 'LOCATION') return readLocation(definition, value, path, issues)
  const { takes, read } = kinds[definition.type]
  const stored = read(value)
  if (stored === undefined) issues.push(wrongKind(definition, takes, path))
  return stored
}

interface Kind {
  takes: string
  /** Returns the value to store, or undefined if it is of another kind. */
  read(value: unknown): unknown
}

function text(takes: string, read: (value: string) => string | undefined): Kind {
  return { takes, read: (value) => (typeof value === 'string' ? read(value) : undefined) }
}

const anyText = text('text', (value) => value)
const anyNumber: Kind = {
  takes: 'a number',
  read: (value) => (Number.isFinite(value) ? value : undefined),
}

const kinds: Record<Exclude<AttributeType, 'SELECT' | 'LOCATION'>, Kind> = {
  TEXT: anyText,
  TEXTAREA: anyText,
  PHONENUMBER: anyText,
  // It must contain an address. "Ada <ada@example.com>" is accepted.
  EMAIL: text('an email address', (value) => (/[^\s@]@[^\s@]/.test(value) ? value : undefined)),
  NUMBER: anyNumber,
  CURRENCY: anyNumber,
  CHECKBOX: {
    takes: 'true or false',
    read: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  DATE: text('a date such as 2026-01-31', toDate),
  TIMESTAMP: text('a date-time such as 2026-01-31T09:30:00Z', toTimestamp),
  RELATION: text('the id of a lead', (value) => (isId(value) ? value.toLowerCase() : undefined)),
}

function wrongKind({ name }: AttributeRow, takes: string, path: Path): Issue {
  return { path, code: 'kind', message: `${name} takes ${takes}` }
}

/** One option or an array of them. Stored as an array if the attribute is multi-select. */
function readOptions(
  definition: AttributeRow,
  value: unknown,
  path: Path,
  issues: Issue[],
): unknown {
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

function coordinate(limit: number): Kind {
  return {
    takes: `a number from -${limit} to ${limit}`,
    read: (value) => (typeof value === 'number' && Math.abs(value) <= limit ? value : undefined),
  }
}

const locationFields = new Map([
  ['latitude', coordinate(90)],
  ['longitude', coordinate(180)],
  ['address', anyText],
])

/** An object with at least one of latitude, longitude and address. A string is read as the address. */
function readLocation(
  definition: AttributeRow,
  value: unknown,
  path: Path,
  issues: Issue[],
): unknown {
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
      issues.push({ path: at, code: 'unknown_field', message: 'No such field' })
    } else if (field.read(part) === undefined) {
      const message = `The ${key} of ${definition.name} takes ${field.takes}`
      issues.push({ path: at, code: 'kind', message })
    }
  }
  return value
}
