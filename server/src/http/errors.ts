// Errors are thrown where they are known and shaped here, nowhere else.
import type { FastifyError } from 'fastify'
import { isUnavailable } from '../db/connect.ts'

export const errorCodes = {
  BAD_REQUEST: { status: 400, message: 'Invalid input data' },
  UNAUTHORIZED: { status: 401, message: 'Authorization not provided' },
  FORBIDDEN: { status: 403, message: 'Insufficient access' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests' },
  INTERNAL_SERVER_ERROR: { status: 500, message: 'Internal server error' },
} as const

export type ErrorCode = keyof typeof errorCodes

/** One fault of the input: where it is, what kind of fault, and a sentence about it. */
export interface Issue {
  path: (string | number)[]
  code: string
  message: string
}

/** An answer lists at most this many faults: beyond that nobody reads them. */
const maxIssues = 100

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly issues: Issue[]
  readonly status: number

  constructor(code: ErrorCode, issues: Issue[] = [], status: number = errorCodes[code].status) {
    super(errorCodes[code].message)
    this.code = code
    this.issues = issues.slice(0, maxIssues)
    this.status = status
  }
}

export function badRequest(issues: Issue | Issue[]): ApiError {
  return new ApiError('BAD_REQUEST', [issues].flat())
}

/** A record named inside a body that the workspace does not have. */
export function unknownRecord(path: Issue['path'], what: string): Issue {
  return { path, code: 'unknown_record', message: `No such ${what} in this workspace` }
}

export function notFound(): ApiError {
  return new ApiError('NOT_FOUND')
}

/** What the caller is told about an error of any origin. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error)) return unavailable()
  const { code, statusCode } = error as Partial<FastifyError>
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return requestFault('too_large', 'The body is larger than 16 MiB', 413)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return requestFault('content_type', 'Send the body as application/json', 415)
    case 'FST_ERR_BAD_URL':
    // An id that is far too long is no id.
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound()
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return requestFault('malformed', 'The request cannot be read', statusCode)
  }
  return new ApiError('INTERNAL_SERVER_ERROR')
}

export function unavailable(): ApiError {
  return new ApiError('INTERNAL_SERVER_ERROR', [], 503)
}

/** A fault of the request as a whole rather than of one field. */
export function requestFault(code: string, message: string, status = 400): ApiError {
  return new ApiError('BAD_REQUEST', [{ path: [], code, message }], status)
}

export function errorBody({ code, message, issues }: ApiError) {
  return { code, message, issues }
}
