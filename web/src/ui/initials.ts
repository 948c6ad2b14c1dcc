/** As wide as two letters. */
const wide = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u

/** The first letters of the first and the last part of a name. Of an email address, its domain is no part. */
export function initials(name: string): string {
  const parts = name
    .replace(/@\S+$/, '')
    .split(/[\s@._-]+/)
    .filter((part) => /\p{L}|\p{N}/u.test(part))
  const [first = '', last = ''] = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map(
    (part) => [...(part ?? '')][0],
  )
  return wide.test(first) ? first : (first + last).toUpperCase()
}
