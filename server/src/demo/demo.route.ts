// POST /demo: the demo data that the page offers to an empty workspace.
import { demo as contract } from '@rapport/contract/demo'
import { badRequest } from '@rapport/contract/errors'
import { transaction } from '../db/driver.ts'
import { resource } from '../http/handler.ts'
import { fillExisting, HasLeads } from './demo.ts'

const seed = 1

export const demo = resource(contract, {
  async fill(db, { space, body: { leads = 1_000, add = false }, now }) {
    try {
      const rows = await transaction(db, (tx) => fillExisting(tx, { leads, seed, now, space, add }))
      return `${rows.lead} leads created`
    } catch (error) {
      if (!(error instanceof HasLeads)) throw error
      throw badRequest({
        path: [],
        code: 'has_leads',
        message: 'The workspace has leads already',
      })
    }
  },
})
