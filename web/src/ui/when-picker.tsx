// The button beside a date or a time, and what it opens: a calendar, the times of a day, or both.
import { CalendarDays, Clock } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { words } from '../words/index.ts'
import css from './calendar.module.css'
import { Calendar } from './calendar.tsx'
import { classes } from './classes.ts'
import { Popover } from './popover.tsx'
import { showWhen, type WhenKind } from './when-text.ts'
import { localTime } from './zone.ts'

interface Props {
  kind: WhenKind
  value: string
  onValue: (value: string) => void
  /** It is complete. */
  onDone?: (value: string) => void
  onOpen?: (isOpen: boolean) => void
  className?: string | undefined
}

export function WhenPicker({ kind, value, onValue, onDone, onOpen, className }: Props) {
  const [isOpen, setOpen] = useState(false)
  const set = (next: boolean) => {
    setOpen(next)
    onOpen?.(next)
  }
  const finish = (next: string) => {
    onValue(next)
    set(false)
    onDone?.(next)
  }
  const day = kind === 'clock' ? '' : value.slice(0, 10)
  const time = kind === 'clock' ? value : value.slice(11, 16)
  const label = kind === 'clock' ? words.fields.times : words.fields.calendar
  return (
    <Popover
      label={label}
      align="end"
      open={isOpen}
      onOpenChange={set}
      trigger={
        <button
          type="button"
          className={className ?? css.beside}
          aria-label={label}
          // The input beside it keeps the focus, also where buttons take none: leaving it would save.
          onMouseDown={(event) => event.preventDefault()}
        >
          {kind === 'clock' ? <Clock size={15} /> : <CalendarDays size={15} />}
        </button>
      }
    >
      <div className={css.picker}>
        {kind !== 'clock' && (
          <Calendar
            chosen={day}
            onPick={(next) =>
              kind === 'day' ? finish(next) : onValue(`${next}T${time || '09:00'}`)
            }
          />
        )}
        {kind !== 'day' && (
          <Times
            chosen={time}
            isFirst={kind === 'clock'}
            onPick={(next) =>
              finish(
                kind === 'clock' ? next : `${day || localTime(new Date()).slice(0, 10)}T${next}`,
              )
            }
          />
        )}
      </div>
    </Popover>
  )
}

const halfHours = Array.from({ length: 48 }, (_, at) =>
  [Math.floor(at / 2), (at % 2) * 30].map((part) => String(part).padStart(2, '0')).join(':'),
)

interface TimesProps {
  chosen: string
  isFirst: boolean
  onPick: (time: string) => void
}

function Times({ chosen, isFirst, onPick }: TimesProps) {
  const list = useRef<HTMLDivElement>(null)
  const near = halfHours.findLast((time) => time <= (chosen || '09:00')) ?? ''
  const [at, setAt] = useState(near)
  useEffect(() => {
    const button = list.current?.querySelector<HTMLElement>('[tabindex="0"]')
    button?.scrollIntoView({ block: 'center' })
    if (isFirst) button?.focus()
  }, [isFirst])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const next = step && halfHours[halfHours.indexOf(at) + step]
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    setAt(next)
    list.current?.querySelector<HTMLElement>(`[data-time="${next}"]`)?.focus()
  }
  return (
    <div
      ref={list}
      className={css.times}
      role="group"
      aria-label={words.fields.times}
      onKeyDown={onKeyDown}
    >
      {halfHours.map((time) => (
        <button
          key={time}
          type="button"
          data-time={time}
          tabIndex={time === at ? 0 : -1}
          aria-pressed={time === chosen}
          className={classes(css.time, time === chosen && css.chosen)}
          onClick={() => onPick(time)}
        >
          {showWhen(time, 'clock')}
        </button>
      ))}
    </div>
  )
}
