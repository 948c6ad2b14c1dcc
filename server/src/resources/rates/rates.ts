// Handlers of exchange rates.
import { badRequest, notFound } from '@rapport/contract/errors'
import { rates as contract, largestRate, smallestRate } from '@rapport/contract/rates'
import { selectSpace } from '../../access/access.sql.ts'
import type { Db } from '../../db/driver.ts'
import { transaction } from '../../db/driver.ts'
import type { Author } from '../../feed/author.ts'
import {
  type Changed,
  difference,
  record,
  recordCreated,
  recordMany,
  recordUpdated,
} from '../../feed/record.sql.ts'
import { resource } from '../../http/handler.ts'
import { newId } from '../../ids.ts'
import { deleteRate, insertRates, lockRate, selectRates, upsertRate } from './rates.sql.ts'

export const rates = resource(contract, {
  list: (db, { space }) => selectRates(db, space),

  async create(db, call) {
    const { space, now } = call
    const { currency, rate, date } = call.body
    return transaction(db, async (tx) => {
      const base = call.body.base ?? (await selectSpace(tx, space))?.currency
      if (!base) {
        const message = 'Required, because the workspace has no currency'
        throw badRequest({ path: ['base'], code: 'required', message })
      }
      if (base === currency) {
        const message = 'Must be a different currency from the base'
        throw badRequest({ path: ['currency'], code: 'base', message })
      }
      const wanted = { base, currency, rate, date }
      const before = await lockRate(tx, space, wanted)
      const saved = await upsertRate(tx, space, newId(), wanted, now)
      if (before) await recordUpdated(tx, call, 'rate', before, saved)
      else await recordCreated(tx, call, 'rate', saved)
      return saved
    })
  },

  async remove(db, call) {
    await transaction(db, async (tx) => {
      const deleted = await deleteRate(tx, call.space, call.id)
      if (!deleted) throw notFound()
      const { currency, base } = deleted
      const changed: Changed = { currency: [currency, null], base: [base, null] }
      await record(tx, call, { type: 'rate.deleted', ids: [call.id], changed })
    })
    return 'Rate deleted'
  },
})

/**
 * The workspace has another currency: its rates are converted, if there is a rate between the two. Rates to the
 * new currency that already exist stay.
 */
export async function convertRates(tx: Db, by: Author, from: string, to: string): Promise<void> {
  const known = (await selectRates(tx, by.space)).filter(({ base }) => base === from)
  const pivot = known.find(({ currency }) => currency === to)
  if (!pivot) return
  const others = known.filter((rate) => rate !== pivot)
  const converted = [...others, { currency: from, rate: 1, date: pivot.date }].map((each) => ({
    ...{ id: newId(), base: to, currency: each.currency },
    rate: Number((each.rate / pivot.rate).toPrecision(precision)),
    // As old as the older one of both.
    date: each.date < pivot.date ? each.date : pivot.date,
  }))
  const fitting = converted.filter(({ rate }) => rate >= smallestRate && rate <= largestRate)
  const saved = await insertRates(tx, by.space, fitting, by.now)
  await recordMany(
    tx,
    by,
    'rate.created',
    saved.map((rate) => ({ ids: [rate.id], changed: difference(by, {}, rate) })),
  )
}

const precision = 9
