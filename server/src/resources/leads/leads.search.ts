// POST /leads/search: what two values must share to be the same address, number or profile.
import { raw, type Sql, sql } from '../../db/sql.ts'

interface SearchKey {
  /** The value as it is compared. */
  read(value: string): string
  /** The same in SQL: the expression of an index in the migrations. */
  expression: Sql
}

const trimmed = (value: string) => value.trim().toLowerCase()

/** "@Name", "https://example.com/Name/" and "name?ref=1" are one profile. */
function username(column: string): SearchKey {
  return {
    read: (value) =>
      trimmed(value)
        .replace(/^([^?#]*\/)?@?(?=[^/?#])/, '')
        .replace(/\/*([?#].*)?$/, ''),
    expression: raw(
      `regexp_replace(lower(btrim(lead.${column})), '^([^?#]*/)?@?(?=[^/?#])|/*([?#].*)?$', '', 'g')`,
    ),
  }
}

export const searchKeys: Record<string, SearchKey> = {
  email: { read: trimmed, expression: raw('lower(btrim(lead.email))') },
  phone: {
    read: (value) => value.replace(/\D/g, ''),
    expression: raw(`regexp_replace(lead.phone, '\\D', '', 'g')`),
  },
  linkedin_url: {
    read: (value) =>
      trimmed(value)
        .replace(/^(https?:\/\/)?(www\.)?/, '')
        .replace(/\/*([?#].*)?$/, ''),
    expression: raw(
      `regexp_replace(lower(btrim(lead.linkedin_url)), '^(https?://)?(www\\.)?|/*([?#].*)?$', '', 'g')`,
    ),
  },
  twitter_name: username('twitter_name'),
  facebook_username: username('facebook_username'),
  youtube_username: username('youtube_username'),
  instagram_username: username('instagram_username'),
  telegram_username: username('telegram_username'),
  whatsapp_username: username('whatsapp_username'),
}

/** One condition for each criterion that says something. */
export function searchConditions(criteria: Record<string, unknown>): Sql[] {
  return Object.entries(searchKeys).flatMap(([name, { read, expression }]) => {
    const value = criteria[name]
    const key = typeof value === 'string' ? read(value) : ''
    return key === '' ? [] : [sql`${expression} = ${key}`]
  })
}
