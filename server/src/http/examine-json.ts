// Examines JSON before it gets expensive: its bytes before it is parsed, and its values before the database
// gets them. Bytes are cheap to count. Values are not: sixteen million bytes can be a string, or five
// million empty objects that take seconds and a gigabyte.
import { type Issue, maxIssues } from '@rapport/contract/errors'
import { maxText, maxTextBytes } from '@rapport/contract/shapes'

/** Deeper than any real body, and shallow enough for recursive functions. */
const maxDepth = 500
/** More than 16 MiB of ids. */
const maxValues = 500_000
/** Arrays, objects and their fields take about ten times as long as other values, wherever they are copied. */
const maxParts = 50_000
/** A whole number with more digits may be infinite. */
const maxDigits = 308

export interface Examined {
  fault?: { code: 'too_deep' | 'too_many' | 'too_long'; message: string }
  /** It may contain what PostgreSQL cannot store: that takes an escape in text, an exponent in a number. */
  isSuspicious: boolean
}

/** Counts what is outside of strings, in one pass over the bytes. The JSON need not be valid. */
export function examineJson(json: Uint8Array): Examined {
  let depth = 0
  let values = 1
  let parts = 0
  let digits = 0
  let isSuspicious = false
  const faulty = (code: 'too_many' | 'too_long', message: string): Examined => ({
    fault: { code, message },
    isSuspicious,
  })
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > maxDigits) isSuspicious = true
      continue
    }
    // An exponent follows a digit. The e of true and false does not.
    if (digits > 0 && (byte === 0x65 || byte === 0x45)) isSuspicious = true
    digits = 0
    switch (byte) {
      case 0x22: {
        const start = at + 1
        for (at++; at < json.length && json[at] !== 0x22; at++) {
          if (json[at] === 0x5c && json[++at] === 0x75) isSuspicious = true
        }
        if (at - start > maxTextBytes) {
          return faulty('too_long', `A text must not be longer than ${maxText}`)
        }
        break
      }
      case 0x5b:
      case 0x7b:
        if (++depth > maxDepth) {
          const message = `Must not be nested deeper than ${maxDepth} levels`
          return { fault: { code: 'too_deep', message }, isSuspicious }
        }
        parts++
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
      case 0x2c:
        values++
        break
      case 0x3a:
        parts++
    }
    if (values > maxValues) {
      return faulty('too_many', `Must have at most ${maxValues} values`)
    }
    if (parts > maxParts) {
      return faulty('too_many', `Must have at most ${maxParts} arrays, objects and fields`)
    }
  }
  return { isSuspicious }
}

/** Finds what PostgreSQL cannot store: NUL characters, unpaired surrogates and infinite numbers. */
export function unstorable(body: unknown): Issue[] {
  const faults: Issue[] = []
  /** Where `visit` is. It is copied for a fault only: a path for each value would cost its depth. */
  const path: Issue['path'] = []
  const fault = (code: string, message: string) => {
    faults.push({ path: [...path], code, message })
  }
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (isBad(value)) {
        fault('text', 'Contains a character that cannot be stored (NUL or an unpaired surrogate)')
      }
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) fault('number', 'The number is too large')
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) visitAt(index, value[index])
    } else if (value !== null && typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) {
        if (isBad(key)) fault('text', 'A field name contains a character that cannot be stored')
        visitAt(key, item)
      }
    }
  }
  const visitAt = (step: string | number, value: unknown): void => {
    if (faults.length >= maxIssues) return
    path.push(step)
    visit(value)
    path.pop()
  }
  visit(body)
  return faults
}

function isBad(text: string): boolean {
  return text.includes('\0') || /\p{Surrogate}/u.test(text)
}
