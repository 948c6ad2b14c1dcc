// A text in which @ mentions a member: the names are offered while one is typed.
import {
  type KeyboardEvent,
  type TextareaHTMLAttributes,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { words } from '../../words/index.ts'
import css from './composer.module.css'
import { askedMembers, type Member, mentionName } from './mentions.ts'

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  value: string
  members: readonly Member[]
  onText: (text: string) => void
}

export function MentionText({ value, members, onText, ...rest }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const base = useId()
  /** Where the caret is while names are offered. */
  const [caret, setCaret] = useState<number>()
  const [marked, setMarked] = useState(0)
  const asked = caret === undefined ? undefined : askedMembers(value, caret, members)
  const found = asked?.found ?? []
  const isOpen = found.length > 0
  /** Where the caret goes with the next text, before anything else is typed. */
  const next = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (next.current === undefined) return
    area.current?.setSelectionRange(next.current, next.current)
    next.current = undefined
  })
  const look = () => {
    setCaret(area.current?.selectionStart)
    setMarked(0)
  }
  const pick = (member: Member | undefined) => {
    if (!member || !asked || caret === undefined) return
    const name = `${mentionName(member, members)} `
    onText(value.slice(0, asked.at) + name + value.slice(caret))
    setCaret(undefined)
    next.current = asked.at + name.length
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const isPick = ['Enter', 'Tab'].includes(event.key) && !event.ctrlKey && !event.metaKey
    if (!isOpen || !(step || isPick || event.key === 'Escape')) return
    if (step) setMarked((marked + step + found.length) % found.length)
    else if (isPick) pick(found[marked])
    else setCaret(undefined)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={css.mentionText}>
      <textarea
        {...rest}
        ref={area}
        value={value}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${base}list` : undefined}
        aria-activedescendant={isOpen ? `${base}${marked}` : undefined}
        onChange={(event) => {
          onText(event.target.value)
          look()
        }}
        onClick={look}
        onBlur={() => setCaret(undefined)}
        onKeyDown={onKey}
      />
      {isOpen && (
        <div
          className={css.members}
          id={`${base}list`}
          role="listbox"
          aria-label={words.notes.members}
        >
          {found.map((member, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text
            <div
              key={member.id}
              id={`${base}${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === marked}
              className={css.member}
              onMouseMove={() => setMarked(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(member)}
            >
              <Avatar name={member.name || '?'} picture={member.picture} />
              {mentionName(member, members)}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
