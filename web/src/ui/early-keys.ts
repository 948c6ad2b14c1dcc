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

/** The keys that end the typing. */
const ends = ['Enter', 'Tab']

function catchKeys(): () => void {
  let typed = ''
  let end: KeyboardEvent | undefined
  const onKey = (event: KeyboardEvent) => {
    const { key, target } = event
    if (end || isInput(target) || event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Backspace') typed = typed.slice(0, -1)
    else if (key.length === 1) typed += key
    else if (ends.includes(key) && typed) end = event
    else return
    event.preventDefault()
    // A panel that opens in the meantime listens too.
    event.stopImmediatePropagation()
  }
  const onFocus = ({ target }: FocusEvent) => {
    // A panel takes the focus itself while its content is loaded.
    if (target instanceof Element && target.matches('[role=dialog]')) return
    stop()
    if (typed && isInput(target)) queueMicrotask(() => enter(target, typed, end))
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

/** As if it were typed: in place of what is selected, and React hears of it. */
function enter(input: HTMLElement, text: string, end: KeyboardEvent | undefined): void {
  // It is old, and the only way that knows the selection of every kind of input.
  document.execCommand('insertText', false, text)
  if (!end) return
  const { key, shiftKey } = end
  const again = new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true })
  // Not before the input shows the text.
  setTimeout(() => input.dispatchEvent(again))
}
