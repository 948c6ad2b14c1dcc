// Lays a statement out for readers: a line for each clause, subqueries indented.

/** Texts, quoted names and comments stay as they are. */
const token = /'(?:[^']|'')*'|"[^"]*"|\/\*.*?\*\/|--[^\n]*|[()]|\s+|[^\s()'"]+/gs

const clause =
  /^(with|select|from|where|group|having|order|limit|offset|union|insert|update|delete|set|values|returning|join|left|inner|cross|for)$/i
const beginsQuery = /^(select|with|insert|update|delete|values)$/i
/** Two words of which the second begins no line, and one that begins a line because of the next. */
const goesOn =
  /^(left|inner|cross) join$|^(is|not|distinct|delete|for|key|do) (from|distinct|update|group)$|^within group$/i
const isFunction = /^left \($|^with ordinality$/i
const isConflict = /^on conflict$/i

export function formatSql(text: string): string {
  const words = (text.match(token) ?? []).map((word) => (/^\s/.test(word) ? ' ' : word))
  const lines: string[] = []
  /** Of each open parenthesis: whether it holds a query. */
  const open: boolean[] = []
  let line = ''
  const depth = () => open.filter(Boolean).length
  const end = () => {
    if (line.trim()) lines.push(line.trimEnd())
    line = '  '.repeat(depth())
  }
  words.forEach((word, at) => {
    const next = words.slice(at + 1).find((one) => one !== ' ') ?? ''
    const before = words.slice(0, at).findLast((one) => one !== ' ') ?? ''
    if (word === ' ') {
      if (line.trim()) line += ' '
    } else if (word === '(') {
      line += word
      open.push(beginsQuery.test(next))
      if (open.at(-1)) end()
    } else if (word === ')') {
      const isQuery = open.pop() ?? false
      if (isQuery) end()
      line += word
    } else if (word.startsWith('--')) {
      end()
      line += word
      end()
    } else {
      const isInQuery = open.at(-1) ?? true
      const isClause = clause.test(word) && !goesOn.test(`${before} ${word}`)
      const isOther = isFunction.test(`${word} ${next}`)
      if (isInQuery && ((isClause && !isOther) || isConflict.test(`${word} ${next}`))) end()
      line += word
    }
  })
  end()
  return lines.join('\n')
}
