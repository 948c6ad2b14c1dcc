// Notifications of the desktop, while the page is in the background. People turn them on for each browser. One tab
// shows them, and keeps its connection for that.
const place = 'desktop-notifications'

export const isDesktopPossible = () => 'Notification' in window && window.isSecureContext

export const isDesktopBlocked = () => Notification.permission === 'denied'

export function isDesktopOn(): boolean {
  try {
    return (
      isDesktopPossible() &&
      Notification.permission === 'granted' &&
      localStorage.getItem(place) === 'on'
    )
  } catch {
    return false
  }
}

/** Call it upon a click: the browser asks the person. Resolves to whether they are on. */
export async function setDesktop(isOn: boolean): Promise<boolean> {
  if (isOn) await Notification.requestPermission()
  localStorage.setItem(place, isOn ? 'on' : 'off')
  keepsDesktop()
  return isDesktopOn()
}

let isKeeper = false
let isAsked = false

/** This tab is the one that shows them. It asks to be at the first call, and knows a little later. */
export function keepsDesktop(): boolean {
  if (!isDesktopOn()) return false
  if (!isAsked) {
    isAsked = true
    // Held until the tab is closed.
    void navigator.locks.request(place, () => {
      isKeeper = true
      return new Promise(() => {})
    })
  }
  return isKeeper
}

interface Shown {
  id: string
  title: string
  detail: string
  onOpen: () => void
}

export function showOnDesktop({ id, title, detail, onOpen }: Shown): void {
  if (document.hasFocus() || !keepsDesktop()) return
  try {
    const shown = new Notification(title, { body: detail, tag: id })
    shown.onclick = () => {
      window.focus()
      shown.close()
      onOpen()
    }
  } catch {
    // Some browsers of phones show none for a page.
  }
}
