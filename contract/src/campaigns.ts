import { Type } from 'typebox'
import { exampleIds } from './examples.ts'
import { stepStatuses } from './leads/filter.values.ts'
import { route } from './route.ts'
import { AllOptional, DateTime, Documented, each, Id, Nullable, OneOf, Shape } from './shapes.ts'

export const Campaign = Shape('Campaign', {
  status: Type.String(),
  id: Id,
  name: Type.String(),
  icon: Type.String(),
  days: Type.String({ description: 'Days it sends on, Monday is 1: "1,2,3,4,5"' }),
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

/** How many leads came to each state. */
const counts = each(stepStatuses, Type.Integer())

const results = {
  leads: Type.Integer({ description: 'How many leads are in it' }),
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
  delay_days: Type.Integer({ description: 'Days after the step before' }),
  ...counts,
})

const CampaignWithSteps = Shape('CampaignWithSteps', {
  ...Campaign.properties,
  ...results,
  steps: Type.Array(CampaignStep),
})

export const campaigns = {
  name: 'Campaigns',
  description: 'Email campaigns. They are read only.',
  routes: {
    list: route({
      operationId: 'listCampaigns',
      method: 'GET',
      path: '/campaigns',
      role: 'read',
      summary: 'List campaigns',
      description:
        'Newest first, 50 a page. Campaigns are read only here: the command line imports them. count is the number of all campaigns. results=true adds how many leads are in each campaign, and how many came to each state.',
      query: Type.Object({
        page: Type.Optional(
          Documented(
            Type.String({
              pattern: '^(true|false|\\d{1,9})?$',
              description: 'The number of the page. The first is 1; true and false mean it too.',
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
          OneOf(['true', 'false'], { description: 'Extension: with numbers of leads' }),
        ),
      }),
      reply: CampaignPage,
      example: { query: { page: 1 } },
    }),
    get: route({
      operationId: 'getCampaign',
      method: 'GET',
      path: '/campaigns/{id}',
      role: 'read',
      summary: 'Get a campaign',
      description:
        'With its steps, and how many leads came to each state: in the whole campaign, and in each step. A lead that opened two steps counts once in the campaign. Deleted leads do not count.',
      extension: true,
      reply: CampaignWithSteps,
      example: { id: exampleIds.campaign },
    }),
  },
}
