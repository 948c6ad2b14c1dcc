// Passwords can be guessed, unlike keys, also from many addresses at once. So after some wrong passwords
// an account takes one attempt at a time, each after a pause that grows. An account is any email address
// that was tried: one that no member has is treated the same.
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@rapport/contract/errors'

/** Wrong passwords without a pause, so that a person who mistypes does not notice. */
const freeAttempts = 10
const windowMs = 5 * 60_000
const firstMs = 250
const longestMs = 5_000
/** How many attempts wait at a time. More are refused, without a look at the password. */
const maxWaiting = 3
/** How many accounts are remembered. The oldest are forgotten first. */
const maxAccounts = 10_000

interface Account {
  wrong: number
  /** Attempts in progress. They count as wrong ones, or many at once would all be free. */
  open: number
  since: number
  waiting: number
  last: Promise<unknown>
}

export interface AccountAttempts {
  /**
   * Runs the check when it is the turn of this attempt. The check returns undefined for a wrong password.
   * Calls `onSlow` when the account is slowed from now on.
   */
  check<T>(
    account: string,
    check: () => Promise<T | undefined>,
    onSlow?: () => void,
  ): Promise<T | undefined>
}

export function createAccountAttempts(
  clock: () => Date,
  sleep: (ms: number) => Promise<unknown> = delay,
): AccountAttempts {
  const accounts = new Map<string, Account>()

  function accountOf(name: string): Account {
    const now = clock().getTime()
    const known = accounts.get(name)
    if (known && (Math.abs(now - known.since) < windowMs || known.waiting > 0)) return known
    accounts.delete(name)
    const [oldest] = accounts.keys()
    if (oldest !== undefined && accounts.size >= maxAccounts) accounts.delete(oldest)
    const account = { wrong: 0, open: 0, since: now, waiting: 0, last: Promise.resolve() }
    accounts.set(name, account)
    return account
  }

  async function inTurn<T>(account: Account, work: () => Promise<T>): Promise<T> {
    if (account.waiting >= maxWaiting) throw new ApiError('TOO_MANY_REQUESTS')
    account.waiting++
    const turn = account.last.then(async () => {
      const beyond = Math.max(0, account.wrong - freeAttempts)
      await sleep(Math.min(longestMs, firstMs * 2 ** beyond))
      return work()
    })
    account.last = turn.catch(() => {})
    return turn.finally(() => account.waiting--)
  }

  return {
    async check(name, check, onSlow) {
      const account = accountOf(name)
      const isFree = account.wrong + account.open < freeAttempts
      const work = async () => {
        account.open++
        const found = await check().finally(() => account.open--)
        if (found === undefined && ++account.wrong === freeAttempts) onSlow?.()
        return found
      }
      return isFree ? work() : inTurn(account, work)
    },
  }
}
