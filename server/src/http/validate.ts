// Validates input against its schema. Ajv finds the faults; this file turns them into issues with our
// codes and messages.
import { badRequest, type Issue, maxIssues } from '@rapport/contract/errors'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { Static, TSchema } from 'typebox'

const base = {
  strict: false,
  // JSON.parse reads 1e400 as Infinity, which cannot be stored.
  strictNumbers: true,
  coerceTypes: false,
  // The schema of a fault, for its x-instead.
  verbose: true,
  useDefaults: true,
  removeAdditional: false,
} as const
const quick = withFormats(new Ajv(base))
// Finding all faults takes time: every value can be one. So this validator runs only on bodies that the
// quick one has refused, and only on small ones. Of a larger one the first fault is reported.
const thorough = withFormats(new Ajv({ ...base, allErrors: true, useDefaults: false }))

/** An input with more values is not small. */
const maxThoroughValues = 10_000

function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv, ['date-time', 'date', 'uuid'])
  return ajv
}

/**
 * The returned function returns its input, or throws a BAD_REQUEST with the faults. The schema is compiled at the first use: to
 * compile those of all routes takes longer than the rest of a start.
 */
export function validator<S extends TSchema>(schema: S): (input: unknown) => Static<S> {
  let check: ValidateFunction | undefined
  let explain: ValidateFunction | undefined
  return (input) => {
    check ??= quick.compile(schema)
    if (check(input)) return input as Static<S>
    explain ??= thorough.compile(schema)
    const faults = isSmall(input) && !explain(input) ? explain.errors : check.errors
    throw badRequest(toIssues(faults ?? [], input))
  }
}

function isSmall(input: unknown): boolean {
  let left = maxThoroughValues
  const visit = (value: unknown): boolean =>
    --left >= 0 &&
    (value === null || typeof value !== 'object' || Object.values(value).every(visit))
  return visit(input)
}

function toIssues(faults: ErrorObject[], input: unknown): Issue[] {
  // Ajv reports a fault inside a union twice: for the branch and for the union. The branch says more.
  const isUnion = ({ keyword }: ErrorObject) => keyword === 'anyOf' || keyword === 'if'
  const useful = faults.every(isUnion) ? faults : faults.filter((fault) => !isUnion(fault))
  const issues = new Map<string, Issue>()
  for (const fault of useful) {
    const issue = toIssue(fault, input)
    const key = JSON.stringify([issue.path, issue.message])
    if (!issues.has(key)) issues.set(key, issue)
    if (issues.size === maxIssues) break
  }
  return [...issues.values()]
}

function toIssue(fault: ErrorObject, input: unknown): Issue {
  const { instancePath, keyword, params, message, parentSchema } = fault
  const path = toPath(instancePath, input)
  switch (keyword) {
    case 'required':
      return { path: [...path, params.missingProperty], code: 'required', message: 'Required' }
    case 'additionalProperties':
      return {
        path: [...path, params.additionalProperty],
        code: 'unknown_field',
        message: 'Unknown field',
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
      const sentence = text.charAt(0).toUpperCase() + text.slice(1)
      const instead = parentSchema?.['x-instead']
      return { path, code: keyword, message: instead ? `${sentence}. ${instead}` : sentence }
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
