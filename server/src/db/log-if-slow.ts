// Tells people who wait what the program is waiting for.
const slowMs = 3_000

/** Logs the description once if the work takes longer than a few seconds. */
export async function logIfSlow<T>(
  log: (line: string) => void,
  describe: () => string,
  work: Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => log(describe()), slowMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
