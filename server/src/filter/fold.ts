// Text as the search compares it: without case and accents.

const accents = /[\u0300-\u036f]/g
/** Letters that Unicode does not take apart, though people write them without the stroke. */
const letters = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ς', 'σ'],
])

/**
 * Does to a word what the column search_text does to a lead's texts. Character by character, as
 * PostgreSQL does: JavaScript on its own would make a word's last Σ another letter than its others.
 */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(accents, '')
  return Array.from(plain, (character) => {
    const lower = character.toLowerCase()
    return letters.get(lower) ?? lower
  }).join('')
}

/** As a part of a LIKE pattern, where % and _ would stand for anything. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
