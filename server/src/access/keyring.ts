// Who a key speaks for. The answer is kept in memory, so that a request costs no round trip for
// it; what is kept is checked against the database in the background while the key is in use.
import type { Pool } from '../db/connect.ts'
import { type Role, roles } from '../http/route.ts'
import {
  type ApiKey,
  type MemberRole,
  selectKeysByHash,
  selectMember,
  touchKey,
} from './access.sql.ts'
import { hashKey, isSameHash } from './keys.ts'

export interface Principal {
  space: string
  user: string
  role: Role
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

type FoundKey = ApiKey & { hash: string }

/** From this age on an entry is checked again, while requests go on with what is known. */
const refreshAfterMs = 1_000
/** Beyond this age it is not believed any more: a revoked key stops within this time. */
const believedMs = 4_000
/** How exact a key's last use is kept. */
const lastUseMs = 60_000

export function createKeyring(
  db: Pool,
  clock: () => Date,
  fixed?: { key: string; principal: Principal },
): Keyring {
  const entries = new Map<string, Entry>()
  const loading = new Map<string, Promise<Entry | undefined>>()
  const fixedHash = fixed && hashKey(fixed.key)
  const findUnknown = oneByOne((hashes) => selectKeysByHash(db, hashes))

  /** Whoever asks for the same key meanwhile gets the same answer. */
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
      // When it fails, the next request beyond the limit asks again, and is told what is wrong.
      else if (age > refreshAfterMs) load(hash).catch(() => {})
      if (!entry || !isSameHash(hash, entry.hash)) return undefined
      return entry.expires > now ? entry.principal : undefined
    },
  }
}

/**
 * One statement at a time, for all who asked while the last one ran. So a flood of made-up keys
 * takes one connection to the database and no more, and a key that was made just now is found.
 */
function oneByOne(select: (hashes: string[]) => Promise<FoundKey[]>) {
  let last: Promise<unknown> = Promise.resolve()
  let next: { hashes: Set<string>; found: Promise<Map<string, FoundKey>> } | undefined
  return async (hash: string): Promise<FoundKey | undefined> => {
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

/** An owner may do what an admin may, and cannot be taken away. */
export function rightsOf(role: MemberRole): Role {
  return role === 'owner' ? 'admin' : role
}

export function allows(has: Role, needs: Role): boolean {
  return roles.indexOf(has) >= roles.indexOf(needs)
}

function lesser(a: Role, b: Role): Role {
  return allows(a, b) ? b : a
}
