// Turns any error into the one that the caller gets. Details of unexpected errors are omitted.
import { ApiError, notFound, requestFault, unavailable } from '@rapport/contract/errors'
import { maxText } from '@rapport/contract/shapes'
import type { FastifyError } from 'fastify'
import { isCanceled, isTooLarge, isUnavailable } from '../db/driver.ts'
import { limitInBytes } from '../words.ts'
import { maxBodyBytes } from './body.ts'

const tooLarge = `All values of a lead together must not be longer than ${maxText}`

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error) || isCanceled(error)) return unavailable()
  if (isTooLarge(error)) return requestFault('too_long', tooLarge)
  const { code, statusCode } = error as Partial<FastifyError>
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return requestFault('too_large', `The body is larger than ${limitInBytes(maxBodyBytes)}`, 413)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return requestFault('content_type', 'Send the body as application/json', 415)
    case 'FST_ERR_BAD_URL':
    // The router refuses ids that are much too long.
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound()
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return requestFault('malformed', 'Malformed request', statusCode)
  }
  return new ApiError('INTERNAL_SERVER_ERROR')
}
