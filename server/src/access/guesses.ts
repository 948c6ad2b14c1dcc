// Passwords and codes can be guessed, unlike keys, from many addresses and many at once. So each account and
// each client has a budget of wrong ones for the hour and for the day. After some of them an account also
// takes one attempt at a time, each after a pause that grows. An address that no member has is treated the
// same, but has no row of its own: what is invented must not fill the database.
import { createHmac, hash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@rapport/contract/errors'
import type { FastifyRequest } from 'fastify'
import { type Pool, transaction } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import type { Background } from '../http/background.ts'
import { networkOf } from '../http/network.ts'
import { type Member, selectMembersByEmail } from './access.sql.ts'
import {
  type Budget,
  dayMs,
  hourMs,
  lockUntold,
  markTold,
  returnGuesses,
  selectBudgets,
  storeRefusal,
  takeGuess,
} from './guesses.sql.ts'

const accountBudget: Budget = { hour: 100, day: 500 }
/** Many people may share an address. */
const clientBudget: Budget = { hour: 300, day: 1_500 }

/** Wrong ones within the hour without a pause, so that a person who mistypes does not notice. */
const freeAttempts = 10
const firstMs = 250
const longestMs = 5_000
/** How many attempts wait at a time. More are refused unchecked. */
const maxWaiting = 3

/** Rows for addresses that no member has, and for clients. Those that share one share its budget. */
const nobodies = 16_384
const clients = 65_536

export interface Guess {
  /** The normalized email address. Empty if it is invalid. */
  email: string
  /** Where the guess comes from. */
  client: string
  log: Parameters<Background['run']>[0]
}

export function guessOf({ ip, log }: FastifyRequest, email: string): Guess {
  return { email, client: ip, log }
}

export interface Guesses {
  /**
   * Runs the check when it is its turn, if a guess is left. The check returns undefined for a wrong guess. A
   * right one costs nothing, unless `isWhole` says that it was wrong for another member of the same address.
   */
  check<T>(
    guess: Guess,
    check: () => Promise<T | undefined>,
    isWhole?: (found: T) => boolean,
  ): Promise<T | undefined>
}

export interface GuessOptions {
  db: Pool
  clock: () => Date
  background: Background
  sleep?: ((ms: number) => Promise<unknown>) | undefined
}

export function createGuesses({ db, clock, background, sleep = delay }: GuessOptions): Guesses {
  /** Nobody can tell which addresses share a row, so nobody learns from it which are invented. */
  const secret = randomBytes(32)
  const turns = new Map<string, { waiting: number; last: Promise<unknown> }>()

  const nobody = (email: string) =>
    `nobody:${createHmac('sha256', secret).update(email).digest().readUInt32BE() % nobodies}`

  async function inTurn<T>(account: string, used: number, work: () => Promise<T>): Promise<T> {
    const line = turns.get(account) ?? { waiting: 0, last: Promise.resolve() }
    if (line.waiting >= maxWaiting) throw new ApiError('TOO_MANY_REQUESTS')
    turns.set(account, line)
    line.waiting++
    const turn = line.last.then(async () => {
      await sleep(Math.min(longestMs, firstMs * 2 ** (used - freeAttempts - 1)))
      return work()
    })
    line.last = turn.catch(() => {})
    return turn.finally(() => {
      if (--line.waiting === 0) turns.delete(account)
    })
  }

  /** After the response, so that its time does not say whether a member has the address. */
  function tell(members: Member[], { client, log }: Guess, now: Date): void {
    background.run(log, async () => {
      for (const member of members) {
        await settleRefusals(db, member.id_space, new Date(now.getTime() - hourMs))
        await storeRefusal(db, member, client, now)
      }
    })
  }

  return {
    async check(guess, check, isWhole = () => true) {
      const now = clock()
      const members = await selectMembersByEmail(db, guess.email)
      const account = members.length > 0 ? accountOf(guess.email) : nobody(guess.email)
      const client = clientOf(guess.client)
      if ((await takeGuess(db, client, clientBudget, now)) === undefined) {
        throw new ApiError('TOO_MANY_REQUESTS')
      }
      const used = await takeGuess(db, account, accountBudget, now)
      if (used === undefined) {
        await returnGuesses(db, [client])
        throw new ApiError('TOO_MANY_REQUESTS')
      }
      try {
        const found = used <= freeAttempts ? await check() : await inTurn(account, used, check)
        if (found === undefined) tell(members, guess, now)
        else if (isWhole(found)) await returnGuesses(db, [account, client])
        if (found === undefined && used === freeAttempts) {
          guess.log.warn(
            { address: guess.client },
            'slowing attempts for one account after wrong passwords',
          )
        }
        return found
      } catch (error) {
        await returnGuesses(db, [account, client])
        throw error
      }
    },
  }
}

/** For other things than guesses of which somebody may do only so many. */
export async function requireBudget(
  db: Pool,
  subject: string,
  budget: Budget,
  now: Date,
): Promise<void> {
  const used = await takeGuess(db, subject, budget, now)
  if (used === undefined) throw new ApiError('TOO_MANY_REQUESTS')
}

export const accountOf = (email: string) => `account:${hash('sha256', email)}`

export const clientOf = (address: string) =>
  `client:${Number.parseInt(hash('sha256', networkOf(address)).slice(0, 8), 16) % clients}`

/** Writes what was refused into the audit log, a burst as one entry. `before`: only what is older. */
export async function settleRefusals(db: Pool, space: string, before?: Date): Promise<void> {
  await transaction(db, async (tx) => {
    const refused = (await lockUntold(tx, space)).filter(
      ({ last_at }) => !before || Date.parse(last_at) < before.getTime(),
    )
    for (const { id_member, email, untold, since, last_at, addresses } of refused) {
      const by = authorOf('web', space, new Date(last_at))
      const about = { id_member, email, count: untold, since, addresses }
      await audit(tx, by, 'password.refused', about)
    }
    if (refused.length > 0) {
      await markTold(
        tx,
        space,
        refused.map(({ id_member }) => id_member),
      )
    }
  })
}

/** Until when no password is taken for these addresses; those that are free are not in the response. */
export async function lockedUntil(
  db: Pool,
  emails: string[],
  now: Date,
): Promise<Map<string, string>> {
  const used = new Map(
    (await selectBudgets(db, emails.map(accountOf))).map((row) => [row.subject, row]),
  )
  const locked = new Map<string, string>()
  for (const email of emails) {
    const row = used.get(accountOf(email))
    if (!row) continue
    const ends = [
      row.hour_used >= accountBudget.hour ? Date.parse(row.hour_start) + hourMs : 0,
      row.day_used >= accountBudget.day ? Date.parse(row.day_start) + dayMs : 0,
    ]
    const end = Math.max(...ends)
    if (end > now.getTime()) locked.set(email, new Date(end).toISOString())
  }
  return locked
}
