// Finds the workspace, the user and the role of a key. The result is cached in memory, so that a request
// needs no query for it. While a key is in use, its cache entry is refreshed in the background.
import type { BlockList } from 'node:net'
import type { Way } from '@rapport/contract/actor'
import { allows, effectiveSeconds, type Role, rightsOf, type Scope } from '@rapport/contract/roles'
import type { Pool } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { networksOf } from '../networks.ts'
import {
  type Member,
  type StoredKey,
  selectKeysByHash,
  selectMember,
  touchKey,
} from './access.sql.ts'
import { selectFactorState } from './factors.sql.ts'
import { aboutKey } from './issue-key.ts'
import { hashKey, isSameHash } from './keys.ts'
import { sessionEnd, standardSessionMs } from './session-end.ts'

export interface Principal {
  space: string
  user: string
  role: Role
  /** What the key is narrowed to. Undefined: everything that the role allows. */
  scopes?: Scope[]
  /** The networks it can be used from. Undefined: all. */
  allowedFrom?: BlockList
  /** The API key or session; undefined for RAPPORT_API_KEY, which is not in the database. */
  key?: string
  way: Way
  /** When the person behind a session last proved who they are. */
  confirmedAt?: number
}

export interface Keyring {
  /** The maximum age of a session. */
  sessionMs: number
  /** `address` is where it is used from. */
  find(key: string, address: string): Promise<Principal | undefined>
  /** Forgets the keys of a workspace, so that they are read again. Call it after a commit that changes them. */
  forget(space: string): void
  forgetKey(key: string): void
  /**
   * Records in the workspace's audit log that a key was refused, if it is or was valid. An unknown key belongs to
   * no workspace, so it appears only in the log of the service.
   */
  tellRefused(key: string, about: Refusal): Promise<void>
}

export interface Refusal {
  address: string
  request_id: string
  /** How many wrong keys the address has sent. */
  wrongKeys?: number
  /** What a valid key was refused for, and how often since `since`. */
  reason?: string
  count?: number
  since?: string
}

interface Entry {
  hash: string
  principal: Principal
  expires: number
  checkedAt: number
}

/** How a request with a key of this kind has come in. */
const wayOf = { key: 'api', agent: 'agent', session: 'web' } as const satisfies Record<
  StoredKey['kind'],
  Way
>

/** An entry older than this is refreshed in the background. */
const refreshAfterMs = 1_000
/** An entry older than this is not used anymore, so a revoked key stops working within this time. */
const maxAgeMs = (effectiveSeconds - 1) * 1_000
/** The time of the last use is updated at most this often. */
const lastUseMs = 60_000

export interface KeyringOptions {
  /** A key that is valid without being in the database. */
  fixed?: { key: string; principal: Principal } | undefined
  /** The maximum age of a session. */
  sessionMs?: number
}

export function createKeyring(
  db: Pool,
  clock: () => Date,
  { fixed, sessionMs = standardSessionMs }: KeyringOptions = {},
): Keyring {
  const entries = new Map<string, Entry>()
  const loading = new Map<string, Promise<Entry | undefined>>()
  /** How often something was forgotten. What was read before that is not remembered. */
  let forgotten = 0
  const fixedHash = fixed && hashKey(fixed.key)
  const findUnknown = batched((hashes) => selectKeysByHash(db, hashes))

  /** Concurrent callers with the same key share one query. */
  function load(hash: string, address: string): Promise<Entry | undefined> {
    let answer = loading.get(hash)
    if (!answer) {
      const reading = read(hash, address).finally(() => {
        if (loading.get(hash) === reading) loading.delete(hash)
      })
      loading.set(hash, reading)
      answer = reading
    }
    return answer
  }

  const endOf = ({ signed_in_at }: StoredKey, now: Date) =>
    sessionEnd(now, new Date(signed_in_at ?? now), sessionMs)

  async function read(hash: string, address: string): Promise<Entry | undefined> {
    const now = clock()
    const forgottenBefore = forgotten
    const key = entries.has(hash)
      ? (await selectKeysByHash(db, [hash]))[0]
      : await findUnknown(hash)
    const member = key && !key.revoked_at && (await selectMember(db, key.id_space, key.id_member))
    if (!member || (key.kind === 'session' && (await lacksFactor(db, member)))) {
      entries.delete(hash)
      return undefined
    }
    const expires = Math.min(
      key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at),
      // The setting may have become shorter since.
      key.signed_in_at === null
        ? Number.POSITIVE_INFINITY
        : Date.parse(key.signed_in_at) + sessionMs,
    )
    const lastUse = Date.parse(key.last_used_at ?? key.created_at)
    if (now.getTime() < expires && now.getTime() - lastUse >= lastUseMs) {
      const last_used_at = now.toISOString()
      const isSession = key.kind === 'session'
      await touchKey(db, key, {
        last_used_at,
        last_used_from: isSession ? null : address,
        ...(isSession && { expires_at: endOf(key, now) }),
      })
    }
    const entry: Entry = {
      hash: key.hash,
      principal: {
        space: key.id_space,
        user: key.id_member,
        key: key.id,
        way: wayOf[key.kind],
        role: lesser(key.role, rightsOf(member.role)),
        ...(key.scopes && { scopes: key.scopes }),
        ...(key.allowed_from && { allowedFrom: networksOf(key.allowed_from) }),
        ...(key.confirmed_at !== null && { confirmedAt: Date.parse(key.confirmed_at) }),
      },
      expires,
      checkedAt: now.getTime(),
    }
    if (forgotten === forgottenBefore) entries.set(hash, entry)
    return entry
  }

  return {
    sessionMs,

    async tellRefused(key, { request_id, ...about }) {
      const [known] = await selectKeysByHash(db, [hashKey(key)])
      if (!known) return
      const actor = { member: null, key: known.id, way: wayOf[known.kind], request_id }
      const by = { space: known.id_space, actor, now: clock() }
      await audit(db, by, 'key.refused', { ...aboutKey(known), ...about })
    },

    forget(space) {
      forgotten++
      loading.clear()
      for (const [hash, { principal }] of entries) {
        if (principal.space === space) entries.delete(hash)
      }
    },

    forgetKey(key) {
      forgotten++
      loading.clear()
      entries.delete(hashKey(key))
    },

    async find(key, address) {
      const hash = hashKey(key)
      if (fixed && fixedHash && isSameHash(hash, fixedHash)) return fixed.principal
      const now = clock().getTime()
      let entry = entries.get(hash)
      const age = entry ? Math.abs(now - entry.checkedAt) : Number.POSITIVE_INFINITY
      if (age > maxAgeMs) entry = await load(hash, address)
      // If the refresh fails, a later request finds the entry too old, queries again and gets the error.
      else if (age > refreshAfterMs) load(hash, address).catch(() => {})
      if (!entry || !isSameHash(hash, entry.hash)) return undefined
      return entry.expires > now ? entry.principal : undefined
    },
  }
}

/**
 * A person without the second factor that their workspace requires has to sign in again and set one up,
 * whatever has changed: the rule, their role, or the factor.
 */
async function lacksFactor(db: Pool, member: Member): Promise<boolean> {
  const state = await selectFactorState(db, member)
  return state ? state.isRequired && !state.hasFactor : false
}

/**
 * Batches lookups: one statement runs at a time, and the next one takes all keys that arrived in the meantime.
 * So a flood of wrong keys uses only one connection. Nothing is remembered about keys that do not exist,
 * so a key works as soon as it is created.
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

function lesser(a: Role, b: Role): Role {
  return allows(a, b) ? b : a
}
