// Each name that other systems have for a field leads to that field. What an import does with it is in
// leads.fields.test.ts, with one of these names for each field.
import { type FieldSpec, leadFields } from '@rapport/contract/leads/fields'
import { leadRelations, type RelationSpec } from '@rapport/contract/leads/relations'
import { expect, test } from 'vitest'
import { fieldOf } from './headers.ts'

const table: [string, FieldSpec | RelationSpec][] = [
  ...Object.entries<FieldSpec>(leadFields).filter(([, { transfer }]) => transfer !== false),
  ...Object.entries<RelationSpec>(leadRelations),
]
const aliases = table.flatMap(([name, spec]) =>
  (spec.aliases?.split(', ') ?? []).map((alias) => ({ alias, name })),
)

test('every alias names its field', () => {
  expect(aliases.length).toBeGreaterThan(300)
  const named = aliases.map(({ alias }) => ({ alias, name: nameOf(alias) }))
  expect(named).toEqual(aliases)
})

function nameOf(header: string): string | undefined {
  const known = fieldOf(header)?.known
  return known && 'name' in known ? known.name : known?.kind
}
