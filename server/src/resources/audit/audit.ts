// Handler of the audit log. Its statements are in feed/, because access and backup write to it too.
import { auditLimits, audit as contract } from '@rapport/contract/audit'
import { settleRefusals } from '../../access/guesses.ts'
import { selectAudit } from '../../feed/audit.sql.ts'
import { resource } from '../../http/handler.ts'
import { readAfter, readNumber } from '../../http/read-query.ts'

export const audit = resource(contract, {
  async list(db, { space, query }) {
    const limit = readNumber('limit', query.limit, auditLimits)
    const before = readAfter(query.after)
    // Wrong passwords are counted for a while, so that many of them are one entry.
    await settleRefusals(db, space)
    const entries = await selectAudit(db, space, { before, limit })
    return { entries, next: entries.length === limit ? (entries.at(-1)?.id ?? null) : null }
  },
})
