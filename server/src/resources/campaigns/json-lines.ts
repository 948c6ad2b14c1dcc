// A JSON parser that remembers the line of each value, for error messages. Written by hand, because it
// also refuses duplicate fields and text that cannot be stored, and names their lines.
type Path = readonly (string | number)[]

export interface JsonDocument {
  value: unknown
  /** The line of the value at a path. If there is none, the line of the nearest value around it. */
  lineOf(path: Path): number
}

export class JsonFault extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** A value and the offset where it starts. A field starts at its name. */
interface Node {
  at: number
  value: unknown
  children?: Map<string | number, Node>
}

const maxDepth = 100
const blank = /[ \t\r\n]*/y
const text = /"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

export function readJson(source: string): JsonDocument {
  let at = 0
  let ends: number[] | undefined
  const lineAt = (offset: number) => {
    ends ??= lineEnds(source)
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] as number) < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
  const fail = (message: string, offset = at): never => {
    throw new JsonFault(message, lineAt(offset))
  }
  const take = (token: RegExp): string | undefined => {
    token.lastIndex = at
    const found = token.exec(source)?.[0]
    at += found?.length ?? 0
    return found
  }
  const takeSign = (sign: string): boolean => {
    take(blank)
    if (source[at] !== sign) return false
    at++
    return true
  }
  const readText = (what: string): string => {
    const start = at
    const value: string = JSON.parse(take(text) ?? fail(`Expected ${what}`))
    if (value.includes('\0') || /\p{Surrogate}/u.test(value)) {
      fail('Contains a character that cannot be stored (NUL or an unpaired surrogate)', start)
    }
    return value
  }

  function read(depth: number): Node {
    take(blank)
    if (depth > maxDepth) fail(`Nested deeper than ${maxDepth} levels`)
    const start = at
    if (takeSign('{')) return { ...readFields(depth), at: start }
    if (takeSign('[')) return { ...readItems(depth), at: start }
    if (source[at] === '"') return { at: start, value: readText('text') }
    return { at: start, value: JSON.parse(take(plain) ?? fail('Expected a value')) }
  }

  function readFields(depth: number): Omit<Node, 'at'> {
    const children = new Map<string, Node>()
    if (!takeSign('}')) {
      do {
        take(blank)
        const start = at
        const name = readText('a field name in double quotes')
        if (children.has(name)) fail(`Duplicate field "${name}"`, start)
        if (!takeSign(':')) fail(`Expected ":" after "${name}"`)
        children.set(name, { ...read(depth + 1), at: start })
      } while (takeSign(','))
      if (!takeSign('}')) fail('Expected "," or "}"')
    }
    const fields = [...children].map(([name, { value }]) => [name, value] as const)
    return { children, value: Object.fromEntries(fields) }
  }

  function readItems(depth: number): Omit<Node, 'at'> {
    const items: Node[] = []
    if (!takeSign(']')) {
      do items.push(read(depth + 1))
      while (takeSign(','))
      if (!takeSign(']')) fail('Expected "," or "]"')
    }
    return { children: new Map(items.entries()), value: items.map(({ value }) => value) }
  }

  const root = read(0)
  take(blank)
  if (at < source.length) fail('Unexpected text after the end')
  return {
    value: root.value,
    lineOf(path) {
      let node = root
      for (const key of path) {
        const child = node.children?.get(key)
        if (!child) break
        node = child
      }
      return lineAt(node.at)
    },
  }
}

function lineEnds(text: string): number[] {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at)
  return ends
}
