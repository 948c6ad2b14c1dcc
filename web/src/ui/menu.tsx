// A menu of actions behind a button.
import { Check, Ellipsis } from 'lucide-react'
import {
  Fragment,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button } from './button.tsx'
import { Kbd } from './kbd.tsx'
import css from './menu.module.css'
import { Popover } from './popover.tsx'

export interface MenuEntry {
  id: string
  label: string
  icon?: ReactNode
  keys?: string | undefined
  isChosen?: boolean
  isDangerous?: boolean
  isDisabled?: boolean
  onPick: () => void
}

/** Those that are not there are left out. */
type Entry = MenuEntry | false | null | undefined | ''

interface Props {
  /** Without one, the menu is open next to `anchor` until it closes. */
  trigger?: ReactElement<Record<string, unknown>>
  anchor?: Element
  onClose?: () => void
  label: string
  /** Groups of entries, with a line between them. */
  groups: Entry[][]
  heading?: ReactNode
  align?: 'start' | 'end'
  side?: 'bottom' | 'top'
}

export function Menu({
  trigger,
  anchor,
  onClose,
  label,
  groups,
  heading,
  align = 'start',
  side = 'bottom',
}: Props) {
  const [isOpen, setIsOpen] = useState(anchor !== undefined)
  const setOpen = (next: boolean) => {
    setIsOpen(next)
    if (!next) onClose?.()
  }
  return (
    <Popover
      {...(trigger && { trigger })}
      {...(anchor && { anchor })}
      label={label}
      align={align}
      side={side}
      isMenu
      open={isOpen}
      onOpenChange={setOpen}
    >
      {heading && <div className={css.heading}>{heading}</div>}
      <Entries
        label={label}
        groups={groups
          .map((group) => group.filter(Boolean) as MenuEntry[])
          .filter(({ length }) => length > 0)}
        onPick={(entry) => {
          setOpen(false)
          entry.onPick()
        }}
      />
    </Popover>
  )
}

/** The menu at the end of a row, behind three dots. */
export function RowMenu({ label, groups }: Pick<Props, 'label' | 'groups'>) {
  return (
    <Menu
      label={label}
      groups={groups}
      align="end"
      trigger={
        <Button look="icon" data-menu="" aria-label={label}>
          <Ellipsis size={15} />
        </Button>
      }
    />
  )
}

const typingMs = 1_000

function Entries({
  label,
  groups,
  onPick,
}: {
  label: string
  groups: MenuEntry[][]
  onPick: (entry: MenuEntry) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  const items = () => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]:not([aria-disabled])') ?? []),
  ]
  useEffect(() => {
    // After the panel has taken the focus.
    const frame = requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('[role^=menuitem]:not([aria-disabled])')?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [])
  /** Letters that follow each other quickly are one word. */
  const typed = useRef({ text: '', time: 0 })
  const byText = (all: HTMLElement[], at: number, letter: string) => {
    const time = performance.now()
    const text = time - typed.current.time < typingMs ? typed.current.text + letter : letter
    typed.current = { text, time }
    const from = text.length > 1 ? Math.max(0, at) : at + 1
    return [...all.slice(from), ...all].find((item) =>
      item.textContent?.trim().toLowerCase().startsWith(text),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const wrap = (index: number) => all[(index + all.length) % all.length]
    const letter = event.key.length === 1 && event.key !== ' ' ? event.key.toLowerCase() : undefined
    const next =
      event.key === 'ArrowDown'
        ? wrap(at + 1)
        : event.key === 'ArrowUp'
          ? wrap(at - 1)
          : event.key === 'Home'
            ? all[0]
            : event.key === 'End'
              ? all.at(-1)
              : letter
                ? byText(all, at, letter)
                : undefined
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    next.focus()
  }
  return (
    <div
      className={css.menu}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      ref={list}
      onKeyDown={onKeyDown}
    >
      {groups.map((group, at) => (
        <Fragment key={group[0]?.id}>
          {at > 0 && <hr className={css.line} />}
          {group.map((entry) => (
            <button
              key={entry.id}
              type="button"
              role={entry.isChosen === undefined ? 'menuitem' : 'menuitemradio'}
              {...(entry.isChosen !== undefined && { 'aria-checked': entry.isChosen })}
              aria-disabled={entry.isDisabled || undefined}
              tabIndex={-1}
              className={css.item}
              data-danger={entry.isDangerous || undefined}
              onMouseMove={(event) => event.currentTarget.focus({ preventScroll: true })}
              onClick={() => entry.isDisabled || onPick(entry)}
            >
              {entry.icon}
              <span className="fill cut">{entry.label}</span>
              {entry.isChosen && <Check className={css.check} />}
              {entry.keys && <Kbd keys={entry.keys} />}
            </button>
          ))}
        </Fragment>
      ))}
    </div>
  )
}
