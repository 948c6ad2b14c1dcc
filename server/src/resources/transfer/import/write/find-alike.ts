// Rows that look like leads that were there before the import, although nothing says that they are the same.
import { contactsFields } from '@rapport/contract/leads/fields'
import { alikeCharacters } from '@rapport/contract/transfer.values'
import type { Db } from '../../../../db/driver.ts'
import { selectAlike } from '../../../leads/duplicates/alike.sql.ts'
import { selectLargeKeys } from '../../../leads/duplicates/groups.sql.ts'
import { maxLike, selectZone } from '../../../leads/duplicates/keys.sql.ts'
import { isExact, keysOf, personKey } from '../../../leads/duplicates/keys.ts'
import type { Draft } from '../rows/read-row.ts'

const nameOf = ({ first_name, last_name }: { first_name?: unknown; last_name?: unknown }) =>
  personKey(String(first_name ?? ''), String(last_name ?? ''))

/**
 * Finds the oldest lead with the same email, phone number or LinkedIn profile as a row, unless their names differ or
 * many leads have it, such as the number of a switchboard. `id_import` was made when the import began: ids of older
 * leads are smaller.
 */
export async function findAlike(
  db: Db,
  space: string,
  drafts: Draft[],
  id_import: string,
): Promise<(draft: Draft) => string | undefined> {
  const zone = await selectZone(db, space)
  const keysOfDraft = new Map(
    drafts.map((draft) => [draft, keysOf(withFurther(draft), zone).filter(isExact)]),
  )
  const found = await selectAlike(db, space, [...keysOfDraft.values()].flat(), id_import)
  const leadsWith = new Map<string, typeof found>()
  for (const lead of found) {
    const name = `${lead.kind} ${lead.key}`
    leadsWith.set(name, [...(leadsWith.get(name) ?? []), lead])
  }
  const shared = [...leadsWith.values()].flatMap((leads) => leads[maxLike - 1] ?? [])
  const large = shared.length > 0 ? await selectLargeKeys(db, space, shared) : []
  for (const { kind, key } of large) leadsWith.delete(`${kind} ${key}`)
  return (draft) => {
    const name = nameOf(draft.fields)
    const keys = keysOfDraft.get(draft) ?? []
    const leads = keys.flatMap(({ kind, key }) => leadsWith.get(`${kind} ${key}`) ?? [])
    return leads.find((lead) => [name, undefined].includes(nameOf(lead)) || name === undefined)
      ?.id_lead
  }
}

/** What a row says, to be compared by people. */
export function valuesOf({ fields }: Draft): string[] {
  const { first_name, last_name, company, email, phone, linkedin_url } = fields
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return [name, company, email, phone, linkedin_url].flatMap((value) =>
    value ? String(value).slice(0, alikeCharacters) : [],
  )
}

function withFurther({ fields, further }: Draft): Record<string, unknown> {
  const lists = contactsFields.filter((name) => further[name])
  if (lists.length === 0) return fields
  const all = lists.map((name) => [
    name,
    [...((fields[name] ?? []) as object[]), ...(further[name] ?? [])],
  ])
  return { ...fields, ...Object.fromEntries(all) }
}
