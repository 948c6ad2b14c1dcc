// Checks the values of custom attributes in the body of a lead, and converts them to the stored form.
import { badRequest, type Issue, maxIssues, unknownRecord } from '@rapport/contract/errors'
import type { Definition } from './definition.ts'
import { attributeRecords } from './types.ts'

type Path = Issue['path']

export interface Values {
  /** Attribute id → the value to store. Null clears it. */
  values: Record<string, unknown>
  /** The leads that values refer to. The caller checks that they exist. */
  relations: { attribute: string; id: string; path: Path }[]
}

/** Throws one error with all faults, up to `maxIssues`. */
export function readValues(
  definitions: Definition[],
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
      issues.push({ path: at, code: 'duplicate', message: `${name} is specified twice` })
      continue
    }
    seen.add(id)
    const { read, cell } = attributeRecords[type]
    const stored = value === null ? null : read(definition, value, at, issues)
    if (cell === 'lead' && typeof stored === 'string')
      relations.push({ attribute: id, id: stored, path: at })
    values[id] = stored
  }
  if (issues.length > 0) throw badRequest(issues)
  return { values, relations }
}
