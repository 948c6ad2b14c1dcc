import { classes } from './classes.ts'
import css from './small.module.css'

/** Ctrl on most keyboards, ⌘ on Apple's. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

export function keyName(key: string): string {
  if (key === 'Mod') return isApple ? '⌘' : 'Ctrl'
  if (key === 'ArrowUp') return '↑'
  if (key === 'ArrowDown') return '↓'
  return key.length === 1 ? key.toUpperCase() : key
}

/** `keys` as in the registry of commands: "Mod+K", "G L". */
export function Kbd({ keys, onAccent = false }: { keys: string; onAccent?: boolean }) {
  const shown = keys.split(' ').map((part) => part.split('+').map(keyName).join(' '))
  return <kbd className={classes(css.kbd, onAccent && css.onAccent)}>{shown.join(' ')}</kbd>
}
