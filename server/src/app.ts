// Builds the HTTP service: limits, hooks, health checks, reference page, web page and the routes of all
// resources. The command `serve` and every test start it from here.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { contract } from '@rapport/contract'
import { errorBody, notFound, requestFault } from '@rapport/contract/errors'
import { restoreRoute } from '@rapport/contract/system'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { requireKeys } from './access/auth.ts'
import { createKeyring, type Principal } from './access/keyring.ts'
import { type PasswordCost, passwordCost as standardCost } from './access/passwords.ts'
import { limitRate } from './access/rate-limit.ts'
import { calendar, serveCalendar } from './calendar/calendar.route.ts'
import type { Config } from './config.ts'
import { createCanceler } from './db/cancel.ts'
import { isCanceled, isReadOnly, type Pool } from './db/driver.ts'
import { createLeaving } from './db/leave-server.ts'
import { openSecondPool } from './db/lock-limit.ts'
import { logSlowStatements } from './db/slow-statements.ts'
import { demo } from './demo/demo.route.ts'
import { selectOwnIds } from './examples.sql.ts'
import { type Feed, startFeed } from './feed/feed.ts'
import { createAttempts } from './http/attempts.ts'
import { createBackground } from './http/background.ts'
import { acceptJson, acceptUploads, limitBodyTime, maxBodyBytes } from './http/body.ts'
import { serveDocs, serveDocument } from './http/docs.ts'
import { toApiError } from './http/errors.ts'
import type { Resource } from './http/handler.ts'
import { serveHealth } from './http/health.ts'
import { headerFault, maxHeaderBytes, type TimeLimits, timeLimits } from './http/limits.ts'
import { loggerOptions, logRequests } from './http/log.ts'
import { createDeliveryCounts, createRequestCounts, serveMetrics } from './http/metrics.ts'
import { openapi } from './http/openapi.ts'
import { setPlace } from './http/origin.ts'
import {
  bulkConnections,
  createLoad,
  refuseOverload,
  signInConnections,
  signInPath,
  transferConnections,
} from './http/overload.ts'
import { serveWeb, wantsPage } from './http/web.ts'
import { createMailDelivery } from './mail/deliver.ts'
import { createMail, type Mail, queueId } from './mail/mail.ts'
import type { Asks } from './mcp/ask.ts'
import { serveMcp } from './mcp/serve.ts'
import { type Resolve, resolveName } from './outgoing/addresses.ts'
import { createDispatcher, type Dispatcher } from './outgoing/dispatcher.ts'
import { createOutgoing } from './outgoing/post.ts'
import { addEndpoint } from './request.ts'
import { resources as recordResources } from './resources/index.ts'
import { serveUnsubscribe } from './resources/notifications/unsubscribe.ts'
import { createDelivery } from './resources/webhooks/deliver.ts'
import type { Secrets } from './secrets.ts'
import { serveSignIn } from './sign-in/sign-in.ts'
import { storedMetrics } from './stored-metrics.ts'
import type { SystemConfig } from './system/checks.ts'
import { serveRestore } from './system/restore.route.ts'
import { systemOf } from './system/system.route.ts'
import { version } from './version.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** For changes that no request makes: call `feed.wake` after their commit. */
    feed: Feed
    /** Sends webhooks and mail once it is started. */
    dispatcher: Dispatcher
    /** Undefined: the service sends no mail. */
    mail: Mail | undefined
  }
}

export interface AppOptions {
  db: Pool
  config: Pick<
    Config,
    | 'host'
    | 'publicUrl'
    | 'sessionMs'
    | 'logLevel'
    | 'rateLimit'
    | 'maxRequests'
    | 'trustProxy'
    | 'webhookAllow'
    | 'mail'
    | 'undoKeepMs'
    | 'deletedKeepMs'
    | 'openid'
    | 'timeouts'
    | 'metricsToken'
    | 'backupEvery'
    | 'backupDir'
    | 'backupKey'
    | 'slowStatementMs'
  > &
    SystemConfig
  clock?: () => Date
  /** Delays the response to a wrong key or password. Tests replace it. */
  sleep?: (ms: number) => Promise<unknown>
  limits?: TimeLimits
  /** The cost of hashing a password. Tests use less; no setting changes it. */
  passwordCost?: PasswordCost | undefined
  /** A key that is valid without being in the database. */
  fixedKey?: { key: string; principal: Principal }
  /** Undefined: there is no key to encrypt secrets with. */
  secrets?: Secrets | undefined
  /** Looks up the names of servers that webhooks go to. */
  resolve?: Resolve
  resources?: Resource[]
}

export function buildApp({
  db,
  config,
  clock = () => new Date(),
  sleep,
  limits = timeLimits,
  passwordCost = standardCost,
  fixedKey,
  secrets,
  resolve = resolveName,
  resources: given,
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
    // limitBodyTime does this instead, because uploads are streamed and may take long.
    requestTimeout: 0,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node would refuse a request without Host, but with an empty body. headerFault refuses it with
      // the error body.
      requireHostHeader: false,
    },
    trustProxy: config.trustProxy.length > 0 && config.trustProxy,
    keepAliveTimeout: 72_000,
    // During a shutdown, requests on open connections are finished, not refused.
    return503OnClosing: false,
    // Errors before a route is found get the same error body as all others.
    frameworkErrors: (error, request, reply) => sendError(error, request, reply as FastifyReply),
    clientErrorHandler: (error, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
      const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[error.code] ?? 400
      const body = JSON.stringify(errorBody(requestFault('malformed', 'Malformed request', status)))
      socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  })

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    reply.header('X-Content-Type-Options', 'nosniff')
    // Responses hold private data, so no proxy may cache them.
    reply.header('Cache-Control', 'no-store')
    done(headerFault(request.raw))
  })
  acceptUnknownExpect(app)
  limitBodyTime(app, limits.bodyMs)
  const requests = createRequestCounts()
  const { ignoredProxy } = logRequests(app, requests.count)
  const resources = given ?? [...recordResources, calendar, demo, systemOf(config, ignoredProxy)]
  logSlowStatements(db, config.slowStatementMs, app.log)
  const leaveServer = createLeaving(db)
  app.setErrorHandler((error, request, reply) => {
    if (isReadOnly(error)) leaveServer()
    sendError(error, request, reply)
  })
  const sendPage = serveWeb(app)
  app.setNotFoundHandler((request, reply) => {
    if (wantsPage(request)) return sendPage(request, reply)
    throw notFound()
  })

  const { host, publicUrl, trustProxy } = config
  setPlace(app, { host, publicUrl, isProxied: trustProxy.length > 0 })
  closeIdleWhileStopping(app)
  const { max } = db.options
  const { timeouts } = config
  const bulkDb = openSecondPool(db, bulkConnections(max), timeouts.bulk)
  const transferDb = openSecondPool(db, transferConnections(max), timeouts.transfer)
  // Key lookups get their own connection. A request with a wrong key must not wait behind other work.
  const keysDb = openSecondPool(db, 1, timeouts.ordinary)
  const signInDb = openSecondPool(db, signInConnections, timeouts.ordinary)
  const canceler = createCanceler(db, app.log)
  const background = createBackground()
  const feed = startFeed(db, app.log, timeouts.background)
  app.decorate('feed', feed)
  const outgoing = createOutgoing(config.webhookAllow, resolve, limits.attemptMs)
  const deliveries = createDeliveryCounts()
  const mail = config.mail && secrets && createMail(config.mail, secrets)
  app.decorate('mail', mail)
  const deliver = createDelivery({ outgoing, secrets, clock, onAttempt: deliveries.count })
  const sendMail = createMailDelivery({
    ...{ settings: config.mail, secrets, clock, onMail: deliveries.countMail },
  })
  const dispatcher = createDispatcher({
    ...{ db, clock, feed, log: app.log, statementMs: timeouts.background },
    perform: (db, job, turn) =>
      (job.id === queueId(job.id_space) ? sendMail : deliver)(db, job, turn),
  })
  app.decorate('dispatcher', dispatcher)
  // Before the server closes: it waits for the requests that wait for events.
  app.addHook('preClose', async () => feed.hub.close())
  app.addHook('onClose', async () => {
    await background.end()
    await dispatcher.stop()
    await feed.stop()
    await canceler.stop()
    const pools = [bulkDb, transferDb, keysDb, signInDb]
    await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })))
  })
  const { maxRequests } = config
  const load = createLoad({ maxRequests, connections: db.options.max })
  const { eventLoop } = serveHealth(app, db)
  const token = config.metricsToken
  const stored = storedMetrics(db, clock, config)
  serveMetrics(app, { token, requests, deliveries, eventLoop, load, stored })
  serveDocs(app)
  const asks: Asks = new Map()
  app.register(async (guarded) => {
    refuseOverload(guarded, maxRequests)
    const attempts = createAttempts({ clock, sleep, maxWaiting: maxRequests / 10 })
    requireKeys(
      guarded,
      createKeyring(keysDb, clock, { fixed: fixedKey, sessionMs: config.sessionMs }),
      attempts,
      clock,
    )
    if (config.rateLimit > 0) limitRate(guarded, config.rateLimit, clock)
    serveDocument(
      guarded,
      () => openapi(contract, version),
      ({ principal }) => {
        const { space, key } = principal as Principal
        return load.run({}, { space, key: key ?? '' }, () => selectOwnIds(db, space, key))
      },
    )
    serveCalendar(guarded, { db: signInDb, clock, attempts })
    guarded.register(async (mails) => {
      serveUnsubscribe(mails, { db: signInDb, secrets, attempts })
    })
    guarded.register(
      async (session) => {
        acceptJson(session)
        serveSignIn(session, {
          ...{ db: signInDb, clock, attempts, background, sleep, passwordCost, secrets, mail },
          openid: config.openid,
        })
        acceptUploads(session, restoreRoute.accepts)
        serveRestore(session, { db, clock, key: config.backupKey })
      },
      { prefix: signInPath },
    )
    guarded.register(
      async (rest) => {
        acceptJson(rest)
        const routes = resources.flatMap(({ endpoints }) => endpoints.map(({ route }) => route))
        acceptUploads(rest, [...new Set(routes.flatMap(({ accepts }) => accepts ?? []))])
        const openidOnly = config.openid?.only ?? false
        const { undoKeepMs, deletedKeepMs } = config
        const settings = { undoKeepMs, deletedKeepMs, openidOnly, secrets, outgoing, mail }
        const pools = { db, bulkDb, transferDb, canceler }
        const dependencies = { ...pools, clock, load, feed, settings, background, limits }
        for (const endpoint of resources.flatMap(({ endpoints }) => endpoints)) {
          asks.set(endpoint.route, addEndpoint(rest, endpoint, dependencies))
        }
      },
      { prefix: '/rest' },
    )
    guarded.register(async (mcp) => {
      acceptJson(mcp)
      serveMcp(mcp, asks)
    })
  })
  return app
}

const tooLong = 'canceled a statement that exceeded the STATEMENT_TIMEOUT for its kind'

/** The client closed the connection while it was sending its body. */
const hasLeft = (error: unknown) => (error as { code?: string } | null)?.code === 'ECONNRESET'

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // Read the rest of the body: many clients read the response only after they have sent everything.
  request.raw.resume()
  // Fastify closes the connection after a body that is too large. A client that is still sending would
  // see the closed connection instead of the response.
  if (reply.hasHeader('connection')) reply.removeHeader('connection')
  const answer = toApiError(error)
  // Our own errors (503 under overload) are already in the log line of the request. Under a flood of
  // requests the log must not grow further.
  if (isCanceled(error)) {
    // Canceling the statement of a client that has disconnected is expected, so it is not logged.
    if (!request.raw.socket.destroyed) request.log.warn(tooLong)
  } else if (answer.status >= 500 && answer !== error && !hasLeft(error)) {
    request.log.error({ err: error }, 'request failed')
  }
  if (answer.status === 503) reply.header('Retry-After', 1)
  void reply.code(answer.status).send(errorBody(answer))
}

/**
 * Treats a request with an unknown Expect header like any other. Node would refuse it with an empty
 * body.
 */
function acceptUnknownExpect(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
}

/**
 * Otherwise a connection that becomes idle during shutdown would delay it until its keep-alive ends.
 * Node does not count a connection as idle before its first request. Browsers open some in advance.
 */
function closeIdleWhileStopping(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
    }, 50)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}

/** Uses the caller's request id if it has a safe form, so that the logs of both can be joined. */
function requestId(request: { headers: FastifyRequest['headers'] }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}
