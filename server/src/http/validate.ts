// Validates input against its schema. Ajv finds the faults; this file turns them into issues with our
// codes and messages.
import { badRequest, type Issue } from '@rapport/contract/errors'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'

const base = {
  strict: false,
  // JSON.parse reads 1e400 as Infinity, which cannot be stored.
  strictNumbers: true,
  coerceTypes: false,
  useDefaults: true,
  removeAdditional: false,
} as const
const quick = withFormats(new Ajv(base))
// Finding all faults costs memory: a body can have a million. So this validator runs only on bodies that
// the quick one has refused, and only up to maxThoroughBytes.
const thorough = withFormats(new Ajv({ ...base, allErrors: true, useDefaults: false }))

const maxThoroughBytes = 1_000_000

function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv, ['date-time', 'date', 'uuid'])
  return ajv
}

/**
 * The returned function throws a BAD_REQUEST with every fault. `size` is the input's size in bytes. The
 * schema is compiled at the first use: to compile those of all routes takes longer than the rest of a start.
 */
export function validator(schema: TSchema): (input: unknown, size: number) => void {
  let check: ValidateFunction | undefined
  let explain: ValidateFunction | undefined
  return (input, size) => {
    check ??= quick.compile(schema)
    if (check(input)) return
    explain ??= thorough.compile(schema)
    const faults = size <= maxThoroughBytes && !explain(input) ? explain.errors : check.errors
    throw badRequest(toIssues(faults ?? [], input))
  }
}

function toIssues(faults: ErrorObject[], input: unknown): Issue[] {
  // Ajv reports a fault inside a union twice: for the branch and for the union. The branch says more.
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
