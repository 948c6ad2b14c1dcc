// What someone types between opening something and its input being there, which may be loaded first. Otherwise
// these letters would be lost, or run commands.
import { useEffect } from 'react'

const isInput = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio'].includes(target.type))

/** Keeps letters while this is open and nothing has taken the focus, and gives them to the input that does. */
export function useEarlyKeys(isOpen: boolean): void {
  useEffect(() => (isOpen ? catchKeys() : undefined), [isOpen])
}

function catchKeys(): () => void {
  let typed = ''
  const onKey = (event: KeyboardEvent) => {
    const { key, target } = event
    if (isInput(target) || event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Backspace') typed = typed.slice(0, -1)
    else if (key.length === 1) typed += key
    else return
    event.preventDefault()
    // A panel that opens in the meantime listens too.
    event.stopImmediatePropagation()
  }
  const onFocus = ({ target }: FocusEvent) => {
    stop()
    if (typed && isInput(target)) queueMicrotask(() => enter(target, typed))
  }
  const stop = () => {
    window.removeEventListener('keydown', onKey, true)
    window.removeEventListener('focusin', onFocus)
  }
  window.addEventListener('keydown', onKey, true)
  window.addEventListener('focusin', onFocus)
  // It may have the focus already.
  if (isInput(document.activeElement)) stop()
  return stop
}

/** As if it were typed: React hears of it. */
function enter(input: HTMLInputElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value') ?? {}
  set?.call(input, text + input.value)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
