// The values of a lead as callers write them: fields by their names, custom attributes by theirs.
import { badRequest, type Issue } from '@rapport/contract/errors'
import { changeFields } from '@rapport/contract/leads/fields'
import { nearest } from '../nearest.ts'
import { quoted, type Workspace } from './workspace.ts'

const fields = [...changeFields, 'contract_amount']

/** Splits values into fields and attributes, as the interface takes them. */
export async function readValues(
  workspace: Workspace,
  given: Record<string, unknown>,
  path: Issue['path'],
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  const attributes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (fields.includes(name)) values[name] = value
    else attributes[await attributeId(workspace, name, [...path, name])] = value
  }
  const names = Object.keys(attributes)
  if (names.length === 0) return values
  const known = await workspace.all('attribute')
  for (const id of names) {
    const options = known.find((one) => one.id === id)?.select_options ?? []
    const option = (value: unknown) => options.find(({ name }) => name === value)?.id ?? value
    const value = attributes[id]
    attributes[id] = Array.isArray(value) ? value.map(option) : option(value)
  }
  return { ...values, attributes }
}

async function attributeId(workspace: Workspace, name: string, path: Issue['path']) {
  return workspace.one('attribute', name, path).catch((error) => {
    const meant = nearest(name.slice(0, 40), fields)
    if (meant === undefined) throw error
    const message = `No field or attribute ${quoted(name)}. Did you mean "${meant}"?`
    throw badRequest({ path, code: 'unknown_field', message })
  })
}
