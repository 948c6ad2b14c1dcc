// A new key: shown to whoever asked for it, kept as a hash.
import type { Db } from '../db/connect.ts'
import { newId } from '../ids.ts'
import { type ApiKey, insertKey } from './access.sql.ts'
import { hashKey, hintOf, newKey } from './keys.ts'

export interface KeyOrder
  extends Pick<ApiKey, 'id_space' | 'id_member' | 'role' | 'name' | 'created_at'> {
  expires_at?: string | null
}

/** Answers what is kept of the key, and the key itself: nobody can read it later. */
export async function issueKey(db: Db, order: KeyOrder): Promise<ApiKey & { key: string }> {
  const key = newKey()
  const row: ApiKey = {
    id: newId(),
    hint: hintOf(key),
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    ...order,
  }
  await insertKey(db, { ...row, hash: hashKey(key) })
  return { key, ...row }
}
