// Signing in and out, and the sessions of a member.
import { ApiError, badRequest, type Issue, notFound } from '@rapport/contract/errors'
import { sessionRoutes } from '@rapport/contract/session'
import type { FastifyInstance } from 'fastify'
import { type Member, selectMember, selectSpace } from '../access/access.sql.ts'
import { reportWrongKeys } from '../access/auth.ts'
import { clearSessionCookie } from '../access/cookie.ts'
import { hasPasskeys, selectFactorState } from '../access/factors.sql.ts'
import { createGuesses, guessOf } from '../access/guesses.ts'
import { hashKey } from '../access/keys.ts'
import { selectLink } from '../access/links.sql.ts'
import { hasPasswords, selectPassword } from '../access/passwords.sql.ts'
import { isPassword, type PasswordCost, requireGoodPassword } from '../access/passwords.ts'
import { selectSessions } from '../access/sessions.sql.ts'
import { confirmSession, endSession, ownerOf } from '../access/sessions.ts'
import type { OpenidSettings } from '../config.ts'
import { type Pool, transaction } from '../db/driver.ts'
import { normalizeEmail } from '../email-address.ts'
import type { Author } from '../feed/author.ts'
import type { Attempts } from '../http/attempts.ts'
import type { Background } from '../http/background.ts'
import type { Mail } from '../mail/mail.ts'
import type { Secrets } from '../secrets.ts'
import { changePassword } from './change-password.ts'
import { completeStep } from './complete-step.ts'
import { factorHandlers } from './factor-routes.ts'
import { findByPassword } from './find-by-password.ts'
import {
  addSessionRoute,
  authorOf,
  refuseOtherSites,
  type SessionHandlers,
  type Visit,
} from './handler.ts'
import { openLink } from './open-link.ts'
import { serveOpenid } from './openid.ts'
import { passkeyHandlers } from './passkey-sign-in.ts'
import { profileHandlers } from './profile.ts'
import { findRelyingParty } from './relying-party.ts'
import { requestLink } from './request-link.ts'
import { requireFactor, stepHandlers } from './second-step.ts'
import { workspaceHandlers } from './workspaces.ts'

export interface SignInOptions {
  db: Pool
  clock: () => Date
  /** Slows wrong keys, links and passwords from one address. */
  attempts: Attempts
  background: Background
  sleep?: ((ms: number) => Promise<unknown>) | undefined
  openid: OpenidSettings | undefined
  passwordCost: PasswordCost
  /** Undefined: there is no key to encrypt secrets with. */
  secrets: Secrets | undefined
  /** Undefined: the service sends no mail. */
  mail: Mail | undefined
}

export function serveSignIn(
  app: FastifyInstance,
  { db, clock, attempts, background, sleep, openid, passwordCost, secrets, mail }: SignInOptions,
): void {
  refuseOtherSites(app)
  serveOpenid(app, { db, clock, settings: openid })
  const guesses = createGuesses({ db, clock, background, sleep })

  async function slowWrong({ request }: Pick<Visit<never>, 'request'>): Promise<void> {
    const wrong = await attempts.failed(request.ip)
    if (wrong) reportWrongKeys(request, wrong)
  }

  async function requireLink(visit: Visit<typeof sessionRoutes.lookAtLink>) {
    const link = await selectLink(db, hashKey(visit.body.token), visit.now)
    const member = link && (await selectMember(db, link.id_space, link.id_member))
    const isOpen = !openid?.only || (link?.purpose === 'sign_in' && member?.role === 'owner')
    if (link && member && isOpen) return { link, member }
    await slowWrong(visit)
    throw notFound()
  }

  function requirePasswords(): void {
    if (!openid?.only) return
    const message = 'Passwords are disabled (OIDC_ONLY). Sign in with the provider.'
    throw new ApiError('FORBIDDEN', [{ path: [], code: 'openid_only', message }])
  }

  async function requireMember(author: Author): Promise<Member> {
    const member = await selectMember(db, author.space, ownerOf(author).id)
    if (!member) throw notFound()
    return member
  }

  /** Someone at an open browser must not be able to guess the password without a limit. */
  async function requirePassword(
    { request }: Pick<Visit<never>, 'request'>,
    { email }: Member,
    stored: string,
    password: string,
    path: Issue['path'],
  ): Promise<void> {
    const isRight = await guesses.check(
      guessOf(request, email),
      async () => (await isPassword(password, stored)) || undefined,
    )
    if (isRight) return
    throw badRequest({ path, code: 'wrong', message: 'Current password is incorrect' })
  }

  async function requireOwnPassword(
    visit: Visit<typeof sessionRoutes.confirm>,
    member: Member,
  ): Promise<'password'> {
    requirePasswords()
    const { password = '' } = visit.body
    const stored = await selectPassword(db, member)
    if (!stored) {
      const message = 'You have no password. Sign in again instead.'
      throw badRequest({ path: ['password'], code: 'no_password', message })
    }
    await requirePassword(visit, member, stored, password, ['password'])
    return 'password'
  }

  const factors = { db, secrets, guesses, slowWrong }
  const handlers: SessionHandlers = {
    async ways({ request }) {
      const provider = openid && { name: new URL(openid.issuer).host, only: openid.only }
      const rp = findRelyingParty(request)
      return {
        password: !openid?.only && (await hasPasswords(db)),
        openid: provider ?? null,
        passkey: !openid?.only && typeof rp !== 'string' && (await hasPasskeys(db, rp.id)),
        mail: mail !== undefined && !openid?.only,
      }
    },

    ...passkeyHandlers(factors, openid?.only ?? false),
    ...stepHandlers(factors),
    ...factorHandlers(factors),

    async signInWithPassword(visit) {
      requirePasswords()
      const { password, id_space } = visit.body
      // What is no address is nobody's, and gets the same response as a wrong password.
      const email = normalizeEmail(visit.body.email) ?? ''
      const found = await guesses.check(
        guessOf(visit.request, email),
        () => findByPassword(db, email, password, id_space, passwordCost),
        ({ isForAll }) => isForAll,
      )
      if (!found) {
        await slowWrong(visit)
        throw new ApiError('UNAUTHORIZED')
      }
      const { members } = found
      const proof = { way: 'password', at: visit.now.toISOString(), members } as const
      const next = await completeStep(db, found.member, { way: 'password', proof }, visit)
      return { ...found.member, workspaces: found.workspaces, next }
    },

    async lookAtLink(visit) {
      const { link, member } = await requireLink(visit)
      const space = await selectSpace(db, link.id_space)
      const { purpose, expires_at } = link
      const { name, email } = member
      return { purpose, name, email, workspace: space?.name ?? '', expires_at }
    },

    async signInWithLink(visit) {
      const { link, member } = await requireLink(visit)
      const next = await openLink(db, link, member, visit, passwordCost)
      const { id_space, id } = member
      const space = await selectSpace(db, id_space)
      return { id_space, id, workspaces: space ? [space] : [], next }
    },

    async requestLink(visit) {
      requirePasswords()
      return requestLink({ db, mail, background }, visit)
    },

    async confirm(visit) {
      const author = authorOf(visit)
      const member = await requireMember(author)
      const way = (await selectFactorState(db, member))?.hasFactor
        ? await requireFactor(factors, visit, member)
        : await requireOwnPassword(visit, member)
      await transaction(db, (tx) => confirmSession(tx, author, way))
      return 'Confirmed'
    },

    ...workspaceHandlers(db, openid),
    ...profileHandlers(db),

    async signOut({ request, reply, now }) {
      const author = authorOf({ request, now })
      clearSessionCookie(request, reply)
      await endSession(db, author, author.actor.key ?? '')
      return 'Signed out'
    },

    async list({ request, now }) {
      const author = authorOf({ request, now })
      const sessions = await selectSessions(db, ownerOf(author), now)
      return sessions.map((one) => ({ ...one, is_current: one.id === author.actor.key }))
    },

    async end({ request, id, now }) {
      await endSession(db, authorOf({ request, now }), id)
      return 'Session ended'
    },

    async changePassword(visit) {
      requirePasswords()
      const { current = '', password } = visit.body
      const author = authorOf(visit)
      const member = await requireMember(author)
      requireGoodPassword(password, member.email)
      const stored = await selectPassword(db, member)
      if (stored) await requirePassword(visit, member, stored, current, ['current'])
      const ended = await changePassword(db, author, password, passwordCost)
      return ended === 0
        ? 'Password changed'
        : `Password changed. ${ended} other ${ended === 1 ? 'session' : 'sessions'} ended`
    },
  }

  for (const name of Object.keys(sessionRoutes) as (keyof typeof sessionRoutes)[]) {
    // Each handler belongs to the route of the same name, which the type of `handlers` says.
    addSessionRoute(app, sessionRoutes[name], clock, handlers[name] as never)
  }
}
