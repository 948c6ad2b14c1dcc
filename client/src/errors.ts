// The errors of the service, a class for each code.
import type { ErrorCode, Issue } from './routes.ts'

export class RapportError extends Error {
  /** 0: there was no answer. */
  readonly status: number
  /** Undefined: the answer does not come from Rapport, or there was none. */
  readonly code: ErrorCode | undefined
  /** What is wrong with the input, and where. */
  readonly issues: Issue[]
  /** The whole answer: a few errors say more than others. */
  readonly body: Record<string, unknown>
  /** The log of the server has it too. */
  readonly requestId: string | null

  constructor(message: string, answer?: Answer, cause?: unknown) {
    super(message, { cause })
    this.status = answer?.status ?? 0
    this.body = answer?.body ?? {}
    this.code = this.body.code as ErrorCode | undefined
    this.issues = (this.body.issues as Issue[] | undefined) ?? []
    this.requestId = answer?.requestId ?? null
  }

  override get name(): string {
    return (
      Object.entries(kinds).find(([, kind]) => this.constructor === kind)?.[0] ?? 'RapportError'
    )
  }
}

interface Answer {
  status: number
  body: Record<string, unknown>
  requestId: string | null
}

/** The input is wrong: `issues` says where. */
export class BadRequestError extends RapportError {}
/** The key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends RapportError {}
/** The key may not do this. `issues` says which scope it needs, if it has fewer than its role. */
export class ForbiddenError extends RapportError {}
export class NotFoundError extends RapportError {}
/** A preview is out of date, or an operation cannot be undone. */
export class ConflictError extends RapportError {}
/** The change feed cannot continue from the cursor: read all records once, then continue from `start`. */
export class GoneError extends RapportError {
  get start(): string {
    return String(this.body.start)
  }
}
/** The record has changed since it was read (If-Match). */
export class PreconditionFailedError extends RapportError {}
/** The idempotency key was used for a different request. */
export class UnprocessableError extends RapportError {}
export class TooManyRequestsError extends RapportError {}
/** The service or its database is unavailable (status 503), or has a bug (500). */
export class InternalServerError extends RapportError {}
/** There was no answer, or only a part of it. */
export class ConnectionError extends RapportError {}
/** The time of the call was over. `cause` is the last error before. */
export class TimeoutError extends RapportError {}
/** A request that claims to be a webhook is not signed with its secret, or is too old. */
export class WebhookError extends RapportError {}

const kinds: Record<string, typeof RapportError> = {
  BadRequestError,
  UnauthorizedError,
  ForbiddenError,
  NotFoundError,
  ConflictError,
  GoneError,
  PreconditionFailedError,
  UnprocessableError,
  TooManyRequestsError,
  InternalServerError,
  ConnectionError,
  TimeoutError,
  WebhookError,
}

/** BAD_REQUEST: BadRequestError. */
const kindOf = (code: string) =>
  kinds[
    `${code
      .toLowerCase()
      .replace(/(^|_)(.)/g, (_all, _line, letter: string) => letter.toUpperCase())
      .replace(/Error$/, '')}Error`
  ] ?? RapportError

/** An answer that is not of success. */
export function errorOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
): RapportError {
  const body = read(text)
  const { code, message, issues } = body
  const said = issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  const place = headers.get('location')
  const otherwise = `The server answered ${status}${place ? ` and leads to ${place}` : ''}`
  // Some messages are those of their only issue.
  const words = [typeof message === 'string' ? message : otherwise, ...said].filter(
    (part, at, all) => all.indexOf(part) === at,
  )
  const answer = { status, body, requestId: headers.get('x-request-id') }
  return new (kindOf(String(code)))(words.join('; '), answer)
}

/** What a proxy answers may have any form. */
function read(text: string): Record<string, unknown> & { issues: Issue[] } {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {}
  const { issues, ...more } =
    typeof body === 'object' ? ((body as Record<string, unknown>) ?? {}) : {}
  const isIssue = (one: Partial<Issue> | null) =>
    Array.isArray(one?.path) && typeof one.message === 'string'
  return { ...more, issues: Array.isArray(issues) ? issues.filter(isIssue) : [] }
}
