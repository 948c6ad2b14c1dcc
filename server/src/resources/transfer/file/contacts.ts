// Further emails and phones in one cell: "ada@home.example (Home); ada@work.example".
import type { Contact } from '@rapport/contract/leads/fields'
import { joinNames } from './names.ts'

/** What cannot be written so that it is read the same is JSON. */
export function contactsCell(contacts: readonly Contact[]): string {
  const texts = contacts.map(({ value, label }) => (label ? `${value} (${label})` : value))
  const isPlain = contacts.every((contact, at) => {
    const { value, label } = contactIn(texts[at] as string)
    return value === contact.value && label === contact.label
  })
  return isPlain ? joinNames(texts) : JSON.stringify(contacts)
}

/** Letters in brackets at the end are a label; digits are part of a phone number. */
export function contactIn(text: string): Contact {
  const [, value, label] = /^(.*\S) \((\p{L}[^()]*)\)$/u.exec(text) ?? []
  return value === undefined || label === undefined ? { value: text, label: '' } : { value, label }
}
