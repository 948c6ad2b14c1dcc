// The body of a response.

import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { Json } from './handler.ts'

type Shape = Record<string, unknown>

export const json = 'application/json; charset=utf-8'

/**
 * Only what the schema of the route lists: another column cannot leak. As in validate.ts, the schema is compiled at
 * the first use.
 */
export function serialize(
  answer: unknown,
  { reply: schema }: { reply: TSchema },
  reply: FastifyReply,
): string {
  if (answer instanceof Json) return String(answer.content)
  if (typeof answer === 'string') return JSON.stringify(answer)
  return reply.serializeInput(answer as Shape, schema as Shape)
}
