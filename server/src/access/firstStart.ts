// An empty database gets a workspace, its owner and a key for them.
import type { Pool } from '../db/connect.ts'
import { newId } from '../ids.ts'
import { insertKey, insertMember, insertSpace, selectFirstOwner } from './access.sql.ts'
import { hashKey, hintOf, newKey } from './keys.ts'

/** Answers the new key, or undefined when there is a workspace already or the owner brings a key. */
export async function firstStart(
  pool: Pool,
  now: Date,
  ownerHasKey: boolean,
): Promise<string | undefined> {
  if (await selectFirstOwner(pool)) return undefined
  const created_at = now.toISOString()
  const id_space = newId()
  const id_member = newId()
  const key = ownerHasKey ? undefined : newKey()
  await pool.begin(async (tx) => {
    await insertSpace(tx, { id_space, name: 'My workspace', time_zone: 'UTC', created_at })
    await insertMember(tx, {
      id_space,
      id: id_member,
      name: 'Owner',
      email: 'owner@localhost',
      role: 'owner',
      created_at,
    })
    if (!key) return
    await insertKey(tx, {
      id: newId(),
      hash: hashKey(key),
      id_space,
      id_member,
      role: 'admin',
      name: 'First key',
      hint: hintOf(key),
      created_at,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    })
  })
  return key
}
