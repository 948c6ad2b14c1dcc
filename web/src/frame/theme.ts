// Light, dark, or as the system says. The choice is kept in this browser.
import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = 'theme'
const listeners = new Set<() => void>()

function read(): Theme {
  try {
    const kept = localStorage.getItem(place)
    return themes.find((theme) => theme === kept) ?? 'system'
  } catch {
    // The browser keeps nothing for this page.
    return 'system'
  }
}

let current = read()

export function applyTheme(): void {
  if (current === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = current
}

export function chooseTheme(theme: Theme): void {
  current = theme
  try {
    localStorage.setItem(place, theme)
  } catch {
    // It lasts until the page is left.
  }
  applyTheme()
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
