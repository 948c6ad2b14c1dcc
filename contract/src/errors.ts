// The errors a caller can get. Code throws them where it detects the problem; one place in the server
// turns them into a response.

export const errorCodes = {
  BAD_REQUEST: { status: 400, message: 'Invalid input data' },
  UNAUTHORIZED: { status: 401, message: 'Authorization not provided' },
  FORBIDDEN: { status: 403, message: 'Insufficient access' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  /** Only requests with an Idempotency-Key or If-Match, operations and the change feed get these four. */
  CONFLICT: { status: 409, message: 'An identical request is in progress' },
  GONE: { status: 410, message: 'The change feed cannot continue from this cursor' },
  PRECONDITION_FAILED: { status: 412, message: 'The record has changed since you read it' },
  UNPROCESSABLE: { status: 422, message: 'This idempotency key was used for a different request' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests' },
  INTERNAL_SERVER_ERROR: { status: 500, message: 'Internal server error' },
} as const

export type ErrorCode = keyof typeof errorCodes

/** A problem in the input: where it is, its kind, and a sentence about it. */
export interface Issue {
  path: (string | number)[]
  code: string
  message: string
}

/** A response lists at most this many problems. More would help no one. */
export const maxIssues = 100

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly issues: Issue[]
  readonly status: number
  /** Fields of the body in addition to the three that every error has. */
  readonly more: object

  constructor(
    code: ErrorCode,
    issues: Issue[] = [],
    {
      status = errorCodes[code].status,
      message = errorCodes[code].message,
      more = {},
    }: { status?: number; message?: string; more?: object } = {},
  ) {
    super(message)
    this.code = code
    this.issues = issues.slice(0, maxIssues)
    this.status = status
    this.more = more
  }
}

export function badRequest(issues: Issue | Issue[]): ApiError {
  return new ApiError('BAD_REQUEST', [issues].flat())
}

/** A body refers to a record that the workspace does not have. */
export function unknownRecord(path: Issue['path'], what: string): Issue {
  return { path, code: 'unknown_record', message: `No such ${what} in this workspace` }
}

/** A list cannot be continued from there. */
export function notNext(name = 'after'): ApiError {
  const message = 'Must be `next` of an earlier response'
  return badRequest({ path: [name], code: 'cursor', message })
}

export function notFound(): ApiError {
  return new ApiError('NOT_FOUND')
}

/** The service or its database is unavailable. The input is not at fault. */
export function unavailable(): ApiError {
  return new ApiError('INTERNAL_SERVER_ERROR', [], { status: 503 })
}

/** A problem with the request as a whole rather than with one field. */
export function requestFault(code: string, message: string, status = 400): ApiError {
  return new ApiError('BAD_REQUEST', [{ path: [], code, message }], { status })
}

export function errorBody({ code, message, issues, more }: ApiError) {
  return { code, message, issues, ...more }
}
