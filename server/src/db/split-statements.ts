// Splits SQL text into its statements. A distributed database accepts changes of tables only one
// statement at a time. A test compares the result with PostgreSQL's own parser, for every migration.

/** A semicolon inside one of these ends no statement. The last is any other character. */
const pieces = [
  String.raw`--[^\n]*`,
  // A text that begins with E may have an escaped quote.
  String.raw`\b[eE]'(?:[^'\\]|\\.|'')*'`,
  `'(?:[^']|'')*'`,
  '"(?:[^"]|"")*"',
  String.raw`\$(?<tag>(?:[a-zA-Z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[^]*?\$\k<tag>\$`,
  // A name or a number, as a whole: a dollar sign in it begins no text.
  String.raw`[\w\u0080-\uffff][\w$\u0080-\uffff]*`,
  '[^]',
]
const piece = new RegExp(pieces.join('|'), 'suy')
const comment = /^(--|\/\*)/

export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  let hasContent = false
  const end = () => {
    if (hasContent) statements.push(statement.trim())
    statement = ''
    hasContent = false
  }
  for (let at = 0; at < text.length; ) {
    const found = text.startsWith('/*', at) ? blockComment(text, at) : next(text, at)
    at += found.length
    if (found === ';') {
      end()
      continue
    }
    statement += found
    if (!comment.test(found) && found.trim() !== '') hasContent = true
  }
  end()
  return statements
}

function next(text: string, at: number): string {
  piece.lastIndex = at
  return piece.exec(text)?.[0] ?? ''
}

/** These may contain each other. */
function blockComment(text: string, start: number): string {
  let depth = 0
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return text.slice(start, mark.lastIndex)
  }
  return text.slice(start)
}
