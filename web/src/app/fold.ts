// Whether the navigation is folded to its icons. The choice is kept in this browser.
import { useState } from 'react'

const place = 'navigation'

function read(): boolean {
  try {
    return localStorage.getItem(place) === 'folded'
  } catch {
    // The browser keeps nothing for this page.
    return false
  }
}

export function useFold(): { isFolded: boolean; toggle: () => void } {
  const [isFolded, setFolded] = useState(read)
  const toggle = () => {
    setFolded(!isFolded)
    try {
      localStorage.setItem(place, isFolded ? '' : 'folded')
    } catch {
      // It lasts until the page is left.
    }
  }
  return { isFolded, toggle }
}
