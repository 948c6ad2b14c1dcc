let count = 0
const ask = (event: Event) => event.preventDefault()

/** From now on, the browser asks before it leaves the page, which would lose what is not saved yet. */
export function askToStay(): () => void {
  if (count++ === 0) addEventListener('beforeunload', ask)
  return () => {
    if (--count === 0) removeEventListener('beforeunload', ask)
  }
}

/** The same while the work continues. */
export async function keepOpen<T>(work: Promise<T>): Promise<T> {
  const stopAsking = askToStay()
  try {
    return await work
  } finally {
    stopAsking()
  }
}
