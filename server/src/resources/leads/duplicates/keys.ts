// What a lead has in common with others that are the same: its keys. Two leads with an equal key of a kind may be one.

import { createHash } from 'node:crypto'
import { type KeyKind, keyKinds } from '@rapport/contract/duplicates.values'
import { fold } from '@rapport/contract/fold'
import type { Contact, LeadField } from '@rapport/contract/leads/fields'
import { tellingKey } from '../search/match.ts'
import { phoneKey } from './phone.ts'

/** The number of a kind in the database. */
export const numberOf = (kind: KeyKind) => keyKinds.indexOf(kind) + 1

export interface LeadKey {
  kind: number
  key: string
}

/** The fields that keys are made of. */
export const keyFields = [
  ...['first_name', 'last_name', 'company', 'is_company', 'email', 'other_emails', 'phone'],
  ...['other_phones', 'linkedin_url', 'website_url', 'timezone'],
] as LeadField[]

export const hasKeyField = (fields: readonly string[]) =>
  keyFields.some((name) => fields.includes(name))

const words = (list: string) => new Set(list.split(/\s+/))

const maxKey = 64

/** An index has no room for long keys. */
function short(key: string): string {
  if (key.length <= maxKey) return key
  const hash = createHash('sha256').update(key).digest('base64url').slice(0, 22)
  return `${Array.from(key.slice(0, maxKey)).slice(0, 40).join('')}~${hash}`
}

type Fields = Record<string, unknown>

const textOf = (lead: Fields, name: LeadField) =>
  typeof lead[name] === 'string' ? (lead[name] as string) : ''

/** Each once: a lead has few of them. */
function add(keys: LeadKey[], kind: number, key: string | undefined): void {
  if (!key) return
  const stored = short(key)
  if (!keys.some((each) => each.kind === kind && each.key === stored)) {
    keys.push({ kind, key: stored })
  }
}

const [email, emailLoose, phone, linkedin, nameCompany, nameDomain] = (
  ['email', 'email_loose', 'phone', 'linkedin', 'name_company', 'name_domain'] as const
).map(numberOf) as [number, number, number, number, number, number]

/** Of those that hardly anybody shares by chance. */
export const isExact = ({ kind }: LeadKey) => kind === email || kind === phone || kind === linkedin

/** The keys of a lead. `zone` is the time zone of the workspace: its country is that of numbers without one. */
export function keysOf(lead: Fields, zone: string | null): LeadKey[] {
  const keys: LeadKey[] = []
  const isCompany = lead.is_company === true
  const name = isCompany ? '' : personKey(textOf(lead, 'first_name'), textOf(lead, 'last_name'))
  const domains: string[] = []
  for (const value of valuesOf(lead, 'email', 'other_emails')) {
    const address = tellingKey('email', value)
    if (!address) continue
    add(keys, email, address)
    const loose = looseEmail(address)
    // Equal keys of both kinds meet too: most addresses need no second one.
    if (loose !== address) add(keys, emailLoose, loose)
    domains.push(address.slice(address.lastIndexOf('@') + 1))
  }
  for (const value of valuesOf(lead, 'phone', 'other_phones')) {
    add(keys, phone, phoneKey(value, textOf(lead, 'timezone'), zone))
  }
  add(keys, linkedin, linkedinKey(textOf(lead, 'linkedin_url'), isCompany))
  if (name === undefined) return keys
  const company = companyNameKey(textOf(lead, 'company'))
  if (company) add(keys, nameCompany, `${name}@${company}`)
  domains.push(hostOf(textOf(lead, 'website_url')))
  for (const domain of domains) {
    if (domain !== '' && !isShared(domain)) add(keys, nameDomain, `${name}@${domain}`)
  }
  return keys
}

/** The values of a field, with the further ones of its list. */
function valuesOf(
  lead: Record<string, unknown>,
  first: 'email' | 'phone',
  others: 'other_emails' | 'other_phones',
): string[] {
  const further = lead[others] ? (lead[others] as Contact[]).map(({ value }) => value) : []
  return lead[first] ? [String(lead[first]), ...further] : further
}

/** Without what comes after a plus, and without dots where the mailbox is the same without them. */
function looseEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const plus = email.indexOf('+')
  const domain = email.slice(at + 1)
  const local = email.slice(0, plus > 0 && plus < at ? plus : at)
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${local}@${domain}`
  return `${local.replaceAll('.', '')}@gmail.com`
}

const profile =
  /(?:^|\/\/|\.)linkedin\.com\/(?:mwlite\/)?(in|pub|company|school|showcase)\/([^/?#\s]+)/i

/** Of a person, the profile; of a company, its page: those who work there name it too. */
function linkedinKey(url: string, isCompany: boolean): string | undefined {
  if (url === '') return undefined
  const [, kind = '', slug = ''] = profile.exec(url) ?? []
  const isPerson = /^(in|pub)$/i.test(kind)
  if (!slug || isPerson === isCompany) return undefined
  return fold(decoded(slug))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll('\0', '')
  } catch {
    return text
  }
}

const apostrophes = /['’ʼ`´.]/g
const isAscii = /^[\0-\x7f]*$/

/** Its words. Letters that people write in two ways are the same: Müller and Mueller, Groß and Gross. */
function wordsOf(text: string): string[] {
  const folded = fold(text.replace(apostrophes, ''))
  // Several times as fast, and nearly all texts are.
  if (isAscii.test(folded)) return folded.replace(/([aou])e/g, '$1').match(/[a-z0-9]+/g) ?? []
  const plain = folded.replaceAll('ß', 'ss').replaceAll('æ', 'ae').replaceAll('œ', 'oe')
  return plain.replace(/([aou])e/g, '$1').match(/[\p{L}\p{N}]+/gu) ?? []
}

const titles = words(
  'dipl doctor dr frau herr ii iii ing iv jr mag mba md miss mr mrs ms mx phd prof professor sr',
)

/** First and last name in one order. Undefined: a name of one word is that of too many. */
export function personKey(first: string, last: string): string | undefined {
  const all = wordsOf(`${first} ${last}`).filter((word) => !titles.has(word))
  // "John Q. Smith". Single characters of other scripts are whole names.
  const long = all.filter((word) => word.length > 1 || !/^[a-z]$/.test(word))
  const used = long.length > 1 ? long : all
  if (used.length < 2) return undefined
  return used.toSorted().join(' ')
}

const legalForms = words(
  `ab ag anonim aps as asa bhd bv bvba co company corp corporation cv dd de doo eg ek eood eurl ev gbr gesmbh gmbh inc
  incorporated jsc kft kg kgaa kk limited llc llp lp ltd ltda mbh nv oao ohg oo ood ooo oy oyj pao plc private pte pty
  public pvt rl sa sab sae sal san sarl sas sasu scs sdn se sia sirketi sl slu snc sp spa spol spzoo srl sro sti tbk
  tic uab ug ve vof z zao zoo`,
)
/** Those that are written first. */
const firstForms = words('the oao ooo pao pt sarl sas zao ао зао оао ооо пао')
const smallWords = words('and e en et i och og und y')
const easternForms =
  /株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限公司|주식회사|\((?:株|有|주)\)|（(?:株|有)）/g

/** Without its legal form, small words and gaps: "The Red Ridge Co., Ltd." is "redridge". */
export function companyNameKey(name: string): string {
  if (name === '') return ''
  const core = wordsOf(isAscii.test(name) ? name : name.replace(easternForms, ' '))
  while (core.length > 1 && legalForms.has(core.at(-1) as string)) core.pop()
  while (core.length > 1 && firstForms.has(core[0] as string)) core.shift()
  const telling = core.filter((word) => !smallWords.has(word))
  return (telling.length > 0 ? telling : core).join('')
}

function hostOf(url: string): string {
  if (url === '') return ''
  const [, host = ''] =
    /^\s*(?:[a-z]+:\/\/)?(?:www\d?\.)?([^/?#:\s@]+\.[^/?#:\s@]{2,})/i.exec(url) ?? []
  return host.toLowerCase()
}

const sharedDomains = words(
  `126.com 163.com 21cn.com aol.com bigpond.com bluewin.ch bol.com.br btinternet.com comcast.net duck.com facebook.com
  fastmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk
  hotmail.com hotmail.de hotmail.fr hotmail.it icloud.com inbox.ru instagram.com laposte.net libero.it linkedin.com
  live.com live.de live.fr mac.com mail.com mail.ru me.com msn.com naver.com o2.pl online.de orange.fr outlook.com
  outlook.de outlook.fr pm.me posteo.de proton.me protonmail.com qq.com rambler.ru rediffmail.com sbcglobal.net sfr.fr
  sina.com t-online.de tutanota.com twitter.com uol.com.br verizon.net virgilio.it wanadoo.fr web.de wp.pl x.com
  yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.ru ymail.com
  zoho.com`,
)

/** Of people who have nothing else in common. */
const isShared = (domain: string) => sharedDomains.has(domain)
