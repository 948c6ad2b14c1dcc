// The schema of the file that `campaigns import` reads. Unknown fields are refused: if a misspelled field
// were ignored, people would notice it too late.
import { stepStatuses } from '@rapport/contract/leads/filter'
import { DateTime, Id, Name, Nullable, OneOf } from '@rapport/contract/shapes'
import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false }
const Hour = Type.Integer({ minimum: 0, maximum: 24 })
const Minute = Type.Integer({ minimum: 0, maximum: 59 })
const optional = Type.Optional

/** The fields of a campaign in the file. Each is stored as it is. */
const campaignFields = {
  name: Name,
  status: optional(Name),
  icon: optional(Type.String()),
  days: optional(Type.String({ pattern: '^([1-7](,[1-7])*)?$' })),
  timezone: optional(Type.String()),
  job_id: optional(Type.String()),
  id_email_group: optional(Type.String()),
  id_email_alias: optional(Type.Number()),
  start_date: optional(Nullable(DateTime)),
  end_date: optional(Nullable(DateTime)),
  start_hour: optional(Hour),
  start_min: optional(Minute),
  end_hour: optional(Hour),
  end_min: optional(Minute),
  time_between_send: optional(Type.Number({ minimum: 0 })),
  unsubscribe_link: optional(Type.Boolean()),
  stop_sending_after_reply: optional(Type.Boolean()),
  stop_sending_after_bounce: optional(Type.Boolean()),
  track_open_rate: optional(Type.Boolean()),
  created_at: optional(DateTime),
}

const stepFields = {
  name: Name,
  subject: optional(Type.String()),
  body: optional(Type.String()),
  delay_days: optional(Type.Integer({ minimum: 0, maximum: 3650 })),
}

export const campaignFieldNames = Object.keys(campaignFields) as (keyof typeof campaignFields)[]
export const stepFieldNames = Object.keys(stepFields) as (keyof typeof stepFields)[]

const LeadEntry = Type.Object(
  {
    lead: Name,
    steps: optional(
      Type.Array(Type.Object({ step: Name, status: Type.Array(OneOf(stepStatuses)) }, closed)),
    ),
  },
  closed,
)

const CampaignEntry = Type.Object(
  {
    id: optional(Id),
    ...campaignFields,
    steps: optional(Type.Array(Type.Object({ id: optional(Id), ...stepFields }, closed))),
    leads: optional(Type.Array(LeadEntry)),
  },
  closed,
)

export const ImportFile = Type.Object({ campaigns: Type.Array(CampaignEntry) }, closed)

export type ImportFile = Static<typeof ImportFile>
export type CampaignEntry = Static<typeof CampaignEntry>
export type StepEntry = NonNullable<CampaignEntry['steps']>[number]
export type LeadEntry = Static<typeof LeadEntry>
