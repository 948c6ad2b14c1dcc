// Handler of the audit log. Its statements are in feed/, because access and backup write to it too.
import { audit as contract } from '@rapport/contract/audit'
import { badRequest } from '@rapport/contract/errors'
import { settleRefusals } from '../../access/guesses.ts'
import { selectAudit } from '../../feed/audit.sql.ts'
import { resource } from '../../http/handler.ts'
import { readNumber } from '../../http/read-number.ts'
import { isId } from '../../ids.ts'

export const audit = resource(contract, {
  async list(db, { space, query: { after, limit: given } }) {
    const limit = readNumber('limit', given, { min: 1, max: 1000, otherwise: 100 })
    if (after && !isId(after)) {
      const message = 'Must be `next` of an earlier response'
      throw badRequest({ path: ['after'], code: 'cursor', message })
    }
    // Wrong passwords are counted for a while, so that many of them are one entry.
    await settleRefusals(db, space)
    const entries = await selectAudit(db, space, { before: after || undefined, limit })
    return { entries, next: entries.length === limit ? (entries.at(-1)?.id ?? null) : null }
  },
})
