// The plain fields of a lead, named once: schemas, statements and orders are made from this table.

/** Text that is null when unset. */
export const textFields = [
  'email',
  'company',
  'phone',
  'linkedin_url',
  'linkedin_company_url',
  'facebook_username',
  'youtube_username',
  'instagram_username',
  'telegram_username',
  'whatsapp_username',
  'search_query',
  'first_name',
  'last_name',
  'icebreaker',
  'icebreaker_2',
  'icebreaker_3',
  'icebreaker_4',
  'website_url',
  'timezone',
  'city',
  'company_role',
  'twitter_name',
  'twitter_company_name',
  'avatar_url',
  'contract_currency',
  'contract_name',
  'ai_summary',
  'ai_profile',
  'id_linkedin_company',
  'id_linkedin',
] as const

/** Those of them that a caller writes as they are; phone and contract_currency are read first. */
export const writtenTextFields = [
  'company',
  'company_role',
  'first_name',
  'last_name',
  'email',
  'linkedin_url',
  'linkedin_company_url',
  'twitter_name',
  'twitter_company_name',
  'city',
  'avatar_url',
  'website_url',
  'contract_name',
  'icebreaker',
  'icebreaker_2',
  'icebreaker_3',
  'icebreaker_4',
  'facebook_username',
  'telegram_username',
  'whatsapp_username',
  'youtube_username',
  'instagram_username',
] as const

/** Whole numbers that are null when unset. */
export const integerFields = ['email_bounce_score', 'score', 'contract_value'] as const

export const flagFields = [
  'is_company',
  'is_contract',
  'is_deleted',
  'ai_enabled',
  'is_draft',
] as const

/** Times that are null until they happen. */
export const timeFields = [
  'updated_at',
  'is_deleted_at',
  'ai_enabled_at',
  'last_interaction_at',
] as const

/** Every field of the answer of POST /lead. */
export const leadFields = [
  'id',
  'created_at',
  ...textFields,
  ...timeFields,
  'id_space',
  'usersId',
  ...integerFields,
  'order',
  ...flagFields,
  'is_tracked',
] as const

export type LeadField = (typeof leadFields)[number]

/** What the answer of POST /leads/search leaves out. */
export const notInSearch: readonly LeadField[] = [
  'is_contract',
  'contract_name',
  'ai_enabled',
  'ai_enabled_at',
  'ai_summary',
  'ai_profile',
  'is_draft',
  'last_interaction_at',
]

/** Columns that are no text, for places where PostgreSQL must be told. */
const columnTypes: Record<string, string> = {
  id_space: 'uuid',
  id: 'uuid',
  usersId: 'uuid',
  created_at: 'timestamptz',
  custom_fields: 'jsonb',
  attributes: 'jsonb',
  order: 'integer',
  is_tracked: 'boolean',
  email_bounce_score: 'integer',
  score: 'integer',
  contract_value: 'bigint',
  ...Object.fromEntries(flagFields.map((name) => [name, 'boolean'])),
  ...Object.fromEntries(timeFields.map((name) => [name, 'timestamptz'])),
}

export function columnType(name: string): string {
  return columnTypes[name] ?? 'text'
}
