// Handler of GET /campaigns. No route creates campaigns: the command `campaigns import` does.
import { campaigns as contract } from '@rapport/contract/campaigns'
import { resource } from '../../http/handler.ts'
import { countCampaigns, selectCampaigns } from './campaigns.sql.ts'

const pageSize = 50

export const campaigns = resource(contract, {
  async list(db, { space, query }) {
    // The query also allows "true" and "false". These and 0 count as page 1.
    const page = Number(query.page) || 1
    const [data, count] = await Promise.all([
      selectCampaigns(db, space, pageSize, (page - 1) * pageSize),
      countCampaigns(db, space),
    ])
    return { data, pagination: { count, page } }
  },
})
