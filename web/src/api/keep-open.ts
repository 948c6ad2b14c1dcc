import { words } from '../words/index.ts'

let count = 0
const ask = (event: Event) => event.preventDefault()

/** From now on, the browser asks before it leaves the page, which would lose what is not saved yet. */
export function askToStay(): () => void {
  if (count++ === 0) addEventListener('beforeunload', ask)
  return () => {
    if (--count === 0) removeEventListener('beforeunload', ask)
  }
}

/** Asks before what makes the page leave: after it, staying would show what is another person's or nobody's. */
export const mayLeave = () => count === 0 || confirm(words.faults.leaveUnsaved)

/** After `mayLeave`. */
export const leaveUnasked = () => removeEventListener('beforeunload', ask)

/** As `askToStay`, while the work continues. */
export async function keepOpen<T>(work: Promise<T>): Promise<T> {
  const stopAsking = askToStay()
  try {
    return await work
  } finally {
    stopAsking()
  }
}
