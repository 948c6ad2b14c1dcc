// Further emails and phones of a lead.
import type { Contact } from '@rapport/contract/leads/fields'
import { matchKey, trim } from './match.ts'

type Given = string | { value: string; label?: string | null }

/** Without outer blanks, empty ones and repeated ones. Null if none is left: leads without any have no list. */
export function readContacts(
  of: 'email' | 'phone',
  given: readonly Given[] | null,
): Contact[] | null {
  const contacts = new Map<string, Contact>()
  for (const one of given ?? []) {
    const { value, label } = typeof one === 'string' ? { value: one, label: '' } : one
    const contact = { value: trim(value), label: trim(label ?? '') }
    const key = matchKey(of, contact.value) || contact.value
    if (key !== '' && !contacts.has(key)) contacts.set(key, contact)
  }
  return contacts.size > 0 ? [...contacts.values()] : null
}
