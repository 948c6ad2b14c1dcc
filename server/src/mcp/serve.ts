// POST /mcp: tools for agents, with the rights of a key.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { ApiError, errorBody, notFound } from '@rapport/contract/errors'
import { allows } from '@rapport/contract/roles'
import { type Route, scopesOf } from '@rapport/contract/route'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from '../access/keyring.ts'
import { toApiError } from '../http/errors.ts'
import { isOwnPageByAddress } from '../http/origin.ts'
import { validator } from '../http/validate.ts'
import { toResult } from './answer.ts'
import type { Asks, Call } from './ask.ts'
import type { Exchange, Handle, Tools } from './protocol.ts'
import type { Visit } from './tool.ts'
import { tools } from './tools.ts'
import { readWorkspace } from './workspace.ts'

const checks = new Map(tools.map(({ name, input }) => [name, validator(input)]))

export function serveMcp(app: FastifyInstance, asks: Asks): void {
  let handling: Promise<Handle> | undefined
  // Loaded with the first request, so that the service starts sooner.
  const load = async () => (await import('./protocol.ts')).createHandler(toolsOf)

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { role: 'read' },
    handler: async (request, reply) => {
      const principal = request.principal as Principal
      // A person has the page.
      if (principal.way === 'web') throw new ApiError('FORBIDDEN')
      // The protocol asks for this: a page of another site is no client.
      if (request.headers.origin !== undefined && !isOwnPageByAddress(request))
        throw new ApiError('FORBIDDEN')
      request.principal = { ...principal, way: 'agent' }
      if (Array.isArray(request.body)) throw batchFault()
      const { method, headers, body } = request
      handling ??= load()
      const handle = await handling
      const sent = new Request('http://localhost/mcp', { method, headers: asHeaders(headers) })
      const response = await handle(sent, body, { request, reply })
      response.headers.forEach((value, name) => void reply.header(name, value))
      return reply.code(response.status).send(await response.text())
    },
  })

  function toolsOf({ request, reply }: Exchange): Tools {
    const principal = request.principal as Principal
    const may = ({ role, ...route }: Route) =>
      allows(principal.role, role) &&
      scopesOf({ role, ...route }).every((scope) => principal.scopes?.includes(scope) ?? true)
    const call: Call = async (route, asked = {}) => {
      const ask = asks.get(route)
      if (!ask) throw notFound()
      return (await ask(request, reply, asked)) as never
    }
    const visit: Visit = {
      call,
      may,
      workspace: readWorkspace(call),
      requestId: request.id,
      now: new Date(),
    }
    return {
      async list() {
        return tools
          .filter(({ needs }) => needs.some(may))
          .map(({ name, title, description, input, annotations }) => ({
            ...{ name, title, description, annotations },
            inputSchema: input as { type: 'object' },
          }))
      },
      async call(name, args) {
        const found = tools.find((tool) => tool.name === name)
        if (!found) return undefined
        try {
          const [first] = found.needs
          if (!found.needs.some(may) && first)
            await request.requireRights(first.role, scopesOf(first))
          return toResult(await found.run(visit, checks.get(name)?.(args)))
        } catch (error) {
          return toFault(error, request)
        }
      },
    }
  }
}

/** Those that the protocol reads. The key stays here. */
function asHeaders(headers: FastifyRequest['headers']): Headers {
  const kept = Object.entries(headers).filter(
    ([name, value]) => typeof value === 'string' && /^(accept|content-type|mcp-.*)$/.test(name),
  )
  return new Headers(kept as [string, string][])
}

/** One request is one entry of the log, and counts once in the rate limit. */
const batchFault = () =>
  new ApiError('BAD_REQUEST', [{ path: [], code: 'batch', message: 'Send one message at a time' }])

/** A tool that cannot do what it was asked says why. The agent reads it. */
function toFault(error: unknown, { log }: FastifyRequest): CallToolResult {
  const fault = toApiError(error)
  if (fault.status >= 500 && fault !== error) log.error({ err: error }, 'tool failed')
  const { code, message, issues } = errorBody(fault)
  const said = issues
    .slice(0, 10)
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  const again = fault.status === 503 ? ' Try again in a moment.' : ''
  const text = `${message}${again}${said.length > 0 ? `: ${said.join('; ')}` : ''}`
  return {
    isError: true,
    content: [{ type: 'text', text: text.slice(0, 4_000) }],
    structuredContent: { error: { code, message, issues: issues.slice(0, 10) } },
  }
}
