// Input against its schema: Ajv finds the faults, this file words them.

import { badRequest, type Issue } from '@rapport/contract/errors'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'

const base = {
  strict: false,
  // 1e400 reads as Infinity, which is no number to store.
  strictNumbers: true,
  coerceTypes: false,
  useDefaults: true,
  removeAdditional: false,
} as const
const quick = withFormats(new Ajv(base))
// Finding every fault of a body with a million of them costs memory, so this one only runs on
// bodies known to be faulty, and stops being asked when they are large.
const thorough = withFormats(new Ajv({ ...base, allErrors: true, useDefaults: false }))

function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv, ['date-time', 'date', 'uuid'])
  return ajv
}

export function validator(schema: TSchema): (input: unknown, size: number) => void {
  const check = quick.compile(schema)
  let explain: ValidateFunction | undefined
  return (input, size) => {
    if (check(input)) return
    explain ??= thorough.compile(schema)
    const faults = size <= 1_000_000 && !explain(input) ? explain.errors : check.errors
    throw badRequest(toIssues(faults ?? [], input))
  }
}

function toIssues(faults: ErrorObject[], input: unknown): Issue[] {
  // A fault inside one branch of a union also reports the union itself; the branch says more.
  const unions = faults.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'if')
  const useful = faults.length > unions.length ? faults.filter((f) => !unions.includes(f)) : faults
  const issues = useful.map((fault) => toIssue(fault, input))
  const seen = new Set<string>()
  return issues.filter(({ path, message }) => {
    const key = JSON.stringify([path, message])
    return !seen.has(key) && seen.add(key)
  })
}

function toIssue({ instancePath, keyword, params, message }: ErrorObject, input: unknown): Issue {
  const path = toPath(instancePath, input)
  switch (keyword) {
    case 'required':
      return { path: [...path, params.missingProperty], code: 'required', message: 'Required' }
    case 'additionalProperties':
      return {
        path: [...path, params.additionalProperty],
        code: 'unknown_field',
        message: 'No such field',
      }
    case 'type':
      return { path, code: 'type', message: `Must be ${[params.type].flat().join(' or ')}` }
    case 'enum':
      return {
        path,
        code: 'enum',
        message: `Must be one of ${params.allowedValues.map(String).join(', ')}`,
      }
    case 'pattern':
      return {
        path,
        code: 'pattern',
        message: params.pattern === '\\S' ? 'Must not be empty' : `Must match ${params.pattern}`,
      }
    default: {
      const text = message ?? 'is not valid'
      return { path, code: keyword, message: text.charAt(0).toUpperCase() + text.slice(1) }
    }
  }
}

/** "/filter/attributes/0/operator" → ["filter", "attributes", 0, "operator"] */
function toPath(pointer: string, input: unknown): (string | number)[] {
  let at: unknown = input
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      const step = Array.isArray(at) ? Number(key) : key
      at = (at as Record<string | number, unknown> | null)?.[step]
      return step
    })
}
