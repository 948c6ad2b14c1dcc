// How emails, phone numbers, profiles and company names are compared. This is the only place: the search
// and the imports use these functions, and the indexes of the lead table use the same expressions.
import {
  contactsFields,
  leadFields,
  type MatchField,
  type MatchKind,
  matchFields,
} from '@rapport/contract/leads/fields'
import { raw, type Sql, sql } from '../../../db/sql.ts'

interface Match {
  /** Converts a value into its key. Two values match if their keys are equal. */
  read(value: string): string
  /** The same in SQL. The index of a field is on `left(<expression>, 255)`. */
  expression(column: string): string
  /** The keys of a JSON array of values, as an array. */
  keys?(values: string): string
  /** Keys that tell who it is. Others, such as "n/a" and "-", are the same for many. */
  telling?: RegExp
}

/** Characters that people and programs leave around a value. */
const blanks = `e' \\t\\r\\n\\u00a0'`
const isBlank = (character: string | undefined) =>
  character !== undefined && ' \t\r\n\u00a0'.includes(character)

// A loop, because a regular expression that is anchored to the end takes quadratic time on a long value.
export function trim(value: string): string {
  let [start, end] = [0, value.length]
  while (start < end && isBlank(value[start])) start++
  while (end > start && isBlank(value[end - 1])) end--
  return value.slice(start, end)
}

const isAscii = /^[\0-\x7f]*$/

/** Works character by character, as PostgreSQL does: a Σ at the end becomes σ, and İ stays one letter. */
function lower(value: string): string {
  if (isAscii.test(value)) return value.toLowerCase()
  return Array.from(value, (character) => {
    const small = character.toLowerCase()
    return small.length > character.length ? small.charAt(0) : small
  }).join('')
}

const plain = (value: string) => lower(trim(value))
const plainSql = (column: string) => `lower(btrim(lead.${column}, ${blanks}))`

/** Removes the query, the fragment and the slashes before them. */
function address(value: string): string {
  const query = value.search(/[?#]/)
  let end = query < 0 ? value.length : query
  while (end > 0 && value[end - 1] === '/') end--
  return value.slice(0, end)
}

const matches: Record<MatchKind, Match> = {
  email: {
    read: plain,
    expression: plainSql,
    keys: (values) =>
      `string_to_array(regexp_replace(lower(${values}), '^\\["|"\\]$', '', 'g'), '", "')`,
    telling: /^[^\s@]+@[^\s@]+$/,
  },
  phone: {
    read: (value) => value.replace(/\D/g, ''),
    expression: (column) => `regexp_replace(lead.${column}, '\\D', '', 'g')`,
    keys: (values) => `string_to_array(regexp_replace(${values}, '\\\\.|[^0-9"]', '', 'g'), '"')`,
    telling: /^\d{5}/,
  },
  address: {
    read: (value) => address(plain(value)).replace(/^(https?:\/\/)?(www\.)?/, ''),
    expression: (column) =>
      `regexp_replace(${plainSql(column)}, '^(https?://)?(www\\.)?|/*([?#].*)?$', '', 'g')`,
    telling: /^[^\s./]+\.[^\s/]+\/\S+$/,
  },
  // "@Name", "https://example.com/Name/" and "name?ref=1" are the same profile.
  username: {
    read(value) {
      const path = address(plain(value))
      return path.slice(path.lastIndexOf('/') + 1).replace(/^@/, '')
    },
    expression: (column) =>
      `regexp_replace(${plainSql(column)}, '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g')`,
  },
}

/** The key of a value. */
export function matchKey(field: MatchField, value: string): string {
  return matches[leadFields[field].match].read(value)
}

/** The key of a value that tells one lead from another. */
export function tellingKey(field: MatchField, value: string): string | undefined {
  const { read, telling = /./ }: Match = matches[leadFields[field].match]
  const key = read(value)
  return telling.test(key) ? key : undefined
}

/** The key of a field of `lead`, in SQL. */
export function matchExpression(field: MatchField): Sql {
  return raw(matches[leadFields[field].match].expression(field))
}

/** Further values of a field of `lead`, which are found like it. Each has the key, blanks around it aside. */
export interface Further {
  isThere: Sql
  /** An array, in SQL. */
  keys: Sql
}

export function furtherOf(field: MatchField): Further | undefined {
  const column = contactsFields.find((name) => leadFields[name].of === field)
  const { keys }: Match = matches[leadFields[field].match]
  if (!column || !keys) return undefined
  return {
    isThere: raw(`lead.${column} is not null`),
    keys: raw(keys(`jsonb_path_query_array(lead.${column}, '$[*].value')::text`)),
  }
}

export interface Criterion {
  field: MatchField
  key: string
}

/** The criteria of a search. Values with an empty key do not count. */
export function readCriteria(asked: Partial<Record<MatchField, string>>): Criterion[] {
  const criteria: Criterion[] = []
  for (const field of matchFields) {
    const value = asked[field]
    const key = value === undefined ? '' : matchKey(field, value)
    if (key !== '') criteria.push({ field, key })
  }
  return criteria
}

/** The field of `lead` has this key. */
export const hasFirst = (field: MatchField, key: Sql): Sql => equals(matchExpression(field), key)

/** One of the further values of the field has this key. Undefined: the field has none. */
export function hasFurther(field: MatchField, key: Sql): Sql | undefined {
  const further = furtherOf(field)
  return further && sql`(${further.isThere} and ${further.keys} @> array[${key}])`
}

/** The name of the company `lead` as it is compared. */
export const companyKey: Sql = raw(plainSql('company'))
/** The same for a name that is known here. */
export const companyKeyOf = plain

/** `lead` is a company of this name, compared without case and outer spaces. */
export function isCompanyNamed(name: Sql): Sql {
  const wanted = sql`lower(btrim(${name}, ${raw(blanks)}))`
  return sql`lead.is_company and not lead.is_deleted and ${equals(companyKey, wanted)}`
}

/** A company that is created automatically claims its name: a unique index lets only one do so. */
export function companyClaim(name: Sql): Sql {
  return sql`md5(lower(${name}))`
}

/** Compares the part that the index holds, and then the whole. */
function equals(expression: Sql, wanted: Sql): Sql {
  return sql`left(${expression}, 255) = left(${wanted}, 255) and ${expression} = ${wanted}`
}
