// Leads that exist twice, the second time written differently, so that they share only one kind of key.
import { type KeyKind, keyKinds } from '@rapport/contract/duplicates.values'
import type { Random } from '../random.ts'
import type { Lead } from './people.ts'

export interface Double {
  id: string
  /** The lead that it is a double of. */
  of: string
  /** What they have in common. */
  kind: KeyKind
}

/** The newest people, of whom one gets the next double. */
const kept = 1_000
const needed = ['company', 'email', 'phone', 'linkedin_url'] as const

/** Of the next leads this share are doubles. */
export function createDoubles(random: Random, share: number, onDouble?: (double: Double) => void) {
  const people: Lead[] = []
  let count = 0
  return {
    /** A lead that may get a double. */
    add(lead: Lead): void {
      if (lead.fields.is_company || needed.some((name) => !lead.fields[name])) return
      // What is added to a lead later is not part of it here.
      people.push({ ...lead, fields: { ...lead.fields } })
      if (people.length > kept) people.shift()
    },
    /** A double with this creation time, or none. */
    next(created: number): Lead | undefined {
      if (people.length === 0 || !random.chance(share)) return undefined
      const [lead] = people.splice(random.between(0, people.length - 1), 1) as [Lead]
      const kind = keyKinds[count++ % keyKinds.length] as KeyKind
      const id = random.id(created)
      onDouble?.({ id, of: lead.id, kind })
      const fields = variants[kind](lead.fields as Texts, random)
      return { ...lead, id, created, company: undefined, fields: { is_company: false, ...fields } }
    },
  }
}

type Texts = Record<string, string>

const variants: Record<KeyKind, (lead: Texts, random: Random) => Texts> = {
  email: ({ email = '', first_name = '' }) => ({ first_name, email: ` ${email.toUpperCase()} ` }),
  email_loose: ({ email = '', first_name = '' }) => ({
    ...{ first_name, email: email.replace('@', '+crm@') },
  }),
  phone: ({ phone = '', timezone = '', first_name = '' }, random) => ({
    ...{ first_name, timezone, phone: otherPhone(phone, random) },
  }),
  linkedin: ({ linkedin_url = '', first_name = '' }) => ({
    first_name,
    linkedin_url: `${linkedin_url.replace('https://www.', 'http://de.').toUpperCase()}/?trk=people`,
  }),
  name_company: ({ first_name = '', last_name = '', company = '' }, random) => ({
    ...{ first_name: plain(last_name), last_name: `Dr. ${plain(first_name)}` },
    company: otherCompany(company, random),
  }),
  name_domain: ({ first_name = '', last_name = '', email = '' }) => ({
    ...{ first_name: first_name.toUpperCase(), last_name: `${plain(last_name)} Jr.` },
    email: `office-${email.length}@${email.split('@')[1]}`,
    company: 'unknown',
  }),
}

const plain = (text: string) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '')

/** As people of the country write it. */
function otherPhone(phone: string, random: Random): string {
  const [, code = '', rest = ''] = /^\+(\d+) (.*)$/.exec(phone) ?? []
  const national = ['1', '34', '39', '48'].includes(code) ? rest : `0${rest}`
  const forms = [`00${code} ${rest}`, `+${code}${rest.replace(/\D/g, '')}`, national]
  if (national.startsWith('0')) forms.push(`+${code} (0)${rest.replaceAll(' ', '-')}`)
  return random.pick(forms)
}

const legalForm = /,? (Inc\.|LLC|Ltd|GmbH|AG|SARL|SAS|S\.L\.|S\.A\.|S\.r\.l\.|S\.p\.A\.|AB)$/

function otherCompany(company: string, random: Random): string {
  const core = company.replace(legalForm, '')
  return random.pick([core, core.toUpperCase(), plain(core), `${core} Ltd.`, `The ${core}`])
}
