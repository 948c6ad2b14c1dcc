// The HTTP service, as main starts it and as every test starts it.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { createKeyring, type Principal } from './access/keyring.ts'
import type { Config } from './config.ts'
import { connectBeside, type Pool } from './db/connect.ts'
import { createAttempts } from './http/attempts.ts'
import { requireKeys } from './http/auth.ts'
import {
  acceptJson,
  acceptUploads,
  limitBodyTime,
  maxBodyBytes,
  readUpload,
  unstorable,
} from './http/body.ts'
import { serveDocs } from './http/docs.ts'
import { badRequest, errorBody, notFound, requestFault, toApiError } from './http/errors.ts'
import { serveHealth } from './http/health.ts'
import { headerFault, maxHeaderBytes, type TimeLimits, timeLimits } from './http/limits.ts'
import { loggerOptions, logRequests } from './http/log.ts'
import { openapi } from './http/openapi.ts'
import { bulkConnections, createLoad, type Load, refuseOverload } from './http/overload.ts'
import { limitRate } from './http/rateLimit.ts'
import { type Call, Download, Json, type Resource } from './http/route.ts'
import { validator } from './http/validate.ts'
import { isId } from './ids.ts'
import { resources as allResources } from './resources/index.ts'
import { version } from './version.ts'

export interface AppOptions {
  db: Pool
  config: Pick<Config, 'logLevel' | 'rateLimit' | 'maxRequests' | 'trustProxy'>
  clock?: () => Date
  /** How the answer to a wrong key is held back. */
  sleep?: (ms: number) => Promise<unknown>
  limits?: TimeLimits
  /** A key that is valid without being in the database. */
  fixedKey?: { key: string; principal: Principal }
  resources?: Resource[]
}

export function buildApp({
  db,
  config,
  clock = () => new Date(),
  sleep,
  limits = timeLimits,
  fixedKey,
  resources = allResources,
}: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: loggerOptions(config.logLevel) ?? false,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    genReqId: requestId,
    bodyLimit: maxBodyBytes,
    exposeHeadRoutes: false,
    // limitBodyTime does it instead: some bodies are large, and read as they come.
    requestTimeout: 0,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node's own answer to a request without Host has no body: headerFault gives it ours.
      requireHostHeader: false,
    },
    trustProxy: config.trustProxy.length > 0 && config.trustProxy,
    keepAliveTimeout: 72_000,
    // Requests on open connections are finished while shutting down, not refused.
    return503OnClosing: false,
    // Errors before any route is found have the same body as all others.
    frameworkErrors: (error, request, reply) => sendError(error, request, reply as FastifyReply),
    clientErrorHandler: (error, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
      const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[error.code] ?? 400
      const body = JSON.stringify(
        errorBody(requestFault('malformed', 'The request cannot be read', status)),
      )
      socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  })

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    reply.header('X-Content-Type-Options', 'nosniff')
    // Answers are somebody's data: nobody between keeps them.
    reply.header('Cache-Control', 'no-store')
    done(headerFault(request.raw))
  })
  answerExpectations(app)
  limitBodyTime(app, limits.bodyMs)
  logRequests(app)
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(() => {
    throw notFound()
  })

  closeIdleWhileStopping(app)
  const bulkDb = connectBeside(db, bulkConnections(db.options.max))
  // Who calls is asked beside all work: a request that is to be refused must not wait for it.
  const keysDb = connectBeside(db)
  app.addHook('onClose', async () => {
    await Promise.all([bulkDb.end({ timeout: 5 }), keysDb.end({ timeout: 5 })])
  })
  serveHealth(app, db)
  serveDocs(app, openapi(resources, version))
  app.register(
    async (rest) => {
      acceptJson(rest)
      const routes = resources.flatMap(({ endpoints }) => endpoints.map(({ route }) => route))
      acceptUploads(rest, [...new Set(routes.flatMap(({ accepts }) => accepts ?? []))])
      const { maxRequests } = config
      const load = createLoad({ maxRequests, connections: db.options.max })
      refuseOverload(rest, maxRequests)
      const attempts = createAttempts({ clock, sleep, maxWaiting: maxRequests / 10 })
      requireKeys(rest, createKeyring(keysDb, clock, fixedKey), attempts)
      if (config.rateLimit > 0) limitRate(rest, config.rateLimit, clock)
      for (const resource of resources)
        addResource(rest, resource, { db, bulkDb, clock, load, limits })
    },
    { prefix: '/rest' },
  )
  return app
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // What is left of a body that was being read: the client reads the answer when it has sent it.
  request.raw.resume()
  // Fastify would close the connection on a body that is too large, and a client that still sends
  // would see that instead of the answer.
  if (reply.hasHeader('connection')) reply.removeHeader('connection')
  const answer = toApiError(error)
  // What the service refuses by itself is in the line of the request; a flood must not write more.
  if (answer.status >= 500 && answer !== error) {
    request.log.error({ err: error }, 'request failed')
  }
  if (answer.status === 503) reply.header('Retry-After', 1)
  void reply.code(answer.status).send(errorBody(answer))
}

/**
 * Nobody has to know every expectation: a request with an unknown one is answered like any other, not
 * refused by Node without a body.
 */
function answerExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
}

/** A kept-alive connection that falls idle after the stop began would hold it up for its whole life. */
function closeIdleWhileStopping(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => app.server.closeIdleConnections(), 50)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}

const json = 'application/json; charset=utf-8'

interface Surroundings {
  db: Pool
  bulkDb: Pool
  clock: () => Date
  load: Load
  limits: TimeLimits
}

function addResource(
  app: FastifyInstance,
  { endpoints }: Resource,
  { db, bulkDb, clock, load, limits }: Surroundings,
): void {
  for (const { route, handle } of endpoints) {
    const checkBody = route.body && validator(route.body)
    const checkQuery = route.query && validator(route.query)
    app.route({
      method: route.method,
      url: route.path.replace('{id}', ':id'),
      config: { role: route.role, ...(route.accepts && { accepts: route.accepts }) },
      schema: { response: { 200: route.reply } },
      handler: async (request, reply) => {
        const { id = '' } = request.params as { id?: string }
        if (route.path.includes('{id}') && !isId(id)) throw notFound()
        const upload = route.accepts && readUpload(request, route.accepts)
        const body = request.body === undefined ? {} : request.body
        checkBody?.(body, request.bodyBytes)
        checkQuery?.(request.query, 0)
        const faults = checkQuery ? unstorable(request.query) : []
        if (faults.length > 0) throw badRequest(faults)
        const { space, user, role } = request.principal as Principal
        const call: Call = {
          space,
          user,
          role,
          id: id.toLowerCase(),
          body: body as never,
          upload: upload as never,
          query: request.query as never,
          now: clock(),
          log: request.log,
          inTurn: (work) => load.inTurn(space, work),
        }
        const takesLong = route.bulk || route.accepts
        const answer = await load.run(route, space, () => handle(takesLong ? bulkDb : db, call))
        if (answer instanceof Json || answer instanceof Download) {
          if (answer instanceof Json) reply.type(json)
          else {
            reply.header('Content-Disposition', `attachment; filename="${answer.name}"`)
            reply.type(`${answer.type}; charset=utf-8`)
          }
          const { content } = answer
          if (typeof content === 'string' || Buffer.isBuffer(content)) return reply.send(content)
          // A reader who takes nothing for long of what is there is gone, or wants to keep our memory.
          reply.raw.setTimeout(limits.readerMs, () => {
            if (reply.raw.writableLength > 0) reply.raw.destroy()
            else reply.raw.socket?.setTimeout(limits.readerMs)
          })
          return reply.send(load.stream(request.raw.socket, space, content))
        }
        // Fastify sends a bare string as text; here it is a JSON string.
        return typeof answer === 'string' ? reply.type(json).send(JSON.stringify(answer)) : answer
      },
    })
  }
}

/** The caller's own id for a request is kept when it is harmless, so that logs can be joined. */
function requestId(request: { headers: FastifyRequest['headers'] }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}
