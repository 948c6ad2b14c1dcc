/** Puts text on the clipboard. Without TLS, browsers have no clipboard for pages, but still copy what is selected. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  // In the open dialog, if there is one: outside of it nothing can be selected.
  const place = focused?.closest('dialog, [role=dialog]') ?? document.body
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('The browser did not copy')
}
