// What may be logged about an error. PostgreSQL quotes values in some messages, and the driver keeps the
// parameters of the statement on the error. Neither belongs in a log.
import { sqlState } from './driver.ts'

export type LoggedError = {
  type: string
  message: string
  stack: string
  code?: string
  cause?: LoggedError
}

/** Names what is logged, so a property that a driver adds to its errors is not. */
export function errorForLog(error: unknown): LoggedError {
  const { name = 'Error', stack = '', code, cause } = Object(error) as NodeJS.ErrnoException
  const message = messageForLog(error)
  return {
    type: name,
    message,
    stack: stack.replace(messageOf(error), () => message),
    ...(typeof code === 'string' && { code }),
    ...(cause !== undefined && { cause: errorForLog(cause) }),
  }
}

/** The message without the value that a data exception of PostgreSQL quotes: type uuid: "…" */
export function messageForLog(error: unknown): string {
  const isAboutValue = sqlState(error)?.startsWith('22')
  return isAboutValue ? messageOf(error).replace(/".*"/s, '"…"') : messageOf(error)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
