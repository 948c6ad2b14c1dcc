// Handlers for the second step of signing in: a passkey, a code, or a factor that has to be added first.
import { ApiError, badRequest, notFound } from '@rapport/contract/errors'
import type { stepRoutes } from '@rapport/contract/second-factor'
import type { sessionRoutes } from '@rapport/contract/session'
import { type Member, selectMember, selectSpace } from '../access/access.sql.ts'
import { readPendingCookie, setPendingCookie } from '../access/cookie.ts'
import { selectFactorState, selectPasskeys, selectTotp } from '../access/factors.sql.ts'
import { lockedState, takeCode } from '../access/factors.ts'
import { type Guesses, guessOf } from '../access/guesses.ts'
import { hashKey } from '../access/keys.ts'
import {
  type ChallengePurpose,
  type PendingSignIn,
  selectPending,
  takePending,
} from '../access/pending.sql.ts'
import type { SecondFactor } from '../access/sessions.ts'
import { type Db, transaction } from '../db/driver.ts'
import { type Author, authorOf } from '../feed/author.ts'
import { beginSession, handOver } from './complete-step.ts'
import { type FactorOptions, sessionCeremony, unavailable } from './factor-routes.ts'
import { type SessionHandlers, authorOf as sessionAuthor, type Visit } from './handler.ts'
import {
  addApp,
  addPasskey,
  beginApp,
  beginPasskey,
  readPasskey,
  wrongCode,
} from './own-factors.ts'
import { type Ceremony, checkPasskey, requestOptions, wrongPasskey } from './passkeys.ts'
import { findRelyingParty, requireRelyingParty } from './relying-party.ts'

export interface StepOptions extends FactorOptions {
  guesses: Guesses
  slowWrong: (visit: Pick<Visit<never>, 'request'>) => Promise<void>
}

type Browser = Pick<Visit<never>, 'request' | 'reply' | 'now'>

/** A browser that has taken the first step, and who it says to be. */
interface Step {
  hash: string
  pending: PendingSignIn
  member: Member
  author: Author
}

/** For someone who is signed in already, at an open browser that anyone may use. */
export async function requireFactor(
  { db, secrets, guesses, slowWrong }: StepOptions,
  visit: Visit<typeof sessionRoutes.confirm>,
  member: Member,
): Promise<SecondFactor> {
  const { code, credential } = visit.body
  const author = sessionAuthor(visit)
  if (code !== undefined) {
    const second = await guesses.check(guessOf(visit.request, member.email), () =>
      takeCode(db, secrets, author, code),
    )
    if (second) return second
    await slowWrong(visit)
    throw wrongCode()
  }
  if (credential === undefined) {
    const message = 'Use your second factor: a passkey or a code'
    throw badRequest({ path: ['code'], code: 'factor_required', message })
  }
  const ceremony = sessionCeremony(visit, 'confirm')
  if (await checkPasskey(db, ceremony, credential, member)) return 'passkey'
  await slowWrong(visit)
  throw wrongPasskey()
}

export function stepHandlers(options: StepOptions): Pick<SessionHandlers, keyof typeof stepRoutes> {
  const { db, secrets, guesses, slowWrong } = options

  async function requireStep({ request, now }: Browser): Promise<Step> {
    const hash = hashKey(readPendingCookie(request) ?? '')
    const pending = await selectPending(db, hash, now)
    const member = pending && (await selectMember(db, pending.id_space, pending.id_member))
    if (!member) throw new ApiError('UNAUTHORIZED')
    const author = authorOf('web', member.id_space, now, member.id)
    return { hash, pending, member, author }
  }

  function ceremonyOf(
    { request, now }: Browser,
    { hash }: Step,
    purpose: ChallengePurpose,
  ): Ceremony {
    return { rp: requireRelyingParty(request), holder: hash, purpose, now }
  }

  /** Begins the session. Of two requests of one sign-in, one gets it. */
  async function finish(
    tx: Db,
    { hash, pending, member }: Step,
    second: SecondFactor,
    browser: Browser,
  ): Promise<string> {
    if (!(await takePending(tx, hash, browser.now))) throw new ApiError('UNAUTHORIZED')
    return beginSession(tx, member, { ...pending.how, confirmedAt: undefined, second }, browser)
  }

  function signIn(key: string, { member }: Step, browser: Browser): void {
    setPendingCookie(browser.request, browser.reply, '', 0)
    handOver({ next: null, key }, member, browser)
  }

  async function verified(step: Step, second: SecondFactor, browser: Browser): Promise<string> {
    signIn(await transaction(db, (tx) => finish(tx, step, second, browser)), step, browser)
    return 'Signed in'
  }

  /** Adds the first factor. Someone who has one must show it: the first step alone cannot add another. */
  async function enrol(
    step: Step,
    second: SecondFactor,
    browser: Browser,
    add: (tx: Db) => Promise<string[] | null>,
  ) {
    const { key, recovery_codes } = await transaction(db, async (tx) => {
      await requireNoFactor(tx, step)
      const recovery_codes = await add(tx)
      return { recovery_codes, key: await finish(tx, step, second, browser) }
    })
    signIn(key, step, browser)
    return { recovery_codes }
  }

  return {
    async step(visit) {
      const { member } = await requireStep(visit)
      const [state, passkeys, app, space] = await Promise.all([
        selectFactorState(db, member),
        selectPasskeys(db, member),
        selectTotp(db, member),
        selectSpace(db, member.id_space),
      ])
      const rp = findRelyingParty(visit.request)
      return {
        step: state?.hasFactor ? 'verify' : 'enrol',
        email: member.email,
        workspace: space?.name ?? '',
        passkey: typeof rp !== 'string' && passkeys.some(({ rp_id }) => rp_id === rp.id),
        app: app !== undefined,
        ...unavailable(visit.request, secrets),
      }
    },

    async leaveStep(visit) {
      const { hash } = await requireStep(visit)
      await takePending(db, hash, visit.now)
      setPendingCookie(visit.request, visit.reply, '', 0)
      return 'Sign-in canceled'
    },

    async stepWithCode(visit) {
      const step = await requireStep(visit)
      const { member, author } = step
      const second = await guesses.check(guessOf(visit.request, member.email), () =>
        takeCode(db, secrets, author, visit.body.code),
      )
      if (second) return verified(step, second, visit)
      await slowWrong(visit)
      throw wrongCode()
    },

    async beginStepPasskey(visit) {
      const step = await requireStep(visit)
      return requestOptions(db, ceremonyOf(visit, step, 'second_step'), step.member)
    },

    async stepWithPasskey(visit) {
      const step = await requireStep(visit)
      const ceremony = ceremonyOf(visit, step, 'second_step')
      const owner = await checkPasskey(db, ceremony, visit.body.credential, step.member)
      if (owner) return verified(step, 'passkey', visit)
      await slowWrong(visit)
      throw wrongPasskey()
    },

    async beginEnrolPasskey(visit) {
      const step = await requireStep(visit)
      await requireNoFactor(db, step)
      return beginPasskey(db, step.member, ceremonyOf(visit, step, 'add'))
    },

    async enrolPasskey(visit) {
      const step = await requireStep(visit)
      const { author } = step
      const ceremony = ceremonyOf(visit, step, 'add')
      const row = await readPasskey(db, author, ceremony, visit.body, visit.request)
      return enrol(step, 'passkey', visit, (tx) => addPasskey(tx, author, row))
    },

    async beginEnrolApp(visit) {
      const step = await requireStep(visit)
      await requireNoFactor(db, step)
      return beginApp(db, secrets, step.member, visit.now)
    },

    async enrolApp(visit) {
      const step = await requireStep(visit)
      return enrol(step, 'app', visit, (tx) => addApp(tx, secrets, step.author, visit.body))
    },
  }
}

async function requireNoFactor(db: Db, { member }: Step): Promise<void> {
  const { hasFactor } = await lockedState(db, member)
  if (hasFactor) throw notFound()
}
