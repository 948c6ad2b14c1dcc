// Handlers of leads that may be the same.

import { duplicates as contract, groupLimits } from '@rapport/contract/duplicates'
import { keyKinds } from '@rapport/contract/duplicates.values'
import { badRequest, notNext } from '@rapport/contract/errors'
import { type Db, transaction } from '../../db/driver.ts'
import { type Call, resource } from '../../http/handler.ts'
import { readNumber } from '../../http/read-query.ts'
import { requireReferences } from '../../references/references.ts'
import { unique } from '../leads/change/change.ts'
import { finishFew } from '../leads/duplicates/build.ts'
import { duplicateCounts } from '../leads/duplicates/counts.ts'
import { deleteDismissed, insertDismissed } from '../leads/duplicates/groups.sql.ts'
import { type Place, readGroups } from '../leads/duplicates/groups.ts'
import { followMerged } from '../leads/row/merged.sql.ts'

export const duplicates = resource(contract, {
  async list(db, { space, query }) {
    const limit = readNumber('limit', query.limit, groupLimits)
    const kinds = query.kind ? [query.kind] : keyKinds
    const start = readPlace(query.cursor, kinds)
    const large = query.large === 'true'
    await finishFew(db, space)
    const { groups, next } = await readGroups(db, space, { kinds, start, limit, large })
    return { groups, next: next && cursorOf(next) }
  },

  async counts(db, call) {
    const building = await finishFew(db, call.space)
    return { ...(await duplicateCounts(db, call)), building: building ?? null }
  },

  async dismiss(db, call) {
    await inTransaction(db, call, insertDismissed)
    return 'Marked as not duplicates'
  },

  async undismiss(db, call) {
    await inTransaction(db, call, deleteDismissed)
    return 'No longer marked as not duplicates'
  },
})

type Dismissal = Call<typeof contract.routes.dismiss>

function inTransaction(
  db: Parameters<typeof transaction>[0],
  { space, body: { leads } }: Dismissal,
  work: (db: Db, space: string, ids: string[]) => Promise<void>,
): Promise<void> {
  return transaction(db, async (tx) => {
    const ids = leads.map(await followMerged(tx, space, leads))
    await requireReferences(tx, space, [{ kind: 'lead', path: ['leads'], ids }])
    const different = unique(ids)
    if (different.length < 2) {
      const message = 'Must be at least two different leads'
      throw badRequest({ path: ['leads'], code: 'minItems', message })
    }
    await work(tx, space, different)
  })
}

const cursorOf = ({ kind, from }: Place) => Buffer.from(`${kind} ${from}`).toString('base64url')

function readPlace(cursor: string | undefined, kinds: readonly Place['kind'][]): Place | undefined {
  if (!cursor) return undefined
  const text = String(Buffer.from(cursor, 'base64url'))
  const gap = text.indexOf(' ')
  const kind = kinds.find((each) => each === text.slice(0, gap))
  if (kind && !text.includes('\0')) return { kind, from: text.slice(gap + 1) }
  throw notNext('cursor')
}
