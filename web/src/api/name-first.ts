// Leads that were searched for: those whose name was typed come before those that were found in another way.
import { fold } from '@rapport/contract/fold'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { type Lead, nameOf } from './lead.ts'

const wordsOf = (text: string) => fold(text).split(/\s+/).filter(Boolean)

/** 0: the name of a person begins with the text. 1: each word begins one of it. 2: a company's. 3: a name has them. 4: it has not. */
function rank(lead: Lead, text: string): number {
  const name = wordsOf(nameOf(lead))
  const wanted = wordsOf(text)
  if (wanted.every((word) => name.some((part) => part.startsWith(word)))) {
    if (lead.is_company) return 2
    return name.join(' ').startsWith(wanted.join(' ')) ? 0 : 1
  }
  return wanted.every((word) => name.some((part) => part.includes(word))) ? 3 : 4
}

export const nameFirst = (leads: readonly Lead[], text: string): Lead[] =>
  leads.toSorted((a, b) => rank(a, text) - rank(b, text))

/** Selects, of the leads with this text, those whose name begins with it. */
export function namedFilter(text: string): LeadFilter {
  const begins = (field: 'first_name' | 'last_name' | 'company', value: string) =>
    ({ field, operator: 'starts_with', value }) as const
  const [first = '', ...rest] = text.split(/\s+/)
  const last = rest.join(' ')
  return {
    search: text,
    any: [
      { fields: [begins('first_name', text)] },
      { fields: [begins('last_name', text)] },
      { is_company: true, fields: [begins('company', text)] },
      ...(last ? [{ fields: [begins('first_name', first), begins('last_name', last)] }] : []),
    ],
  }
}
