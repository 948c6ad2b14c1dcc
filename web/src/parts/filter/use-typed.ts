import { useEffect, useRef } from 'react'

const typingMs = 250

/** Calls back some time after the last change. */
export function useTyped(onTyped: (text: string) => void): (text: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onTyped)
  latest.current = onTyped
  useEffect(() => () => clearTimeout(timer.current), [])
  return (text) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(text), typingMs)
  }
}
