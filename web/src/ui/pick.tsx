// One of many: a button with what is chosen, and a list to search in.
import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { words } from '../words/index.ts'
import { classes } from './classes.ts'
import { type Option, Options } from './options.tsx'
import css from './pick.module.css'
import { Popover } from './popover.tsx'

interface Props {
  label: string
  options: Option[]
  chosen: string
  onPick: (id: string) => void
  /** What is chosen, where it is not among the options. */
  shown?: string
  isQuiet?: boolean
  isDisabled?: boolean | undefined
  /** It says what the input after it is about: that has the focus next. */
  goesOn?: boolean | undefined
  className?: string | undefined
}

/** As many can be looked through. More have a text to search with. */
const few = 12

export function Pick(props: Props) {
  const { label, options, chosen, onPick, shown, isQuiet, isDisabled, goesOn, className } = props
  const [isOpen, setOpen] = useState(false)
  /** The letter that opened it. */
  const [start, setStart] = useState('')
  const isPicked = useRef(false)
  const text = shown ?? options.find(({ id }) => id === chosen)?.label ?? ''
  return (
    <Popover
      label={label}
      wide={options.length > few}
      open={isOpen}
      nextFocus={(button) => (goesOn && isPicked.current ? inputAfter(button) : undefined)}
      onOpenChange={(open) => {
        isPicked.current = false
        setStart('')
        setOpen(open)
      }}
      trigger={
        <button
          type="button"
          className={classes(css.pick, isQuiet && css.quiet, className)}
          aria-label={`${label}: ${text}`}
          disabled={isDisabled}
          onKeyDown={(event) => {
            const { key, ctrlKey, metaKey, altKey } = event
            const isLetter = /^\S$/u.test(key) && !ctrlKey && !metaKey && !altKey
            if (isOpen || !(isLetter || key === 'ArrowDown' || key === 'ArrowUp')) return
            event.preventDefault()
            event.stopPropagation()
            isPicked.current = false
            setStart(isLetter ? key : '')
            setOpen(true)
          }}
        >
          <span>{text}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </button>
      }
    >
      <Options
        label={label}
        placeholder={words.fields.find(label)}
        isOne
        start={start}
        isShort={options.length <= few}
        options={options}
        chosen={new Set([chosen])}
        onPick={(id) => {
          isPicked.current = true
          setOpen(false)
          onPick(id)
        }}
      />
    </Popover>
  )
}

/** The next input of the same dialog. */
const inputAfter = (button: HTMLElement) =>
  [...(button.closest('[role=dialog]')?.querySelectorAll('input') ?? [])].find(
    (input) => button.compareDocumentPosition(input) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
