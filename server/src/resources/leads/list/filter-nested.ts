// Checks the filters in `any` and `none` of a filter, which the schema of the outer one does not look into.
import { ApiError, badRequest, type Issue } from '@rapport/contract/errors'
import { LeadFilter } from '@rapport/contract/leads/filter'
import { maxConditions, maxFilterDepth } from '@rapport/contract/leads/filter.values'
import { validator } from '../../../http/validate.ts'

const check = validator(LeadFilter)

/** Returns the filter and all filters in it. Throws an error with the place of each fault. */
export function requireNested(filter: LeadFilter, path: Issue['path']): LeadFilter[] {
  const faults: Issue[] = []
  const all: LeadFilter[] = []
  let conditions = filter.fields?.length ?? 0

  function visit(one: LeadFilter, path: Issue['path'], depth: number) {
    all.push(one)
    for (const name of ['any', 'none'] as const) {
      one[name]?.forEach((inner, index) => {
        const at = [...path, name, index]
        if (depth === maxFilterDepth) {
          const message = `Filters can be nested at most ${maxFilterDepth} levels deep`
          faults.push({ path: at, code: 'depth', message })
          return
        }
        const found = faultsOf(inner)
        faults.push(...found.map((fault) => ({ ...fault, path: [...at, ...fault.path] })))
        if (found.length > 0) return
        conditions += countConditions(inner)
        visit(inner, at, depth + 1)
      })
    }
  }
  visit(filter, path, 0)
  if (conditions > maxConditions) {
    const message = `Must have at most ${maxConditions} conditions in fields, any and none`
    faults.push({ path, code: 'conditions', message })
  }
  if (faults.length > 0) throw badRequest(faults)
  return all
}

function faultsOf(filter: unknown): Issue[] {
  try {
    check(filter)
    return []
  } catch (error) {
    if (error instanceof ApiError) return error.issues
    throw error
  }
}

const countConditions = ({
  any: _,
  none: __,
  fields = [],
  attributes = [],
  ...others
}: LeadFilter) => Object.keys(others).length + fields.length + attributes.length
