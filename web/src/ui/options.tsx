// A list to choose from, with a text to narrow it down: in pickers, in the filter and in the palette. Focus
// stays in the text; the arrow keys move the mark.
import { fold } from '@rapport/contract/fold'
import { Check } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { words } from '../words/index.ts'
import { classes } from './classes.ts'
import css from './options.module.css'

export interface Option {
  id: string
  /** What is searched, and shown when there is no `content`. */
  label: string
  content?: ReactNode
  hint?: ReactNode
  group?: string | undefined
  /** More words that find it. */
  also?: string | undefined
}

interface Props {
  label: string
  options: Option[]
  /** Chosen ones have a check mark. */
  chosen?: ReadonlySet<string>
  onPick: (id: string) => void
  /** Offers to make what was typed when nothing has that name. */
  onCreate?: ((text: string) => void) | undefined
  /** The caller searches; the options are what it found. */
  onSearch?: (text: string) => void
  placeholder?: string
  isLarge?: boolean
  /** Exactly one is chosen. It is marked at first. */
  isOne?: boolean
  /** What is typed already. */
  start?: string
  /** The text appears with the first letter. */
  isShort?: boolean
  /** It stands in a form, not in a popover. */
  isFramed?: boolean
  isBusy?: boolean
  /** Said when there is nothing to choose. */
  none?: string | undefined
  footer?: ReactNode
}

const createId = ' create'

/** The place of the one with this name, or else of the first whose name begins so. */
function nearest(options: readonly Option[], name: string): number {
  const at = options.findIndex(({ label }) => fold(label) === name)
  return at < 0 ? options.findIndex(({ label }) => fold(label).startsWith(name)) : at
}

export function Options({
  label,
  options,
  chosen,
  onPick,
  onCreate,
  onSearch,
  placeholder,
  isLarge,
  isFramed,
  isBusy,
  isOne,
  start = '',
  isShort,
  none = words.fields.nothing,
  footer,
}: Props) {
  const [text, setText] = useState(start)
  /** Undefined: the one whose name is typed, or begins so, or else the first. Status, not Contract status before it. */
  const [at, setAt] = useState<number>()
  const list = useRef<HTMLDivElement>(null)
  const base = useId()
  const { shown, named } = useMemo(() => {
    const wanted = fold(text).split(/\s+/).filter(Boolean)
    const found = onSearch
      ? options
      : options.filter(({ label, also = '' }) => {
          const searched = fold(`${label} ${also}`)
          return wanted.every((word) => searched.includes(word))
        })
    const name = text.trim()
    const isNamed = ({ label }: Option) => fold(label) === fold(name)
    const isNew = onCreate && name && !options.some(isNamed)
    const created = isNew ? [{ id: createId, label: words.fields.createOption(name) }] : []
    return {
      shown: [...found, ...created] as Option[],
      named: onSearch || !name ? 0 : nearest(found, fold(name)),
    }
  }, [options, text, onSearch, onCreate])
  const first = isOne && !text ? shown.findIndex(({ id }) => chosen?.has(id)) : named
  const marked = Math.min(at ?? Math.max(first, 0), shown.length - 1)

  useEffect(() => {
    list.current?.querySelector('[data-marked]')?.scrollIntoView({ block: 'nearest' })
  })

  const pick = (id: string) => {
    if (id === createId) onCreate?.(text.trim())
    else onPick(id)
    if (text) search('')
  }
  const search = (value: string) => {
    setText(value)
    setAt(undefined)
    onSearch?.(value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step) setAt(Math.max(0, Math.min(shown.length - 1, marked + step)))
    else if (event.key === 'Enter') {
      const option = shown[marked]
      if (option) pick(option.id)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className={classes(css.options, isLarge && css.large, isFramed && css.framed)}>
      <input
        className={isShort && !text ? 'hidden' : css.input}
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${base}list`}
        aria-activedescendant={marked >= 0 ? `${base}${marked}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder ?? label}
        value={text}
        onChange={(event) => search(event.target.value)}
        onKeyDown={onKeyDown}
        autoFocus
      />
      <div
        ref={list}
        className={css.list}
        id={`${base}list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={chosen && !isOne ? true : undefined}
        // Some browsers let Tab stop at what scrolls.
        tabIndex={-1}
      >
        {shown.map((option, index) => {
          const isFirst = option.group && shown[index - 1]?.group !== option.group
          return (
            <div key={option.id} role="presentation">
              {isFirst && (
                <div className={css.group} role="presentation">
                  {option.group}
                </div>
              )}
              <div
                id={`${base}${index}`}
                className={css.option}
                role="option"
                tabIndex={-1}
                aria-selected={chosen ? chosen.has(option.id) : index === marked}
                data-marked={index === marked || undefined}
                onMouseMove={() => index === marked || setAt(index)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(option.id)}
                onKeyDown={onKeyDown}
              >
                {chosen && (
                  <span className={css.check}>{chosen.has(option.id) && <Check size={14} />}</span>
                )}
                <span className={css.content}>{option.content ?? option.label}</span>
                {option.hint && <span className={css.hint}>{option.hint}</span>}
              </div>
            </div>
          )
        })}
        {shown.length === 0 && <div className={css.none}>{isBusy ? words.grid.loading : none}</div>}
      </div>
      {footer && <div className={css.footer}>{footer}</div>}
    </div>
  )
}
