// Options that come as text, from the command line and from a query alike.
import { upsertKeys } from '@rapport/contract/transfer'
import { ImportError } from '../../file/errors.ts'
import type { Decimal } from '../values/numbers.ts'

/** "First Name=first_name". A header may have = in it, a field has none. */
export function readMap(text: string): [header: string, field: string] {
  const at = text.lastIndexOf('=')
  const header = text.slice(0, at).trim()
  const field = text.slice(at + 1).trim()
  if (at < 0 || !header || !field) {
    throw new ImportError((name) => `${name('map')} must be Header=field, not "${text}".`)
  }
  return [header, field]
}

export function readSeparator(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const sign = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', pipe: '|' }[text] ?? text
  if (sign.length !== 1 || /["\r\n\w]/.test(sign)) {
    throw new ImportError(
      (name) => `${name('separator')} must be one character, such as , or ; or tab, not "${text}".`,
    )
  }
  return sign
}

/** A field, foreign_id or attribute:SLUG. */
export function readUpsertKey(text: string | undefined): string | undefined {
  if (text === undefined || /^attribute:[\w-]+$/.test(text)) return text
  if (upsertKeys.some((key) => key === text)) return text
  throw new ImportError(
    (name) =>
      `${name('upsert_by')} must be one of ${upsertKeys.join(', ')} or attribute:SLUG, not "${text}".`,
  )
}

export function readDecimal(word: 'point' | 'comma' | undefined): Decimal | undefined {
  return word && (word === 'comma' ? ',' : '.')
}
