// What two values must share to be the same address, number, profile or company.
import { raw, type Sql, sql } from '../../db/sql.ts'

interface SearchKey {
  /** The value as it is compared. */
  read(value: string): string
  /** The same in SQL. With `left(…, 255)` around it, it is the expression of an index. */
  expression: string
}

/** Blanks around a value that people and programs leave there. */
const blanks = `e' \\t\\r\\n\\u00a0'`
const isBlank = (character: string | undefined) =>
  character !== undefined && ' \t\r\n\u00a0'.includes(character)

// Loops rather than patterns: a pattern that looks for the end takes a time that grows with the
// square of a long value.
export function trim(value: string): string {
  let [start, end] = [0, value.length]
  while (start < end && isBlank(value[start])) start++
  while (end > start && isBlank(value[end - 1])) end--
  return value.slice(start, end)
}

const isAscii = /^[\0-\x7f]*$/

/** Character by character, as PostgreSQL does: a final Σ is a Σ, and İ is one letter. */
function lower(value: string): string {
  if (isAscii.test(value)) return value.toLowerCase()
  return Array.from(value, (character) => {
    const small = character.toLowerCase()
    return small.length > character.length ? small.charAt(0) : small
  }).join('')
}

const plain = (value: string) => lower(trim(value))

/** Without query, fragment and the slashes before them. */
function address(value: string): string {
  const query = value.search(/[?#]/)
  let end = query < 0 ? value.length : query
  while (end > 0 && value[end - 1] === '/') end--
  return value.slice(0, end)
}
const plainSql = (column: string) => `lower(btrim(lead.${column}, ${blanks}))`

/** "@Name", "https://example.com/Name/" and "name?ref=1" are one profile. */
function username(column: string): SearchKey {
  return {
    read(value) {
      const path = address(plain(value))
      return path.slice(path.lastIndexOf('/') + 1).replace(/^@/, '')
    },
    expression: `regexp_replace(${plainSql(column)}, '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g')`,
  }
}

/** By field. */
export const searchKeys: Record<string, SearchKey> = {
  email: { read: plain, expression: plainSql('email') },
  phone: {
    read: (value) => value.replace(/\D/g, ''),
    expression: `regexp_replace(lead.phone, '\\D', '', 'g')`,
  },
  linkedin_url: {
    read: (value) => address(plain(value)).replace(/^(https?:\/\/)?(www\.)?/, ''),
    expression: `regexp_replace(${plainSql('linkedin_url')}, '^(https?://)?(www\\.)?|/*([?#].*)?$', '', 'g')`,
  },
  twitter_name: username('twitter_name'),
  facebook_username: username('facebook_username'),
  youtube_username: username('youtube_username'),
  instagram_username: username('instagram_username'),
  telegram_username: username('telegram_username'),
  whatsapp_username: username('whatsapp_username'),
}

export interface Criterion {
  field: string
  /** As it is compared. */
  key: string
}

const searchFields = Object.keys(searchKeys)

/** What is asked for, without what says nothing. */
export function readCriteria(asked: Record<string, unknown>): Criterion[] {
  const criteria: Criterion[] = []
  for (const field of searchFields) {
    const value = asked[field]
    const key = typeof value === 'string' ? (searchKeys[field] as SearchKey).read(value) : ''
    if (key !== '') criteria.push({ field, key })
  }
  return criteria
}

/** `lead` has this key. */
export function hasKey(field: string, key: Sql): Sql {
  return equals((searchKeys[field] as SearchKey).expression, key)
}

/** `lead` is a company of this name, compared without case and outer blanks. */
export function isCompanyNamed(name: Sql): Sql {
  const wanted = sql`lower(btrim(${name}, ${raw(blanks)}))`
  return sql`lead.is_company and not lead.is_deleted and ${equals(plainSql('company'), wanted)}`
}

/** What a company that is made by itself claims: only one at a time can. */
export function companyClaim(name: Sql): Sql {
  return sql`md5(lower(${name}))`
}

/** What the index knows, and then the whole. */
function equals(expression: string, wanted: Sql): Sql {
  return sql`left(${raw(expression)}, 255) = left(${wanted}, 255) and ${raw(expression)} = ${wanted}`
}
