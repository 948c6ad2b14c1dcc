// Handlers of API keys. Their statements are in access/, with those about workspaces and members.
import { badRequest, notFound, unknownRecord } from '@rapport/contract/errors'
import { keys as contract } from '@rapport/contract/keys'
import { type Member, revokeKey, selectKeys, selectMember } from '../../access/access.sql.ts'
import { aboutKey, issueKey, type NewApiKey } from '../../access/issue-key.ts'
import { allows, rightsOf } from '../../access/keyring.ts'
import { requireName } from '../../access/names.ts'
import { requireOwnerFor } from '../../access/owners.ts'
import { type Db, type Pool, transaction } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import type { Author } from '../../feed/author.ts'
import { resource } from '../../http/handler.ts'
import { isId } from '../../ids.ts'

export const keys = resource(contract, {
  list(db, { space }) {
    return selectKeys(db, space)
  },

  async create(db, call) {
    const { body, now } = call
    const member = await requireMember(db, call.space, body.id_member ?? call.user)
    await requireOwnerFor(db, call, member.role)
    const { role = 'write' } = body
    if (!allows(rightsOf(member.role), role)) {
      const message = `The member has the role ${member.role}: a key cannot have a higher one`
      throw badRequest({ path: ['role'], code: 'too_high', message })
    }
    const expires_at = body.expires_at ? requireFuture(body.expires_at, now) : null
    const name = requireName(body.name)
    return createKey(db, call, { id_member: member.id, role, name, expires_at })
  },

  async remove(db, call) {
    await endKey(db, call, call.id)
    return 'Key revoked'
  },
})

/** A leap second fits the format of a time, but is no time that can be compared. */
function requireFuture(text: string, now: Date): string {
  const time = Date.parse(text)
  if (time > now.getTime()) return new Date(time).toISOString()
  throw badRequest({ path: ['expires_at'], code: 'past', message: 'Must be in the future' })
}

function createKey(
  db: Pool,
  by: Author,
  order: Pick<NewApiKey, 'id_member' | 'role' | 'name'> & { expires_at: string | null },
) {
  return transaction(db, async (tx) => {
    const created_at = by.now.toISOString()
    const key = await issueKey(tx, { ...order, id_space: by.space, created_at })
    await audit(tx, by, 'key.created', aboutKey(key))
    return key
  })
}

async function endKey(db: Pool, by: Author, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    const key = await revokeKey(tx, { id_space: by.space, id }, by.now)
    if (!key) throw notFound()
    await audit(tx, by, 'key.revoked', aboutKey(key))
  })
}

async function requireMember(db: Db, space: string, id: string): Promise<Member> {
  const member = isId(id) ? await selectMember(db, space, id.toLowerCase()) : undefined
  if (!member) throw badRequest(unknownRecord(['id_member'], 'member'))
  return member
}
