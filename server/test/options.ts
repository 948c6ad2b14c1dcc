// Command line options of the bench and the torture.

/** Calls `read`. If that throws, prints the error and the usage, and ends with status 2. */
export function readOptions<Options>(
  usage: string,
  read: () => Options & { help: boolean },
): Options {
  try {
    const options = read()
    if (!options.help) return options
    console.log(usage)
    process.exit()
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}

export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new Error(`${option} must be a whole number from ${min} to ${max}, not "${text}".`)
}
