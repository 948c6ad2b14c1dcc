// Handlers of exchange rates.
import { badRequest, notFound } from '@rapport/contract/errors'
import { rates as contract } from '@rapport/contract/rates'
import { selectSpace } from '../../access/access.sql.ts'
import { transaction } from '../../db/driver.ts'
import { record, recordCreated, recordUpdated } from '../../feed/record.sql.ts'
import { resource } from '../../http/handler.ts'
import { newId } from '../../ids.ts'
import { deleteRate, lockRate, selectRates, upsertRate } from './rates.sql.ts'

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
        const message = 'Must be another currency than the base'
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
      if (!(await deleteRate(tx, call.space, call.id))) throw notFound()
      await record(tx, call, { type: 'rate.deleted', ids: [call.id] })
    })
    return 'Rate deleted'
  },
})
