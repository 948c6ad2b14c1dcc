/** A problem with the bundled PostgreSQL. The message is one line: what is wrong, what to do. */
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
