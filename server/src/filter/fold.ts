// Text as the search compares it: without case and accents (case folding).

const ascii = /^[\x20-\x7e]*$/
const accents = /[\u0300-\u036f]/g
/** Letters that Unicode normalisation leaves whole, although people also write the plain letter. */
const letters = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ς', 'σ'],
])

/**
 * Folds a word exactly as the table lead_search holds the texts of a lead. It works character by
 * character, as PostgreSQL does: JavaScript would turn a Σ at the end of a word into another letter than
 * the others.
 */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKD').replace(accents, '')
  return Array.from(plain, (character) => {
    const lower = character.toLowerCase()
    return letters.get(lower) ?? lower
  }).join('')
}

/** Escapes text for a LIKE pattern, where % and _ are wildcards. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
