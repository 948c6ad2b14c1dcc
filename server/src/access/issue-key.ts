// Creates a key. The caller sees it once. The database stores only its hash.
import type { Db } from '../db/driver.ts'
import { newId } from '../ids.ts'
import { type ApiKey, insertKey } from './access.sql.ts'
import type { RefusedNotice } from './guesses.sql.ts'
import { hashKey, hintOf, newKey } from './keys.ts'

/** What the caller decides about a new key. */
export interface NewApiKey
  extends Pick<ApiKey, 'id_space' | 'id_member' | 'role' | 'name' | 'created_at'> {
  /** Default: an API key. */
  kind?: ApiKey['kind']
  expires_at?: string | null
  scopes?: ApiKey['scopes']
  allowed_from?: ApiKey['allowed_from']
  signed_in_at?: string
  confirmed_at?: string
  refused?: RefusedNotice
}

/** What the audit log says about a key. */
export function aboutKey({ id, hint, name, role, id_member: member, ...key }: ApiKey) {
  const { kind, scopes, allowed_from, expires_at } = key
  return { id, hint, name, role, member, kind, scopes, allowed_from, expires_at }
}

/** Returns the stored row and the key itself, which cannot be read later. */
export async function issueKey(db: Db, fields: NewApiKey): Promise<ApiKey & { key: string }> {
  const key = newKey(fields.kind)
  const row: ApiKey = {
    id: newId(),
    kind: 'key',
    hint: hintOf(key),
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    last_used_from: null,
    scopes: null,
    allowed_from: null,
    signed_in_at: null,
    confirmed_at: null,
    ...fields,
  }
  await insertKey(db, { ...row, hash: hashKey(key) })
  return { key, ...row }
}
