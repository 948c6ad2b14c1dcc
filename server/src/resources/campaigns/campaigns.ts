// Handlers of campaigns. No route creates campaigns: the command `campaigns import` does.
import { campaigns as contract } from '@rapport/contract/campaigns'
import { notFound } from '@rapport/contract/errors'
import { resource } from '../../http/handler.ts'
import {
  countCampaigns,
  selectCampaign,
  selectCampaigns,
  selectResults,
  selectSteps,
} from './campaigns.sql.ts'

const pageSize = 50

export const campaigns = resource(contract, {
  async list(db, { space, query }) {
    // The query also allows "true" and "false". These and 0 count as page 1.
    const page = Number(query.page) || 1
    const [data, count] = await Promise.all([
      selectCampaigns(db, space, pageSize, (page - 1) * pageSize),
      countCampaigns(db, space),
    ])
    if (query.results !== 'true') return { data, pagination: { count, page } }
    const ids = data.map(({ id }) => id)
    const results = await selectResults(db, space, ids)
    return {
      data: data.map((campaign) => ({ ...campaign, ...results.get(campaign.id) })),
      pagination: { count, page },
    }
  },

  async get(db, { space, id }) {
    const campaign = await selectCampaign(db, space, id)
    if (!campaign) throw notFound()
    const [results, steps] = await Promise.all([
      selectResults(db, space, [id]),
      selectSteps(db, space, id),
    ])
    const own = results.get(id)
    // Deleted in the meantime.
    if (!own) throw notFound()
    return { ...campaign, ...own, steps }
  },
})
