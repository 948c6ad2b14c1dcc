// The first start: creates a workspace, its owner and a key in an empty database.
import type { Pool } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import { recordCreated } from '../feed/record.sql.ts'
import { newId } from '../ids.ts'
import { insertMember, insertSpace, selectFirstOwner } from './access.sql.ts'
import { aboutKey, issueKey } from './issue-key.ts'

/**
 * Returns the new key. Undefined if a workspace exists already, or the owner has a key
 * (RAPPORT_API_KEY).
 */
export async function firstStart(
  pool: Pool,
  now: Date,
  ownerHasKey: boolean,
): Promise<string | undefined> {
  if (await selectFirstOwner(pool)) return undefined
  const created_at = now.toISOString()
  const id_space = newId()
  const id_member = newId()
  return pool.begin(async (tx) => {
    await insertSpace(tx, { id_space, name: 'My workspace', time_zone: 'UTC', created_at })
    const owner = {
      ...{ id_space, id: id_member, name: 'Owner', email: 'owner@localhost' },
      ...({ role: 'owner', created_at } as const),
    }
    await insertMember(tx, owner)
    await recordCreated(tx, authorOf('command', id_space, now), 'member', owner)
    if (ownerHasKey) return undefined
    const fields = { id_space, id_member, role: 'admin', name: 'First key', created_at } as const
    const key = await issueKey(tx, fields)
    await audit(tx, authorOf('command', id_space, now), 'key.created', aboutKey(key))
    return key.key
  })
}
