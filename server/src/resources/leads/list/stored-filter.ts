// Filters that are stored: those of saved views and of webhooks.
import { badRequest } from '@rapport/contract/errors'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { Db } from '../../../db/driver.ts'
import type { Scope } from '../../../filter/compile.ts'
import { leadCondition } from './filter.ts'

/** All of them are read at once, by every page, so none may be very large. */
const maxLength = 100_000

/** Throws a BAD_REQUEST. */
export async function requireStorable(db: Db, scope: Scope, filter: LeadFilter): Promise<void> {
  if (JSON.stringify(filter).length > maxLength) {
    const message = `Must be at most ${maxLength} characters long as JSON`
    throw badRequest({ path: ['filter'], code: 'maxLength', message })
  }
  await leadCondition(db, scope, filter, ['filter'])
}
