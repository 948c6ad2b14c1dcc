// Who a key speaks for. The answer is cached in memory, so that a request costs no round trip for it.
// While a key is in use, the cached answer is checked against the database in the background.
import type { MemberRole } from '@rapport/contract/members'
import { type Role, roles } from '@rapport/contract/route'
import type { Pool } from '../db/driver.ts'
import { type StoredKey, selectKeysByHash, selectMember, touchKey } from './access.sql.ts'
import { hashKey, isSameHash } from './keys.ts'

export interface Principal {
  space: string
  user: string
  role: Role
  /** The API key itself; undefined for RAPPORT_API_KEY, which is not in the database. */
  key?: string
}

export interface Keyring {
  find(key: string): Promise<Principal | undefined>
}

interface Entry {
  hash: string
  principal: Principal
  expires: number
  checkedAt: number
}

/** An entry older than this is checked again in the background. */
const refreshAfterMs = 1_000
/** An entry older than this is not used any more, so a revoked key stops working within this time. */
const believedMs = 4_000
/** The precision of a key's last use. */
const lastUseMs = 60_000

export function createKeyring(
  db: Pool,
  clock: () => Date,
  fixed?: { key: string; principal: Principal },
): Keyring {
  const entries = new Map<string, Entry>()
  const loading = new Map<string, Promise<Entry | undefined>>()
  const fixedHash = fixed && hashKey(fixed.key)
  const findUnknown = batched((hashes) => selectKeysByHash(db, hashes))

  /** Concurrent callers with the same key share one query. */
  function load(hash: string): Promise<Entry | undefined> {
    let answer = loading.get(hash)
    if (!answer) {
      answer = read(hash).finally(() => loading.delete(hash))
      loading.set(hash, answer)
    }
    return answer
  }

  async function read(hash: string): Promise<Entry | undefined> {
    const now = clock()
    const key = entries.has(hash)
      ? (await selectKeysByHash(db, [hash]))[0]
      : await findUnknown(hash)
    const member = key && !key.revoked_at && (await selectMember(db, key.id_space, key.id_member))
    if (!member) {
      entries.delete(hash)
      return undefined
    }
    const expires = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at)
    const lastUse = Date.parse(key.last_used_at ?? key.created_at)
    if (now.getTime() < expires && now.getTime() - lastUse >= lastUseMs) {
      await touchKey(db, key.id, now)
    }
    const entry: Entry = {
      hash: key.hash,
      principal: {
        space: key.id_space,
        user: key.id_member,
        key: key.id,
        role: lesser(key.role, rightsOf(member.role)),
      },
      expires,
      checkedAt: now.getTime(),
    }
    entries.set(hash, entry)
    return entry
  }

  return {
    async find(key) {
      const hash = hashKey(key)
      if (fixed && fixedHash && isSameHash(hash, fixedHash)) return fixed.principal
      const now = clock().getTime()
      let entry = entries.get(hash)
      const age = entry ? Math.abs(now - entry.checkedAt) : Number.POSITIVE_INFINITY
      if (age > believedMs) entry = await load(hash)
      // When it fails, the next request beyond the limit asks again and gets the error.
      else if (age > refreshAfterMs) load(hash).catch(() => {})
      if (!entry || !isSameHash(hash, entry.hash)) return undefined
      return entry.expires > now ? entry.principal : undefined
    },
  }
}

/**
 * Batches lookups: one statement at a time, for all keys that were asked for while the last one ran. A
 * flood of made-up keys uses one connection, and a key that was just created is found.
 */
function batched(select: (hashes: string[]) => Promise<StoredKey[]>) {
  let last: Promise<unknown> = Promise.resolve()
  let next: { hashes: Set<string>; found: Promise<Map<string, StoredKey>> } | undefined
  return async (hash: string): Promise<StoredKey | undefined> => {
    if (!next) {
      const hashes = new Set<string>()
      const found = last.then(async () => {
        next = undefined
        return new Map((await select([...hashes])).map((key) => [key.hash, key]))
      })
      last = found.catch(() => {})
      next = { hashes, found }
    }
    next.hashes.add(hash)
    return (await next.found).get(hash)
  }
}

/** An owner may do what an admin may. */
export function rightsOf(role: MemberRole): Role {
  return role === 'owner' ? 'admin' : role
}

export function allows(has: Role, needs: Role): boolean {
  return roles.indexOf(has) >= roles.indexOf(needs)
}

function lesser(a: Role, b: Role): Role {
  return allows(a, b) ? b : a
}
