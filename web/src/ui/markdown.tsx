// Light Markdown as React elements: never HTML, so that a text cannot do anything but be read. What it does not know
// is shown as it was written.
import { Fragment, type ReactNode } from 'react'
import { safeAddress } from './format.ts'
import css from './markdown.module.css'

interface Props {
  text: string
  /** What stands for `<@id>`. */
  mention: (id: string) => ReactNode
}

export function Markdown({ text, mention }: Props) {
  return <div className={css.text}>{blocksOf(text.split('\n'), mention)}</div>
}

type Mention = Props['mention']

const bullet = /^\s*[-*+]\s+/
const number = /^\s*(\d{1,9})[.)]\s+/
const quote = /^>\s?/
const heading = /^#{1,6}\s+/
const fence = /^```/

function blocksOf(lines: readonly string[], mention: Mention): ReactNode[] {
  const blocks: ReactNode[] = []
  for (let at = 0; at < lines.length; ) {
    const { block, next } = blockAt(lines, at, mention)
    if (block) blocks.push(<Fragment key={at}>{block}</Fragment>)
    at = next
  }
  return blocks
}

/** Where the lines end for which the test holds. */
function endOf(lines: readonly string[], start: number, test: (line: string) => boolean): number {
  let end = start
  while (end < lines.length && test(lines[end] ?? '')) end++
  return end
}

interface Block {
  block: ReactNode
  next: number
}

/** The block at a line, and the line after it. */
function blockAt(lines: readonly string[], at: number, mention: Mention): Block {
  const first = lines[at] ?? ''
  if (!first.trim()) return { block: null, next: at + 1 }
  if (fence.test(first)) {
    const end = endOf(lines, at + 1, (line) => !fence.test(line))
    return { block: <pre>{lines.slice(at + 1, end).join('\n')}</pre>, next: end + 1 }
  }
  if (heading.test(first)) {
    return {
      block: <p className={css.heading}>{inline(first.replace(heading, ''), mention)}</p>,
      next: at + 1,
    }
  }
  const mark = [bullet, number, quote].find((each) => each.test(first))
  if (!mark) {
    const end = endOf(lines, at + 1, (line) => line.trim() !== '' && !isMarked(line))
    return { block: paragraph(lines.slice(at, end), mention), next: end }
  }
  const end = endOf(lines, at, (line) => mark.test(line))
  const inside = lines.slice(at, end).map((line) => line.replace(mark, ''))
  if (mark === quote)
    return { block: <blockquote>{paragraph(inside, mention)}</blockquote>, next: end }
  // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other key
  const items = inside.map((line, index) => <li key={index}>{inline(line, mention)}</li>)
  if (mark === bullet) return { block: <ul>{items}</ul>, next: end }
  return { block: <ol start={Number(number.exec(first)?.[1])}>{items}</ol>, next: end }
}

const isMarked = (line: string) =>
  [bullet, number, quote, heading, fence].some((mark) => mark.test(line))

function paragraph(lines: readonly string[], mention: Mention): ReactNode {
  return (
    <p>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other key
        <Fragment key={at}>
          {at > 0 && <br />}
          {inline(line, mention)}
        </Fragment>
      ))}
    </p>
  )
}

// Lengths are limited, so that a long text of opening marks takes no longer than any other.
const marks = [
  /\\(?<escaped>[\\`*_~[\]<])/,
  /`(?<code>[^`]{1,1000})`/,
  /\*\*(?=\S)(?<bold>.{0,999}?\S)\*\*/,
  /(?:\*(?=[^\s*])(?<star>[^*]{0,999}?[^\s*])\*)/,
  /(?:(?<!\w)_(?=[^\s_])(?<line>[^_]{0,999}?[^\s_])_(?!\w))/,
  /~~(?=\S)(?<gone>.{0,999}?\S)~~/,
  /\[(?<label>[^\]]{1,1000})\]\((?<target>[^()\s]{1,2000})\)/,
  /<@(?<mentioned>[0-9a-f-]{36})>/,
  /(?<address>https?:\/\/[^\s<>]{0,1999}[^\s<>.,:;!?'")\]*_~])/,
]
const anyMark = new RegExp(marks.map(({ source }) => source).join('|'), 'gi')

function inline(text: string, mention: Mention): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(anyMark)) {
    parts.push(text.slice(end, match.index))
    const part = show(match.groups ?? {}, mention) ?? match[0]
    parts.push(<Fragment key={match.index}>{part}</Fragment>)
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}

/** The text without its marks, for a line or two of it. */
export function plainText(text: string): string {
  const lines = text.split('\n').map((line) => {
    const mark = [bullet, number, quote, heading, fence].find((each) => each.test(line))
    return mark ? line.replace(mark, '') : line
  })
  return withoutMarks(lines.join('\n'))
}

function withoutMarks(text: string): string {
  return [...text.matchAll(anyMark)].toReversed().reduce((left, { 0: whole, index, groups }) => {
    const { escaped, code, bold, star, line, gone, label } = groups ?? {}
    const marked = bold ?? star ?? line ?? gone
    const said = marked === undefined ? (escaped ?? code ?? label ?? whole) : withoutMarks(marked)
    return left.slice(0, index) + said + left.slice(index + whole.length)
  }, text)
}

function show(found: Partial<Record<string, string>>, mention: Mention): ReactNode {
  const { escaped, code, bold, star, line, gone, label, target, mentioned, address } = found
  const slanted = star ?? line
  if (escaped) return escaped
  if (code) return <code>{code}</code>
  if (bold) return <strong>{inline(bold, mention)}</strong>
  if (slanted) return <em>{inline(slanted, mention)}</em>
  if (gone) return <del>{inline(gone, mention)}</del>
  if (mentioned) return mention(mentioned.toLowerCase())
  const href = safeAddress(target ?? address ?? '')
  if (!href) return undefined
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {label ?? address}
    </a>
  )
}
