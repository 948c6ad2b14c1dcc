/** A problem with the built-in PostgreSQL, in one line for people: what is wrong, what to do next. */
export class EngineError extends Error {
  override name = 'EngineError'
}

/** The `code` of a system or PostgreSQL error, if it has one. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
