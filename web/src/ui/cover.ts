/** How high something at the bottom of the page is, as a variable for the styles of what must not be under it. */
const covering = (variable: '--bar' | '--tray') => (element: HTMLElement) => {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() =>
    style.setProperty(variable, `${element.offsetHeight}px`),
  )
  observer.observe(element)
  return () => {
    observer.disconnect()
    style.removeProperty(variable)
  }
}

export const coverAsBar = covering('--bar')
export const coverAsTray = covering('--tray')
