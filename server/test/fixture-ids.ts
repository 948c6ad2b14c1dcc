// The ids of the records in a workspace of fixture.ts.
import { exampleIds } from '@rapport/contract'
import { newId } from '../src/ids.ts'

/** The ids of the examples, and some more. */
export const fixtureIds = {
  ...exampleIds,
  otherStatus: '01920000-0000-7000-8000-000000000004',
  option: '01920000-0000-7000-8000-000000000007',
  company: '01920000-0000-7000-8000-000000000011',
  relation: '01920000-0000-7000-8000-000000000012',
  step: '01920000-0000-7000-8000-000000000014',
  otherOption: '01920000-0000-7000-8000-000000000015',
  date: '01920000-0000-7000-8000-000000000030',
} as const

export type Kind = keyof typeof fixtureIds
export type Ids = Record<Kind, string>

export const kinds = Object.keys(fixtureIds) as Kind[]

/** A new id for each kind. */
export function freshIds(): Ids {
  return Object.fromEntries(kinds.map((kind) => [kind, newId()])) as Ids
}
