import { Type } from 'typebox'
import { stepStatuses } from './leads/filter.values.ts'
import { route } from './route.ts'
import { AllOptional, DateTime, Documented, each, Id, Nullable, OneOf, Shape } from './shapes.ts'

export const Campaign = Shape('Campaign', {
  status: Type.String(),
  id: Id,
  name: Type.String(),
  icon: Type.String(),
  days: Type.String({ description: 'Sending days, with Monday as 1: "1,2,3,4,5"' }),
  timezone: Type.String(),
  job_id: Type.String(),
  id_email_group: Type.String(),
  id_space: Type.String(),
  created_at: DateTime,
  updated_at: DateTime,
  start_date: Nullable(DateTime),
  end_date: Nullable(DateTime),
  is_deleted: Type.Boolean(),
  unsubscribe_link: Type.Boolean(),
  stop_sending_after_reply: Type.Boolean(),
  track_open_rate: Type.Boolean(),
  stop_sending_after_bounce: Type.Boolean(),
  start_hour: Type.Number(),
  start_min: Type.Number(),
  end_hour: Type.Number(),
  end_min: Type.Number(),
  time_between_send: Type.Number({ description: 'Minutes' }),
  id_email_alias: Type.Number(),
})

/** How many leads reached each state. */
const counts = each(stepStatuses, Type.Integer())

const results = {
  leads: Type.Integer({ description: 'Number of leads in the campaign' }),
  ...counts,
}

const CampaignPage = Shape('CampaignPage', {
  data: Type.Array(
    Shape('ListedCampaign', {
      ...Campaign.properties,
      ...AllOptional(Type.Object(results)).properties,
    }),
  ),
  pagination: Shape('CampaignPageInfo', { count: Type.Integer(), page: Type.Integer() }),
})

export const CampaignStep = Shape('CampaignStep', {
  id: Id,
  name: Type.String(),
  subject: Type.String(),
  body: Type.String(),
  delay_days: Type.Integer({ description: 'Days after the previous step' }),
  ...counts,
})

const CampaignWithSteps = Shape('CampaignWithSteps', {
  ...Campaign.properties,
  ...results,
  steps: Type.Array(CampaignStep),
})

const examples = { campaign: '01920000-0000-7000-8000-000000000013' }

export const campaigns = {
  name: 'Campaigns',
  description: 'Email campaigns. Read-only.',
  examples,
  routes: {
    list: route('GET /campaigns', {
      operationId: 'listCampaigns',
      role: 'read',
      common: true,
      summary: 'List campaigns',
      description:
        'Newest first, 50 per page. Campaigns are read-only in the API; the command line imports them. count is the total number of campaigns. results=true adds the number of leads in each campaign and in each state.',
      query: Type.Object({
        page: Type.Optional(
          Documented(
            Type.String({
              pattern: '^(true|false|\\d{1,9})?$',
              description: 'Page number, starting at 1. true and false also mean page 1.',
            }),
            {
              type: ['integer', 'boolean'],
              pattern: undefined,
              minimum: 0,
              maximum: 999_999_999,
            },
          ),
        ),
        results: Type.Optional(
          OneOf(['true', 'false'], { description: 'Extension: include lead counts' }),
        ),
      }),
      reply: CampaignPage,
      example: { query: { page: 1 } },
    }),
    get: route('GET /campaigns/{id}', {
      operationId: 'getCampaign',
      role: 'read',
      summary: 'Get a campaign',
      description:
        'Returns the campaign with its steps and the number of leads that reached each state, for the whole campaign and for each step. A lead that opened two steps counts once for the campaign. Deleted leads do not count.',
      reply: CampaignWithSteps,
      example: { id: examples.campaign },
    }),
  },
}
