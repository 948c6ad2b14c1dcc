// The registry of commands. Parts of the page register what can be done now; the palette, menus, the help
// and the keyboard all read from here.
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { words } from '../words/index.ts'

export interface Command {
  id: string
  title: string
  group: string
  /** "Mod+K", "J", or keys one after the other: "G L". */
  keys?: string
  /** More words that find it in the palette. */
  also?: string
  /** For the keyboard and its help only. */
  isHidden?: boolean
  /** Works also while a text is being written. */
  inText?: boolean
  run: () => void
}

/** J and K. */
export function stepCommands(group: string, step: (by: 1 | -1) => void): Command[] {
  const { next, previous } = words.commands
  return [
    { id: 'next', title: next, group, keys: 'J', isHidden: true, run: () => step(1) },
    { id: 'previous', title: previous, group, keys: 'K', isHidden: true, run: () => step(-1) },
  ]
}

const sets = new Map<object, readonly Command[]>()
const listeners = new Set<() => void>()
let all: readonly Command[] = []

function publish(): void {
  all = [...sets.values()].flat()
  for (const listener of listeners) listener()
}

/** Registers commands while the calling component is shown. The last one registered wins a key. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useRef({})
  const latest = useRef(commands)
  latest.current = commands
  const signature = commands.map(({ id, title, keys }) => `${id}${title}${keys}`).join('|')
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a command does is read when it runs
  useLayoutEffect(() => {
    const key = owner.current
    sets.set(
      key,
      latest.current.map((command, index) => ({
        ...command,
        run: () => latest.current[index]?.run(),
      })),
    )
    publish()
    return () => {
      sets.delete(key)
      publish()
    }
  }, [signature])
}

export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => all,
  )
}

const sequenceMs = 1_000

/** Runs commands by their keys. */
export function useKeyboard(): void {
  useEffect(() => {
    let before = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || (event.repeat && event.key === 'Enter'))
        return
      const pressed = pressedKeys(event)
      if (!pressed) return
      const inText = isText(event.target)
      const inPopup =
        event.target instanceof Element &&
        event.target.closest('[role=dialog], [role=menu]') !== null
      const candidates = all.filter(
        (command) => command.keys && (command.inText || !(inText || inPopup)),
      )
      const sequence = before ? `${before} ${pressed}` : pressed
      const found =
        candidates.findLast(({ keys }) => keys === sequence) ??
        candidates.findLast(({ keys }) => keys === pressed)
      before = ''
      clearTimeout(timer)
      if (found) {
        event.preventDefault()
        found.run()
      } else if (candidates.some(({ keys }) => keys?.startsWith(`${pressed} `))) {
        before = pressed
        timer = setTimeout(() => {
          before = ''
        }, sequenceMs)
      }
    }
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('keydown', keepInList, true)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('keydown', keepInList, true)
    }
  }, [])
}

function pressedKeys(event: KeyboardEvent): string | undefined {
  if (event.altKey) return undefined
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key
  if (event.ctrlKey || event.metaKey) return `Mod+${event.shiftKey ? 'Shift+' : ''}${key}`
  return event.shiftKey && /^[A-Z]$/.test(key) ? `Shift+${key}` : key
}

/** Keys in the open list of a select are for the list alone: Escape closes it, and not what is around it. */
function keepInList(event: KeyboardEvent): void {
  if (event.target instanceof HTMLOptionElement) event.stopPropagation()
}

export function isText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement ||
      (target instanceof HTMLInputElement &&
        !['checkbox', 'radio', 'button'].includes(target.type)))
  )
}
