// Text as people compare it, and as the search does: without case and accents (case folding).

/** With line breaks: the texts of a lead come joined by them. */
const ascii = /^\p{ASCII}*$/u
export const accents = '[\\u0300-\\u036f]'
const everyAccent = new RegExp(accents, 'g')
/** Letters that Unicode normalization leaves whole, although people also write the plain letter. */
export const letters = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ς', 'σ'],
])

/**
 * Folds a word exactly as the statements of the service fold the texts of leads. It works character by
 * character, as PostgreSQL does: JavaScript would turn a Σ at the end of a word into another letter than
 * the others.
 */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKD').replace(everyAccent, '')
  if (ascii.test(plain)) return plain.toLowerCase()
  return Array.from(plain, (character) => {
    const lower = character.toLowerCase()
    return letters.get(lower) ?? lower
  }).join('')
}
