// Who a key speaks for. The answer is kept in memory, so that a request costs no round trip for
// it; what is kept is checked against the database in the background while the key is in use.
import type { Pool } from '../db/connect.ts'
import { type Role, roles } from '../http/route.ts'
import { type MemberRole, selectKeyByHash, selectMember, touchKey } from './access.sql.ts'
import { hashKey } from './keys.ts'

export interface Principal {
  space: string
  user: string
  role: Role
}

export interface Keyring {
  find(key: string): Promise<Principal | undefined>
}

interface Entry {
  principal: Principal
  expires: number
  checkedAt: number
  refreshing: boolean
}

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
  const fixedHash = fixed && hashKey(fixed.key)

  async function load(hash: string): Promise<Entry | undefined> {
    const now = clock()
    const key = await selectKeyByHash(db, hash)
    const member = key && !key.revoked_at && (await selectMember(db, key.id_space, key.id_member))
    if (!member) {
      entries.delete(hash)
      return undefined
    }
    if (now.getTime() - Date.parse(key.last_used_at ?? key.created_at) >= lastUseMs) {
      await touchKey(db, key.id, now)
    }
    const entry: Entry = {
      principal: {
        space: key.id_space,
        user: key.id_member,
        role: lesser(key.role, rightsOf(member.role)),
      },
      expires: key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at),
      checkedAt: now.getTime(),
      refreshing: false,
    }
    entries.set(hash, entry)
    return entry
  }

  function refresh(hash: string, entry: Entry): void {
    entry.refreshing = true
    load(hash)
      // The next request beyond the limit asks again, and is told what is wrong.
      .catch(() => {})
      .finally(() => {
        entry.refreshing = false
      })
  }

  return {
    async find(key) {
      const hash = hashKey(key)
      if (fixed && hash === fixedHash) return fixed.principal
      const now = clock().getTime()
      let entry = entries.get(hash)
      const age = entry ? Math.abs(now - entry.checkedAt) : Number.POSITIVE_INFINITY
      if (age > believedMs) entry = await load(hash)
      else if (entry && age > refreshAfterMs && !entry.refreshing) refresh(hash, entry)
      return entry && entry.expires > now ? entry.principal : undefined
    },
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
