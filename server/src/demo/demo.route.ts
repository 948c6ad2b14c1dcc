// POST /demo: the demo data that the page offers to an empty workspace.
import { demo as contract } from '@rapport/contract/demo'
import { badRequest } from '@rapport/contract/errors'
import { transaction } from '../db/driver.ts'
import { resource } from '../http/handler.ts'
import { fillExisting, HasLeads } from './demo.ts'

const seed = 1

export const demo = resource(contract, {
  async fill(db, call) {
    const { leads = 1_000, add = false } = call.body
    try {
      const rows = await transaction(db, (tx) =>
        fillExisting(tx, call, { leads, seed, now: call.now, add }),
      )
      return `${rows.lead} leads created`
    } catch (error) {
      if (!(error instanceof HasLeads)) throw error
      throw badRequest({
        path: [],
        code: 'has_leads',
        message: 'The workspace already has leads',
      })
    }
  },
})
