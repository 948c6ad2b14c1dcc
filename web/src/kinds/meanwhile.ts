// A value that others change while it is edited here: the editor says so.
import { useEffect, useState } from 'react'
import type { Lead } from '../api/lead.ts'
import { authorOf, changedMeanwhile } from '../api/meanwhile.ts'
import type { Records } from '../api/records.ts'
import { words } from '../words/index.ts'
import type { Field } from './field.ts'
import { textOf } from './kinds.tsx'

/** `before`: the lead as it was when the editing began. */
export function useMeanwhile(
  field: Field,
  before: Lead,
  lead: Lead,
  records: Records,
): string | undefined {
  const [author, setAuthor] = useState<string>()
  const names = lead.id === before.id ? changedMeanwhile(before, lead, partsOf(field)) : []
  const value = names.length > 0 ? textOf(field, lead, records) : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value may have another author
  useEffect(() => {
    setAuthor(undefined)
    if (value === undefined) return
    let isCurrent = true
    authorOf(lead, names).then(
      (name) => isCurrent && setAuthor(name),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [value])
  return value === undefined
    ? undefined
    : words.live.meanwhile(author ?? words.faults.somebody, value)
}

/** What the field is made of, as keys. */
function partsOf(field: Field): Partial<Lead> {
  if (field.kind === 'name') return { first_name: null, last_name: null, company: null }
  return field.change(null)
}
