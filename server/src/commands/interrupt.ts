// Ctrl-C: the first asks the work to stop, the second does not wait.

/** One Ctrl-C reaches npm and us, and npm passes its own on to us: that is still one. */
const sameSignalMs = 500

/** Answers a function that ends the listening. */
export function onStopSignal(stop: () => void): () => void {
  let askedAt: number | undefined
  const signalled = () => {
    if (askedAt === undefined) {
      askedAt = performance.now()
      stop()
    } else if (performance.now() - askedAt > sameSignalMs) {
      process.exit(130)
    }
  }
  process.on('SIGINT', signalled)
  process.on('SIGTERM', signalled)
  return () => {
    process.off('SIGINT', signalled)
    process.off('SIGTERM', signalled)
  }
}

export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const asked = new AbortController()
  const stopListening = onStopSignal(() => asked.abort())
  try {
    return await work(asked.signal)
  } finally {
    stopListening()
  }
}
