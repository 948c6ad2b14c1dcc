// Handlers of API keys. Their statements are in access/, with those about workspaces and members.
import { badRequest, notFound, unknownRecord } from '@rapport/contract/errors'
import { keys as contract } from '@rapport/contract/keys'
import { allows, type Role, rightsOf, type Scope, scopeRoles } from '@rapport/contract/roles'
import {
  type Member,
  type ProgramKey,
  revokeKey,
  selectKey,
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
import { isWithin, readNetwork } from '../../networks.ts'

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
    const scopes = body.scopes ? [...new Set(body.scopes)] : null
    requireRoleFor(role, scopes ?? [])
    const allowed_from = body.allowed_from ? requireNetworks(body.allowed_from) : null
    const kind = body.kind ?? (call.actor.way === 'agent' ? 'agent' : 'key')
    const limits = { expires_at, scopes, allowed_from, kind }
    await requireNoMore(db, call, limits)
    const name = requireName(body.name)
    return createKey(db, call, { id_member: member.id, role, name, ...limits })
  },

  async remove(db, call) {
    await endKey(db, call)
    return 'Key revoked'
  },
})

type Limits = Pick<ProgramKey, 'expires_at' | 'scopes' | 'allowed_from' | 'kind'>

function requireRoleFor(role: Role, scopes: Scope[]): void {
  const at = scopes.findIndex((scope) => !allows(role, scopeRoles[scope]))
  const scope = scopes[at]
  if (!scope) return
  const message = `The scope "${scope}" requires the role ${scopeRoles[scope]}, but the key has the role ${role}`
  throw badRequest({ path: ['scopes', at], code: 'too_high', message })
}

function requireNetworks(given: string[]): string[] {
  return given.map((text, at) => {
    const network = text.trim()
    if (readNetwork(network)) return network
    const message = 'Must be an address or a network, such as 10.0.0.7 or 192.168.0.0/16'
    throw badRequest({ path: ['allowed_from', at], code: 'format', message })
  })
}

/** A key must not continue as another one that lasts longer, may do more, can be used from elsewhere, or hides an agent. */
async function requireNoMore(db: Db, { space, actor }: Call, wanted: Limits): Promise<void> {
  const own = actor.way !== 'web' && actor.key ? await selectKey(db, space, actor.key) : undefined
  if (!own) return
  const { expires_at: end, scopes, allowed_from, kind } = own
  if (kind === 'agent' && wanted.kind !== 'agent') {
    const message = 'Must be agent, like the key that creates it'
    throw badRequest({ path: ['kind'], code: 'too_high', message })
  }
  if (end && !(wanted.expires_at && Date.parse(wanted.expires_at) <= Date.parse(end))) {
    const message = `Must not be later than ${end}, when the key that creates it expires`
    throw badRequest({ path: ['expires_at'], code: 'too_late', message })
  }
  if (scopes && !wanted.scopes?.every((scope) => scopes.includes(scope))) {
    const message = `Must be among ${scopes.join(', ')}, the scopes of the key that creates it`
    throw badRequest({ path: ['scopes'], code: 'too_high', message })
  }
  if (allowed_from && !wanted.allowed_from?.every((network) => isWithin(network, allowed_from))) {
    const message = `Must be within ${allowed_from.join(', ')}, the networks of the key that creates it`
    throw badRequest({ path: ['allowed_from'], code: 'too_high', message })
  }
}

function createKey(
  db: Pool,
  by: Author,
  order: Omit<NewApiKey, 'id_space' | 'created_at'> & Pick<ProgramKey, 'kind'>,
) {
  return transaction(db, async (tx) => {
    const created_at = by.now.toISOString()
    const key = await issueKey(tx, { ...order, id_space: by.space, created_at })
    await audit(tx, by, 'key.created', aboutKey(key))
    return { ...key, kind: order.kind }
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
