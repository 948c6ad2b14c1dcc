// Options that come as text, from the command line and from a query alike.

import type { Decimal } from '@rapport/contract/numbers.values'
import { unknownWays, upsertKeys, valueSigns } from '@rapport/contract/transfer'
import { ImportError } from '../../file/errors.ts'
import type { SaidValue } from '../values/value-rules.ts'

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

/** "Stage=Negotation=>Negotiation". A header with = in it is written as #3. */
export function readValue(text: string): SaidValue {
  const [, header = '', value = '', to = ''] = /^([^=]+)=(.+)=>(.+)$/s.exec(text) ?? []
  const said = { header: header.trim(), value: value.trim(), to: to.trim() }
  if (Object.values(said).includes('')) {
    throw new ImportError((name) => `${name('value')} must be Header=Value=>Name, not "${text}".`)
  }
  const way = unknownWays.find((one) => valueSigns[one] === said.to)
  return [said.header, { value: said.value, ...(way ? { way } : { way: 'use', to: said.to }) }]
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
