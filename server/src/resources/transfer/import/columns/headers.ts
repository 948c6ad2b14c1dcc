// Which field of a lead a header names, in the words of other systems and
// of other languages.
import { fold } from '@rapport/contract/fold'
import { leadFields, type TransferField, transferFields } from '@rapport/contract/leads/fields'
import { type ToldRelation, toldRelations } from '@rapport/contract/leads/relations'
import { aliases } from './aliases.ts'

export type Known =
  | { kind: 'field'; name: TransferField }
  /** First and last name in one. */
  | { kind: 'name' }
  | { kind: 'relation'; name: ToldRelation }
  /** Text that becomes a note of the lead. */
  | { kind: 'notes' }
  /** Of NDJSON: reminders as our own export has them. */
  | { kind: 'reminders' }
  /** Of NDJSON: an object with a value for each attribute. */
  | { kind: 'attributes' }

export interface Named {
  known: Known
  /** Of several columns for one field, the one with the lowest rank counts first. */
  rank: number
  /** It is the field's own name, not one that other systems use. */
  isOwn: boolean
}

/**
 * Words that say which of several it is ("Business Phone", "E-mail 2", "Ort privat"), and how far
 * behind it comes: work, mobile, home, other, the company's.
 */
// biome-ignore format: one line is one entry
const qualifiers = new Map(
  ([
    [0, 'of the de del della di do da du des d l la el le von der die das im am van het work business office primary direct main person people value address mailing postal buro geschaftlich dienstlich beruflich haupt adresse bureau travail professionnel professionnelle principal principale personne trabajo oficina laboral persona lavoro ufficio uff werk zakelijk'],
    [2, 'mobile cell mobil portable movil celular mobiel'],
    [3, 'corporate headquarters hq zentrale'],
    [4, 'home private personal privat domicile personnel personnelle casa particular prive abitazione ab thuis'],
    [5, 'other secondary second weitere weiterer weiteres sonstige sonstiger sonstiges zweite autre autres otro otra otros altro outro overige billing shipping'],
    [6, 'tertiary third'],
    [8, 'company organization organisation account firma unternehmen societe entreprise empresa azienda bedrijf'],
  ] as const).flatMap(([rank, words]) => words.split(' ').map((word): [string, number] => [word, rank])),
)

/** Fields for which files have several columns, distinguished by such words. */
const qualified = new Set<string>(['email', 'phone', 'city', 'website_url'])

/** Headers are shorter than this; what is longer is text. */
const longest = 200

/** Headers are compared again and again, and files of one kind have the same. */
function remembered<T>(find: (header: string) => T): (header: string) => T {
  const found = new Map<string, T>()
  return (header) => {
    if (header.length > longest) return find(header)
    const known = found.get(header)
    if (known !== undefined || found.has(header)) return known as T
    if (found.size >= maxRemembered) found.clear()
    const value = find(header)
    found.set(header, value)
    return value
  }
}

/** As many as five files of the largest kind have. */
const maxRemembered = 5_000

/** Without case, spaces, punctuation and accents. */
export const plain = remembered((header) => fold(header).replace(/[^\p{L}\p{N}]/gu, ''))

const own = new Map<string, Known>([
  ...transferFields.map((name): [string, Known] => [plain(name), { kind: 'field', name }]),
  ...toldRelations.map((name): [string, Known] => [name, { kind: 'relation', name }]),
  ['name', { kind: 'name' }],
  ['notes', { kind: 'notes' }],
  ['attributes', { kind: 'attributes' }],
])

interface Alias {
  field: string
  /** Its place among the names of the field. */
  index: number
}

const byAlias = new Map([
  // The page and exports for people say the label. What is an own name already has other rules.
  ...transferFields
    .map((field): [string, Alias] => [plain(leadFields[field].label), { field, index: 0 }])
    .filter(([name]) => !own.has(name)),
  ...[...aliases].flatMap(([field, names]) =>
    names.map((name, index): [string, Alias] => [plain(name), { field, index: index + 1 }]),
  ),
])

export const fieldNames = [...transferFields, ...toldRelations, 'name', 'notes'].join(', ')

/** The field that has this very name. */
export function ownField(name: string): Known | undefined {
  return own.get(plain(name))
}

/** "MobilePhone", "E-mail 2 - Value" and "address_1_city" in words. */
function wordsOf(header: string): string[] {
  const spaced = header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/e-mail/gi, 'email')
  return fold(spaced).match(/\p{L}+|\p{N}+/gu) ?? []
}

/** Entities that some systems put before the name of every column: "Person - Job title". */
const entity =
  /^(person|personne|persona|contact|kontakt|contacto|lead|primary[ _]contact)\s*[-:._]\s*/i

/** The field that a header names, or undefined. */
export const fieldOf = remembered((header): Named | undefined => {
  if (header.length > longest) return undefined
  const mine = ownField(header)
  if (mine) return { known: mine, rank: 0, isOwn: true }
  const alias = aliasOf(header)
  if (alias) return alias
  const rest = header.replace(entity, '')
  if (rest === header || rest === '') return undefined
  const bare = ownField(rest)
  // The id of a person in another system is not an id of ours.
  if (bare && !(bare.kind === 'field' && bare.name === 'id')) {
    return { known: bare, rank: 0, isOwn: false }
  }
  return aliasOf(rest)
})

function aliasOf(header: string): Named | undefined {
  const words = wordsOf(header)
  const exact = byAlias.get(plain(header))
  if (exact) return named(exact, rankOf(words))
  const rest = words.filter((word) => !qualifiers.has(word) && !/^\p{N}+$/u.test(word))
  if (rest.length === words.length || rest.length === 0) return numbered(words)
  const name = rest.join('')
  const alias = own.has(name) ? { field: name, index: 0 } : byAlias.get(name)
  if (!alias || !qualified.has(alias.field)) return numbered(words)
  return named(alias, rankOf(words))
}

/** "Organization 1 - Title": any field may be counted. */
function numbered(words: string[]): Named | undefined {
  const rest = words.filter((word) => !/^\p{N}+$/u.test(word))
  if (rest.length === words.length) return undefined
  const alias = byAlias.get(rest.join(''))
  return alias && named(alias, rankOf(words))
}

function named({ field, index }: Alias, rank: number): Named | undefined {
  const known = own.get(plain(field))
  return known && { known, rank: rank + index / 1000, isOwn: false }
}

function rankOf(words: string[]): number {
  let rank = 0
  for (const word of words) {
    if (/^\p{N}+$/u.test(word)) rank += Math.max(0, Number(word) - 1)
    else rank = Math.max(rank, qualifiers.get(word) ?? 0)
  }
  return rank
}

/** "E-mail 1 - Type" and "Address 2 - Label": what it says is about the values of other columns. */
const typeColumn = /^(.*\S)[\s_-]+(type|label|typ)$/i

/** What the headers of the other columns begin with, or undefined when it is no such column. */
export const typedBy = remembered((header): string | undefined => {
  if (header.length > longest) return undefined
  const base = typeColumn.exec(header)?.[1]?.replace(/[\s:_-]+$/, '')
  if (base === undefined) return undefined
  const known = fieldOf(base)?.known
  const isCounted = /\d$/.test(base)
  const isValue = known?.kind === 'field' && (known.name === 'email' || known.name === 'phone')
  return isCounted || isValue ? base : undefined
})
