// Spreadsheets run a cell that begins like a formula. In CSV files that people open, an apostrophe before it
// marks it as text; reading removes it again.

const signs = "'=+-@\t\r\n"
const formula = /^'*[=+\-@\t\r\n]/
/** No spreadsheet runs a number, or a phone number: it has no names, no texts and no other operators. */
const number = /^[+-](?:[\d ().,/-]*|\d+(?:\.\d+)?e[+-]?\d+)$/i

/** Also before texts that begin with an apostrophe and such a sign, so that reading gives them back. */
export function guard(cell: string): string {
  if (!signs.includes(cell.charAt(0)) || !formula.test(cell) || number.test(cell)) return cell
  return `'${cell}`
}

export function unguard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
