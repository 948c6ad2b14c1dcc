// Each name that other systems have for a field leads to that field. What an import does with it is in
// leads.fields.test.ts, with one of these names for each field.
import { leadFields, transferFields } from '@rapport/contract/leads/fields'
import { leadRelations, toldRelations } from '@rapport/contract/leads/relations'
import { expect, test } from 'vitest'
import { aliases } from './aliases.ts'
import { fieldOf } from './headers.ts'

test('every alias names its field', () => {
  const wanted = [...aliases].flatMap(([name, names]) => names.map((alias) => ({ alias, name })))
  expect(wanted.length).toBeGreaterThan(300)
  expect(wanted.map(({ alias }) => ({ alias, name: nameOf(alias) }))).toEqual(wanted)
})

test('every label names its field', () => {
  const labels = [
    ...transferFields.map((name) => ({ label: leadFields[name].label, name })),
    ...toldRelations.map((name) => ({ label: leadRelations[name].label, name })),
  ]
  expect(labels.map(({ label }) => ({ label, name: nameOf(label) }))).toEqual(labels)
})

function nameOf(header: string): string | undefined {
  const known = fieldOf(header)?.known
  return known && 'name' in known ? known.name : known?.kind
}
