// Keys that are narrowed to some scopes or networks. What they are refused appears in the audit log, a burst as one
// entry.
import { isIPv6 } from 'node:net'
import { ApiError } from '@rapport/contract/errors'
import type { Scope } from '@rapport/contract/roles'
import type { FastifyRequest } from 'fastify'
import type { Keyring, Principal } from './keyring.ts'

/** How long refusals of a key for one reason count as one burst: the first is recorded at once, the others with the next. */
const burstMs = 3_600_000
/** Bursts that are remembered. A key has a reason for each scope at most, and one for its networks. */
const maxBursts = 10_000

interface Burst {
  startedAt: number
  /** Refusals that were not recorded yet. */
  count: number
}

export function createNarrowed(keyring: Keyring, clock: () => Date) {
  const bursts = new Map<string, Burst>()

  /** How many refusals to record in the audit log now, and since when. */
  function count(name: string): { count: number; since: string } | undefined {
    const now = clock().getTime()
    const burst = bursts.get(name)
    if (burst && now - burst.startedAt < burstMs) {
      burst.count++
      return undefined
    }
    if (bursts.size >= maxBursts) bursts.clear()
    bursts.set(name, { startedAt: now, count: 0 })
    const since = new Date(burst?.startedAt ?? now).toISOString()
    return { count: (burst?.count ?? 0) + 1, since }
  }

  /** Throws unless the key may be used for this, from there. */
  return async (
    { key, scopes, allowedFrom }: Principal,
    needed: readonly Scope[],
    { ip: address, id: request_id, log }: FastifyRequest,
    secret: string,
  ): Promise<void> => {
    const error =
      allowedFrom && !allowedFrom.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
        ? networkFault(address)
        : scopeFault(scopes, needed)
    if (!error) return
    const [issue] = error.issues
    const reason = issue?.message
    // Not by address: with a key that has leaked, somebody could come from any number of them.
    const told = count(`${key} ${issue?.code === 'network' ? issue.code : reason}`)
    if (told && reason) {
      await keyring.tellRefused(secret, { address, request_id, reason, ...told }).catch((fault) => {
        log.warn({ err: fault }, 'cannot write the audit log')
      })
    }
    throw error
  }
}

const networkFault = (address: string) =>
  forbidden('network', `This key cannot be used from ${address}`)

/** Undefined if the key has all scopes. */
function scopeFault(
  has: readonly Scope[] | undefined,
  needed: readonly Scope[],
): ApiError | undefined {
  const missing = has && needed.find((scope) => !has.includes(scope))
  return missing && forbidden('scope', `This key lacks the scope "${missing}"`)
}

const forbidden = (code: string, message: string) =>
  new ApiError('FORBIDDEN', [{ path: [], code, message }])

/** For what only the handler knows. */
export function requireScope(
  { scopes }: { scopes?: readonly Scope[] | undefined },
  scope: Scope,
): void {
  const error = scopeFault(scopes, [scope])
  if (error) throw error
}
