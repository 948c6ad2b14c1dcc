// Short notices at the edge of the page. Screen readers hear them, and a fault stays until it is closed.
import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { words } from '../words/index.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { reasonOf } from './reason.ts'
import css from './toast.module.css'

export interface Action {
  label: string
  run: () => void
}

interface Notice {
  id: number
  text: string
  detail?: string | undefined
  isFault: boolean
  actions: Action[]
}

const shownFor = 5_000
let notices: Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

function close(id: number): void {
  set(notices.filter((notice) => notice.id !== id))
}

interface More {
  detail?: string
  action?: Action
  actions?: Action[]
  /** It stays until it is closed. */
  isLasting?: boolean
}

export function tell(
  text: string,
  { detail, action, actions = action ? [action] : [], isLasting }: More = {},
): void {
  const id = ++lastId
  set([...notices.slice(-2), { id, text, detail, isFault: false, actions }])
  if (!isLasting) setTimeout(() => close(id), actions.length > 0 ? 2 * shownFor : shownFor)
}

/** Says what did not work, and why. */
export function tellFault(text: string, error: unknown, action?: Action): void {
  const actions = action ? [action] : []
  const detail = reasonOf(error)
  const others = notices.filter((notice) => notice.text !== text || notice.detail !== detail)
  set([...others.slice(-2), { id: ++lastId, text, detail, isFault: true, actions }])
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
  return (
    <section className={css.area} aria-live="polite" aria-label={words.toasts}>
      {shown.map(({ id, text, detail, isFault, actions }) => (
        <div
          key={id}
          className={classes(css.toast, isFault && css.fault, actions.length > 1 && css.stacked)}
          role={isFault ? 'alert' : undefined}
        >
          <div className={css.text}>
            <div>{text}</div>
            {detail && <div className={css.detail}>{detail}</div>}
          </div>
          {actions.length > 0 && (
            <div className={css.actions}>
              {actions.map(({ label, run }) => (
                <Button
                  key={label}
                  look="link"
                  onClick={() => {
                    close(id)
                    run()
                  }}
                >
                  {label}
                </Button>
              ))}
            </div>
          )}
          <Button look="icon" aria-label={words.actions.close} onClick={() => close(id)}>
            <X size={14} />
          </Button>
        </div>
      ))}
    </section>
  )
}
