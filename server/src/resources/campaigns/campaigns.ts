import { campaigns as contract } from '@rapport/contract/campaigns'
import { resource } from '../../http/handler.ts'
import { countCampaigns, selectCampaigns } from './campaigns.sql.ts'

const pageSize = 50

export const campaigns = resource(contract, {
  async list(db, { space, query }) {
    // "true" and "false" are no numbers, and 0 counts as 1.
    const page = Number(query.page) || 1
    const [data, count] = await Promise.all([
      selectCampaigns(db, space, pageSize, (page - 1) * pageSize),
      countCampaigns(db, space),
    ])
    return { data, pagination: { count, page } }
  },
})
