// OpenID Connect: the browser goes to the provider, signs in there, and comes back with a code.
import { notFound } from '@rapport/contract/errors'
import type { OpenidError } from '@rapport/contract/sign-in'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as client from 'openid-client'
import { readCookie, setCookie } from '../access/cookie.ts'
import type { OpenidSettings } from '../config.ts'
import type { Pool } from '../db/driver.ts'
import { isOwnPage, linkAddress } from '../http/origin.ts'
import { isId } from '../ids.ts'
import { readAccount } from './account.ts'
import { rememberAccount } from './choice.ts'
import { completeStep } from './complete-step.ts'
import { applyRoles, joinPlace, tellRefused } from './join.ts'
import { type Account, findPlaces, surest } from './places.ts'
import { howSignedIn } from './workspaces.ts'

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
    const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
    // The signature of the ID token is checked, not only the connection that it came over.
    const execute = [client.enableNonRepudiationChecks, ...insecure]
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
    const { space = '', again } = request.query as { space?: unknown; again?: unknown }
    // To confirm that it is them, people sign in at the provider even if they are signed in there.
    const isAgain = again !== undefined
    const remembered = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      // The workspace that the person wants to enter: a link on another site must not say which.
      space: isId(space) && isOwnPage(request) ? space.toLowerCase() : '',
      again: isAgain ? 'again' : '',
    }
    try {
      const address = client.buildAuthorizationUrl(await provider(settings), {
        redirect_uri: returnAddress(request),
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(remembered.verifier),
        code_challenge_method: 'S256',
        state: remembered.state,
        nonce: remembered.nonce,
        ...(isAgain && { prompt: 'login', max_age: '0' }),
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
    const [state, nonce, verifier, space, again] = (readCookie(request, cookie) ?? '').split('.')
    setCookie(request, reply, cookie, '', { sameSite: 'Lax', maxAge: 0 })
    const { state: returned } = request.query as { state?: unknown }
    if (!state || !nonce || !verifier || returned !== state) return fail(request, reply, 'expired')
    try {
      const about = await readClaims(await provider(settings), request, settings, {
        ...{ state, nonce, verifier, isAgain: again === 'again' },
      })
      const account = readAccount(about, settings)
      return account
        ? await enter(account, settings, space, request, reply)
        : fail(request, reply, 'refused')
    } catch (error) {
      const isRefused = error instanceof client.AuthorizationResponseError
      return fail(request, reply, isRefused ? 'refused' : 'unavailable', error)
    }
  })

  async function enter(
    account: Account,
    settings: OpenidSettings,
    wanted: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const now = clock()
    const { places, taken } = await findPlaces(db, account, settings)
    await tellRefused(db, taken, account, now)
    await applyRoles(db, places, account, now)
    const open = wanted ? places.filter(({ id_space }) => id_space === wanted) : surest(places)
    if (open.length > 1) {
      rememberAccount(request, reply, account, settings, now)
      return reply.redirect('/#sign-in-choice=workspace')
    }
    const [place] = open
    const member = place && (await joinPlace(db, account, place.id_space, settings, now))
    if (!member) return fail(request, reply, 'refused')
    const next = await completeStep(db, member, howSignedIn(account, now), { request, reply, now })
    return reply.redirect(next ? `/#sign-in-step=${next}` : '/')
  }
}

function returnAddress(request: FastifyRequest): string {
  return `${linkAddress(request)}/session/openid/return`
}

/** Exchanges the code for what the provider says about the person. */
async function readClaims(
  provider: client.Configuration,
  request: FastifyRequest,
  { groupRoles, groupsClaim }: OpenidSettings,
  {
    state,
    nonce,
    verifier,
    isAgain,
  }: { state: string; nonce: string; verifier: string; isAgain: boolean },
): Promise<Record<string, unknown>> {
  const query = new URL(request.url, 'http://any').search
  const tokens = await client.authorizationCodeGrant(
    provider,
    new URL(returnAddress(request) + query),
    {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      // The provider says when it asked the person. A provider that did not ask again is refused.
      ...(isAgain && { maxAge }),
    },
  )
  const claims = tokens.claims() as client.IDToken
  // Many providers put the rest only into the response of their userinfo endpoint.
  const isComplete = claims.email && (groupRoles.size === 0 || claims[groupsClaim] !== undefined)
  if (isComplete) return claims
  const about = await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
  const groups = claims[groupsClaim] ?? about[groupsClaim]
  return { ...(claims.email ? claims : about), [groupsClaim]: groups }
}

/** The page shows the reason. The log has the provider's message, but not the objects that contain codes. */
function fail(
  request: FastifyRequest,
  reply: FastifyReply,
  reason: OpenidError,
  error?: unknown,
): FastifyReply {
  const { message, code } = (error ?? {}) as { message?: string; code?: string }
  request.log.warn({ reason, error: message, code }, 'OpenID Connect sign-in failed')
  return reply.redirect(`/#sign-in-error=${reason}`)
}
