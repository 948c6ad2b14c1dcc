// A month to pick a day from. The arrow keys move by days and weeks, Page Up and Page Down by months.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { words } from '../words/index.ts'
import { locale } from '../words/locale.ts'
import { Button } from './button.tsx'
import css from './calendar.module.css'
import { classes } from './classes.ts'
import { formatPlainDay } from './format.ts'
import { addDays, addMonths, formatMonth } from './periods.ts'
import { localTime } from './zone.ts'

const weekday = (style: 'short' | 'long') =>
  new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' })
const shortDay = weekday('short')
const longDay = weekday('long')

/** Of the region: 0 is Sunday. Browsers that do not know it begin with Monday. */
const firstWeekday =
  ((new Intl.Locale(locale) as { getWeekInfo?(): { firstDay: number } }).getWeekInfo?.().firstDay ??
    1) % 7

const timeOf = (day: string) => new Date(`${day}T00:00:00Z`)

function weeksOf(month: string): string[][] {
  const first = `${month}-01`
  const start = addDays(first, -((timeOf(first).getUTCDay() - firstWeekday + 7) % 7))
  return [0, 1, 2, 3, 4, 5].map((week) =>
    [0, 1, 2, 3, 4, 5, 6].map((day) => addDays(start, 7 * week + day)),
  )
}

/** The same day of another month, or its last one. */
function byMonths(day: string, months: number): string {
  const month = addMonths(day.slice(0, 7), months)
  const last = addDays(`${addMonths(month, 1)}-01`, -1)
  const same = `${month}-${day.slice(8)}`
  return same < last ? same : last
}

const moves: Record<string, (day: string) => string> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  PageUp: (day) => byMonths(day, -1),
  PageDown: (day) => byMonths(day, 1),
}

export function Calendar({ chosen, onPick }: { chosen: string; onPick: (day: string) => void }) {
  const today = localTime(new Date()).slice(0, 10)
  const [at, setAt] = useState(chosen || today)
  const grid = useRef<HTMLTableElement>(null)
  const isMoved = useRef(true)
  const month = at.slice(0, 7)
  const weeks = weeksOf(month)
  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus()
  }, [at])
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    isMoved.current = true
    setAt(move(at))
  }
  return (
    <div className={css.calendar}>
      <div className={css.head}>
        <Button
          look="icon"
          aria-label={words.fields.previousMonth}
          onClick={() => setAt(byMonths(at, -1))}
        >
          <ChevronLeft />
        </Button>
        <div className="strong" aria-live="polite">
          {formatMonth(month)}
        </div>
        <Button
          look="icon"
          aria-label={words.fields.nextMonth}
          onClick={() => setAt(byMonths(at, 1))}
        >
          <ChevronRight />
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of days is a grid */}
      <table ref={grid} role="grid" aria-label={formatMonth(month)} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={longDay.format(timeOf(day))}>
                {shortDay.format(timeOf(day)).slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of that grid
                <td key={day} role="gridcell" aria-selected={day === chosen}>
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === at ? 0 : -1}
                    aria-label={`${longDay.format(timeOf(day))}, ${formatPlainDay(day)}`}
                    aria-current={day === today ? 'date' : undefined}
                    className={classes(
                      css.day,
                      day === chosen && css.chosen,
                      !day.startsWith(month) && 'soft',
                    )}
                    onClick={() => onPick(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
