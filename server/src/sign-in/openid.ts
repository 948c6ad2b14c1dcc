// OpenID Connect: the browser goes to the provider, signs in there, and comes back with a code.
import { notFound } from '@rapport/contract/errors'
import type { OpenidError } from '@rapport/contract/sign-in'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as client from 'openid-client'
import { readCookie, setCookie } from '../access/cookie.ts'
import type { OpenidSettings } from '../config.ts'
import type { Pool } from '../db/driver.ts'
import { normalizeEmail } from '../email-address.ts'
import { linkAddress } from '../http/origin.ts'
import { findByEmail, type Person } from './find-by-email.ts'
import { letIn } from './let-in.ts'

interface OpenidOptions {
  db: Pool
  clock: () => Date
  /** Undefined: this way of signing in is not set up. */
  settings: OpenidSettings | undefined
}

const cookie = 'rapport-openid'
/** How long a person may take at the provider. */
const maxAge = 600
/** How long the provider may take, in seconds. */
const timeout = 10

export function serveOpenid(app: FastifyInstance, { db, clock, settings }: OpenidOptions): void {
  let found: Promise<client.Configuration> | undefined

  /**
   * Asks the provider for its addresses, when they are first needed: the provider may be away at the
   * start. Those who come at the same time share one request.
   */
  function provider({ issuer, clientId, clientSecret }: OpenidSettings) {
    // The setting allows this only on the machine itself.
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
    const options = { execute, timeout }
    found ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, options)
      .catch((error) => {
        found = undefined
        throw error
      })
    return found
  }

  app.get('/openid', async (request, reply) => {
    if (!settings) throw notFound()
    const remembered = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    try {
      const address = client.buildAuthorizationUrl(await provider(settings), {
        redirect_uri: returnAddress(request),
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(remembered.verifier),
        code_challenge_method: 'S256',
        state: remembered.state,
        nonce: remembered.nonce,
      })
      // Lax, because the provider sends the browser back here, and the cookie must come with it.
      const value = Object.values(remembered).join('.')
      setCookie(request, reply, cookie, value, { sameSite: 'Lax', maxAge })
      return reply.redirect(address.href)
    } catch (error) {
      return fail(request, reply, 'unavailable', error)
    }
  })

  app.get('/openid/return', async (request, reply) => {
    if (!settings) throw notFound()
    const [state, nonce, verifier] = (readCookie(request, cookie) ?? '').split('.')
    setCookie(request, reply, cookie, '', { sameSite: 'Lax', maxAge: 0 })
    const { state: returned } = request.query as { state?: unknown }
    if (!state || !nonce || !verifier || returned !== state) return fail(request, reply, 'expired')
    try {
      const person = await readPerson(await provider(settings), request, { state, nonce, verifier })
      const now = clock()
      const member = person && (await findByEmail(db, person, settings, now))
      if (!member) return fail(request, reply, 'refused')
      await letIn(db, member, 'openid', { request, reply, now })
      return reply.redirect('/')
    } catch (error) {
      const isRefused = error instanceof client.AuthorizationResponseError
      return fail(request, reply, isRefused ? 'refused' : 'unavailable', error)
    }
  })
}

function returnAddress(request: FastifyRequest): string {
  return `${linkAddress(request)}/session/openid/return`
}

/** Exchanges the code. Undefined when the provider has not verified the email address. */
async function readPerson(
  provider: client.Configuration,
  request: FastifyRequest,
  { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
): Promise<Person | undefined> {
  const query = new URL(request.url, 'http://any').search
  const tokens = await client.authorizationCodeGrant(
    provider,
    new URL(returnAddress(request) + query),
    { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
  )
  const claims = tokens.claims()
  if (!claims) return undefined
  // Many providers put the address only into the answer of their userinfo endpoint.
  const about = claims.email
    ? claims
    : await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
  const { email, email_verified, name } = about
  const normal = typeof email === 'string' ? normalizeEmail(email) : undefined
  if (normal === undefined || email_verified !== true) return undefined
  return { email: normal, name: typeof name === 'string' ? name : undefined }
}

/** The page says the reason. The log has the provider's words, but not the objects with codes in them. */
function fail(
  request: FastifyRequest,
  reply: FastifyReply,
  reason: OpenidError,
  error?: unknown,
): FastifyReply {
  const { message, code } = (error ?? {}) as { message?: string; code?: string }
  request.log.warn({ reason, error: message, code }, 'signing in with OpenID Connect failed')
  return reply.redirect(`/#sign-in-error=${reason}`)
}
