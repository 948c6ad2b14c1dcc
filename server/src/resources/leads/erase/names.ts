// The names of erased leads, and where a text mentions them. A name is what identifies a person: first and last
// name, email address, phone number, profiles. Texts are compared word by word, without case, accents and
// punctuation, so that "Müller, Anna" is found by "anna muller" and joanna@a.example is not by anna@a.example.
import { fold } from '@rapport/contract/fold'
import { contactsFields, leadFields, matchFields } from '@rapport/contract/leads/fields'
import { matchKey } from '../search/match.ts'

/** Fields whose values are names. The company is the name of a lead that is one. */
export const nameFields = [...matchFields, ...(['first_name', 'last_name', 'company'] as const)]
/** The columns with names: further emails and phones are names too. */
export const nameColumns = [...nameFields, ...contactsFields]
type NameField = (typeof nameFields)[number]

/** The values that a lead has or had. */
export type KnownNames = Partial<Record<NameField, Set<string>>>

/** A single word or number that is shorter says nothing about a person. */
const minLength = 3
const minDigits = 6
const maxWords = 24

interface Word {
  text: string
  start: number
  end: number
}

/** Ids and JSON escapes are not words. */
const noWords = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\\u[0-9a-f]{4}|\\[bfnrt]/gi

function wordsOf(text: string): Word[] {
  const plain = text.replace(noWords, (found) => ' '.repeat(found.length))
  return Array.from(plain.matchAll(/[\p{L}\p{N}\p{M}]+/gu), ({ 0: word, index }) => ({
    text: fold(word),
    start: index,
    end: index + word.length,
  }))
}

const phraseOf = (text: string) =>
  wordsOf(text)
    .map((word) => word.text)
    .join(' ')

/** The digits of a phone number. With or without the zeros in front, it is the same number. */
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')

/** What may separate two parts of a phone number. */
const betweenDigits = /^[\s().+/-]{1,3}$/

export interface Mention {
  /** The words, or the digits of a phone number. */
  phrase: string
  /** The same as leads have it: the key of an email address, and the first name before the last. */
  name: string
  start: number
  end: number
}

interface Found extends Pick<Mention, 'phrase' | 'name'> {
  /** The place of its last word. */
  last: number
}

export class Names {
  /** Phrase → name, as in a Mention. */
  readonly #phrases = new Map<string, string>()
  readonly #phones = new Set<string>()
  /** Word → the most words that a phrase beginning with it has. */
  readonly #firsts = new Map<string, number>()

  /** Phrases that `mentions` returned. */
  static of(found: Iterable<string>): Names {
    const names = new Names()
    for (const phrase of found) {
      if (/^\d+$/.test(phrase)) names.addPhone(phrase)
      else names.add(phrase)
    }
    return names
  }

  get isEmpty(): boolean {
    return this.#phrases.size === 0 && this.#phones.size === 0
  }

  addLead(known: KnownNames): void {
    const { first_name = [], last_name = [], company = [] } = known
    for (const value of [...first_name, ...last_name, ...company]) this.add(phraseOf(value))
    for (const first of first_name) {
      for (const last of last_name) {
        const name = phraseOf(`${first} ${last}`)
        this.add(name)
        this.add(phraseOf(`${last} ${first}`), name)
      }
    }
    for (const field of matchFields) {
      const { match } = leadFields[field]
      for (const value of known[field] ?? []) {
        if (match === 'phone') this.addPhone(digitsOf(value))
        // The last part of a profile's address identifies the person.
        else if (match === 'email') this.add(phraseOf(value), matchKey('email', value))
        else this.add(phraseOf(value.replace(/[?#].*$/s, '').replace(/^.*\/(?=[^/])/s, '')))
      }
    }
  }

  add(phrase: string, name = phrase): void {
    const words = phrase.split(' ')
    if (phrase.length < minLength || words.length > maxWords || /^[\d ]*$/.test(phrase)) return
    this.#phrases.set(phrase, name)
    const [first = ''] = words
    this.#firsts.set(first, Math.max(this.#firsts.get(first) ?? 0, words.length))
  }

  addPhone(digits: string): void {
    if (digits.length >= minDigits) this.#phones.add(digits)
  }

  /** Where the text mentions one of them. Of several that begin at one word, the longest. */
  *mentions(text: string): Generator<Mention> {
    const words = wordsOf(text)
    for (let at = 0; at < words.length; at++) {
      const found = this.#phraseAt(words, at) ?? this.#phoneAt(text, words, at)
      if (!found) continue
      const { start } = words[at] as Word
      const last = words[found.last] as Word
      yield { phrase: found.phrase, name: found.name, start, end: last.end }
      at = found.last
    }
  }

  #phraseAt(words: Word[], at: number): Found | undefined {
    let phrase = words[at]?.text ?? ''
    const most = this.#firsts.get(phrase)
    if (most === undefined) return undefined
    let found: Found | undefined
    for (let last = at; ; ) {
      const name = this.#phrases.get(phrase)
      if (name !== undefined) found = { phrase, name, last }
      const next = words[++last]
      if (!next || last - at >= most) return found
      phrase += ` ${next.text}`
    }
  }

  #phoneAt(text: string, words: Word[], at: number): Found | undefined {
    let digits = ''
    let found: Found | undefined
    for (let last = at; this.#phones.size > 0 && digits.length <= 20; last++) {
      const word = words[last]
      if (!word || !/^\d+$/.test(word.text)) break
      const before = words[last - 1]
      if (last > at && before && !betweenDigits.test(text.slice(before.end, word.start))) break
      digits = digitsOf(digits + word.text)
      if (this.#phones.has(digits)) found = { phrase: digits, name: digits, last }
    }
    return found
  }
}

export const erasedMark = '[erased]'

/** The text with the mark in place of each name. */
export function withoutNames(text: string, names: Names): string {
  let result = ''
  let done = 0
  for (const { start, end } of names.mentions(text)) {
    result += text.slice(done, start) + erasedMark
    done = end
  }
  return result + text.slice(done)
}

/** The same for every text in a JSON value. */
export function jsonWithoutNames(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return withoutNames(value, names)
  if (Array.isArray(value)) return value.map((each) => jsonWithoutNames(each, names))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      withoutNames(key, names),
      jsonWithoutNames(inner, names),
    ]),
  )
}

/** Without the rows of a CSV or NDJSON file that mention a name. A row may have line breaks in quotes. */
export function rowsWithoutNames(content: Buffer, names: Names): Buffer {
  const rows: Buffer[] = []
  let start = 0
  let isQuoted = false
  const isJson = content[0] === 0x7b
  for (let at = 0; at <= content.length; at++) {
    if (content[at] === 0x22 && !isJson) isQuoted = !isQuoted
    if (at < content.length && (content[at] !== 0x0a || isQuoted)) continue
    const row = content.subarray(start, at + 1)
    start = at + 1
    if (!mentionsAny(row, names)) rows.push(row)
  }
  return Buffer.concat(rows)
}

/** Rows are in UTF-8; bytes that are not were kept as they came, mostly in Latin 1. */
export function mentionsAny(content: Buffer, names: Names): boolean {
  const text = content.toString()
  const texts = text.includes('\ufffd') ? [text, content.toString('latin1')] : [text]
  return texts.some((each) => !names.mentions(each).next().done)
}
