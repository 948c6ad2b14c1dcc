let count = 0
const ask = (event: Event) => event.preventDefault()

/** While the work goes on, the browser asks before it leaves the page, which would lose what is not saved yet. */
export async function keepOpen<T>(work: Promise<T>): Promise<T> {
  if (count++ === 0) addEventListener('beforeunload', ask)
  try {
    return await work
  } finally {
    if (--count === 0) removeEventListener('beforeunload', ask)
  }
}
