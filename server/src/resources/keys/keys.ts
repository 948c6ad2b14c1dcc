// Handlers of API keys. Their statements are in access/, with those about workspaces and members.
import { badRequest, notFound, unknownRecord } from '@rapport/contract/errors'
import { keys as contract } from '@rapport/contract/keys'
import { allows, rightsOf } from '@rapport/contract/roles'
import {
  type Member,
  revokeKey,
  selectKeyEnd,
  selectKeys,
  selectMember,
} from '../../access/access.sql.ts'
import { aboutKey, issueKey, type NewApiKey } from '../../access/issue-key.ts'
import { requireFuture, requireName } from '../../access/names.ts'
import { requireOwnerFor } from '../../access/owners.ts'
import { type Db, type Pool, transaction } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import type { Author } from '../../feed/author.ts'
import { type Call, resource } from '../../http/handler.ts'
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
      const message = `The member has the role ${member.role}, and a key cannot have a higher one`
      throw badRequest({ path: ['role'], code: 'too_high', message })
    }
    const expires_at = body.expires_at ? requireFuture(body.expires_at, now) : null
    await requireNoLaterEnd(db, call, expires_at)
    const name = requireName(body.name)
    return createKey(db, call, { id_member: member.id, role, name, expires_at })
  },

  async remove(db, call) {
    await endKey(db, call)
    return 'Key revoked'
  },
})

/** A key that is about to end must not continue as another one. */
async function requireNoLaterEnd(
  db: Db,
  { space, actor }: Call,
  expires_at: string | null,
): Promise<void> {
  const end = actor.way === 'api' && actor.key && (await selectKeyEnd(db, space, actor.key))
  if (!end || (expires_at && Date.parse(expires_at) <= Date.parse(end))) return
  const message = `Must not be later than ${end}, when the key that creates it expires`
  throw badRequest({ path: ['expires_at'], code: 'too_late', message })
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

async function endKey(db: Pool, call: Call): Promise<void> {
  await transaction(db, async (tx) => {
    const key = await revokeKey(tx, { id_space: call.space, id: call.id }, call.now)
    if (!key) throw notFound()
    const member = await selectMember(tx, call.space, key.id_member)
    await requireOwnerFor(tx, call, member?.role)
    await audit(tx, call, 'key.revoked', aboutKey(key))
  })
}

async function requireMember(db: Db, space: string, id: string): Promise<Member> {
  const member = isId(id) ? await selectMember(db, space, id.toLowerCase()) : undefined
  if (!member) throw badRequest(unknownRecord(['id_member'], 'member'))
  return member
}
