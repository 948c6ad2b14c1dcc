// Handlers for the second factors of someone who is signed in.
import { notFound } from '@rapport/contract/errors'
import type { factorRoutes } from '@rapport/contract/second-factor'
import type { FastifyRequest } from 'fastify'
import { readSessionCookie } from '../access/cookie.ts'
import {
  countRecoveryCodes,
  deletePasskey,
  deleteTotp,
  renamePasskey,
  selectFactorState,
  selectPasskeys,
  selectTotp,
} from '../access/factors.sql.ts'
import { afterRemoval, renewRecoveryCodes } from '../access/factors.ts'
import { hashKey } from '../access/keys.ts'
import { requireName } from '../access/names.ts'
import type { ChallengePurpose } from '../access/pending.sql.ts'
import { ownerOf } from '../access/sessions.ts'
import { type Db, type Pool, transaction } from '../db/driver.ts'
import type { Author } from '../feed/author.ts'
import type { Secrets } from '../secrets.ts'
import { authorOf, type SessionHandlers, type Visit } from './handler.ts'
import {
  addApp,
  addPasskey,
  beginApp,
  beginPasskey,
  noSecrets,
  readPasskey,
} from './own-factors.ts'
import { type Ceremony, requestOptions } from './passkeys.ts'
import { findRelyingParty, requireRelyingParty } from './relying-party.ts'

export interface FactorOptions {
  db: Pool
  secrets: Secrets | undefined
}

/** What a passkey signs for the session that sends the request. */
export function sessionCeremony(
  { request, now }: Pick<Visit<never>, 'request' | 'now'>,
  purpose: ChallengePurpose,
): Ceremony {
  const holder = hashKey(readSessionCookie(request) ?? '')
  return { rp: requireRelyingParty(request), holder, purpose, now }
}

export function factorHandlers({
  db,
  secrets,
}: FactorOptions): Pick<SessionHandlers, keyof typeof factorRoutes> {
  const change = <T>(visit: Visit<never>, work: (tx: Db, author: Author) => Promise<T>) =>
    transaction(db, (tx) => work(tx, authorOf(visit)))

  return {
    async factors(visit) {
      const owner = ownerOf(authorOf(visit))
      const [passkeys, app, recovery_codes, state] = await Promise.all([
        selectPasskeys(db, owner),
        selectTotp(db, owner),
        countRecoveryCodes(db, owner),
        selectFactorState(db, owner),
      ])
      return {
        passkeys: passkeys.map(({ rp_id, ...passkey }) => ({ ...passkey, host: rp_id })),
        app: app ?? null,
        recovery_codes,
        is_required: state?.isRequired ?? false,
        ...unavailable(visit.request, secrets),
      }
    },

    beginPasskey: (visit) =>
      beginPasskey(db, ownerOf(authorOf(visit)), sessionCeremony(visit, 'add')),

    async addPasskey(visit) {
      const ceremony = sessionCeremony(visit, 'add')
      const { body, request } = visit
      const row = await readPasskey(db, authorOf(visit), ceremony, body, request)
      const recovery_codes = await change(visit, (tx, author) => addPasskey(tx, author, row))
      return { recovery_codes }
    },

    async renamePasskey(visit) {
      const name = requireName(visit.body.name)
      if (!(await renamePasskey(db, ownerOf(authorOf(visit)), visit.id, name))) throw notFound()
      return 'Passkey renamed'
    },

    async removePasskey(visit) {
      await change(visit, async (tx, author) => {
        const name = await deletePasskey(tx, ownerOf(author), visit.id)
        if (name === undefined) throw notFound()
        await afterRemoval(tx, author, { kind: 'passkey', name })
      })
      return 'Passkey removed'
    },

    beginApp: (visit) => beginApp(db, secrets, ownerOf(authorOf(visit)), visit.now),

    async addApp(visit) {
      const recovery_codes = await change(visit, (tx, author) =>
        addApp(tx, secrets, author, visit.body),
      )
      return { recovery_codes }
    },

    async removeApp(visit) {
      await change(visit, async (tx, author) => {
        if (!(await deleteTotp(tx, ownerOf(author)))) throw notFound()
        await afterRemoval(tx, author, { kind: 'app' })
      })
      return 'Authenticator app removed'
    },

    async renewRecoveryCodes(visit) {
      const recovery_codes = await change(visit, async (tx, author) => {
        const state = await selectFactorState(tx, ownerOf(author))
        if (!state?.hasFactor) throw notFound()
        return renewRecoveryCodes(tx, author)
      })
      return { recovery_codes }
    },

    beginConfirm: (visit) =>
      requestOptions(db, sessionCeremony(visit, 'confirm'), ownerOf(authorOf(visit))),
  }
}

/** What cannot be set up here, and why. */
export function unavailable(request: FastifyRequest, secrets: Secrets | undefined) {
  const rp = findRelyingParty(request)
  return {
    no_passkeys: typeof rp === 'string' ? rp : null,
    no_app: secrets ? null : noSecrets,
  }
}
