// Handlers for someone with several workspaces: choosing one at the sign-in, and continuing in another.
import { ApiError, notFound } from '@rapport/contract/errors'
import type { NextStep } from '@rapport/contract/sign-in'
import { type Member, selectSpace } from '../access/access.sql.ts'
import { selectProof } from '../access/proofs.sql.ts'
import { ownerOf } from '../access/sessions.ts'
import type { OpenidSettings } from '../config.ts'
import type { Pool } from '../db/driver.ts'
import { forgetAccount, readAccount } from './choice.ts'
import { completeStep } from './complete-step.ts'
import { authorOf, type SessionHandlers, type Visit } from './handler.ts'
import { joinPlace } from './join.ts'
import { type Account, findPlaces } from './places.ts'
import { findOffered, findProven } from './reach.ts'

type Handlers = Pick<SessionHandlers, 'choices' | 'choose' | 'workspaces' | 'switch'>

export function workspaceHandlers(db: Pool, openid: OpenidSettings | undefined): Handlers {
  /** Whom the provider has named some minutes ago. */
  function requireAccount({ request, now }: Pick<Visit<never>, 'request' | 'now'>) {
    const account = openid && readAccount(request, openid, now)
    if (!account) throw new ApiError('UNAUTHORIZED')
    return { account, settings: openid }
  }

  async function named<T extends { id_space: string }>(places: T[]) {
    const spaces = await Promise.all(places.map(({ id_space }) => selectSpace(db, id_space)))
    return places.map((place, index) => ({ ...place, name: spaces[index]?.name ?? '' }))
  }

  async function signedIn(
    { id_space, id }: Pick<Member, 'id_space' | 'id'>,
    next: NextStep | null,
  ) {
    return { id_space, id, workspaces: await named([{ id_space }]), next }
  }

  return {
    async choices(visit) {
      const { account, settings } = requireAccount(visit)
      const { places } = await findPlaces(db, account, settings)
      return named(
        places.map(({ id_space, standing }) => ({
          ...{ id_space, is_invitation: standing === 'invited' },
        })),
      )
    },

    async choose(visit) {
      const { account, settings } = requireAccount(visit)
      const member = await joinPlace(db, account, visit.body.id_space, settings, visit.now)
      if (!member) throw notFound()
      forgetAccount(visit.request, visit.reply)
      return signedIn(
        member,
        await completeStep(db, member, howSignedIn(account, visit.now), visit),
      )
    },

    async workspaces(visit) {
      const author = authorOf(visit)
      const own = { ...ownerOf(author), is_current: true, needs_sign_in: false }
      const proof = await selectProof(db, { id_space: author.space, id: author.actor.key ?? '' })
      const proven = proof ? await findProven(db, proof, openid) : []
      const offered = proof ? await findOffered(db, proof, proven, openid) : []
      const others = [
        ...proven.map((member) => ({ ...member, is_current: false, needs_sign_in: false })),
        ...offered.map((member) => ({ ...member, is_current: false, needs_sign_in: true })),
      ]
      return named([own, ...others.filter(({ id_space }) => id_space !== author.space)])
    },

    async switch(visit) {
      const author = authorOf(visit)
      const proof = await selectProof(db, { id_space: author.space, id: author.actor.key ?? '' })
      const proven = proof ? await findProven(db, proof, openid) : []
      const wanted = visit.body.id_space.toLowerCase()
      const member = proven.find(({ id_space }) => id_space === wanted)
      if (!proof || !member) throw notFound()
      const { confirmedAt } = visit.request.principal ?? {}
      const how = { way: proof.way, proof, confirmedAt }
      return signedIn(member, await completeStep(db, member, how, visit))
    },
  }
}

export function howSignedIn({ issuer, subject, email }: Account, now: Date) {
  const proof = { way: 'openid', at: now.toISOString(), issuer, subject, email } as const
  return { way: 'openid', proof } as const
}
