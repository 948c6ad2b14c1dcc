// Several values in one cell: "a@x.example; b@x.example", "+41 31 1 ::: +41 79 2".

const anywhere = [' ::: ']
const addresses = [' ::: ', ';', ', ']
const lists = [' ::: ', ';', '|', '\n', ',']
const urls = new Set(['website_url', 'linkedin_url', 'linkedin_company_url', 'avatar_url'])

/** What can stand between several values of the field. `between` is what the system uses. */
export function signsBetween(field: string, between: string | undefined): string[] {
  if (field === 'email' || field === 'phone') return lists
  if (urls.has(field)) return addresses
  // People write it in sentences.
  if (field === 'lost_reason') return []
  return between ? [...anywhere, between] : anywhere
}

const isPart: Record<string, (text: string) => boolean> = {
  email: (text) => text.includes('@'),
  phone: (text) => text.replace(/\D/g, '').length >= 5,
}

/** What is longer is text, and no list of values. */
const longest = 64 * 1024

/** The values of a cell. What is not a list of such values is one value. */
export function splitCell(field: string, cell: string, signs: string[]): string[] {
  if (cell.length > longest) return [cell]
  for (const sign of signs) {
    if (!cell.includes(sign)) continue
    const parts = cell
      .split(sign)
      .map((part) => part.trim())
      .filter((part) => part !== '')
    if (parts.every(isPart[field] ?? (() => true))) return parts
  }
  return [cell]
}
