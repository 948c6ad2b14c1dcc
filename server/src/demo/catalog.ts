// What a demo workspace contains besides leads. It is the same for every number of leads.
import type { AttributeType } from '@rapport/contract/attributes'
import { readyList, readyStages } from '@rapport/contract/stages.values'
import type { StatusType } from '@rapport/contract/status.values'

export const team = [
  { name: 'Ada Okafor', email: 'ada@demo.example', role: 'owner' },
  { name: 'Björn Lindqvist', email: 'bjorn@demo.example', role: 'admin' },
  { name: 'Chloé Martin', email: 'chloe@demo.example', role: 'write' },
  { name: 'Daisuke Mori', email: 'daisuke@demo.example', role: 'write' },
  { name: 'Elena García', email: 'elena@demo.example', role: 'read' },
] as const

/** Of a new workspace, until the browser of its first admin brings another one. */
export const currency = 'USD'

/** About what one unit is worth in US dollars: the currencies of the leads, and those of more workspaces. */
export const dollars: Record<string, number> = {
  ...{ USD: 1, EUR: 1.16, GBP: 1.33, PLN: 0.27, INR: 0.0114, JPY: 0.0065, CNY: 0.14 },
  ...{ CHF: 1.24, CAD: 0.72, AUD: 0.65, NZD: 0.57, SGD: 0.77, HKD: 0.128, KRW: 0.0007 },
  ...{ SEK: 0.105, NOK: 0.099, DKK: 0.155, CZK: 0.048, BRL: 0.18, MXN: 0.054, ZAR: 0.057 },
}

export interface Stage {
  name: string
  color: string
  /** Share of the list's leads in this stage, relative to the other stages. */
  weight: number
  success_rate: number
  type?: StatusType | null
}

const won = (name: string, weight: number): Stage => ({
  ...{ name, weight, color: '#16a34a', success_rate: 100, type: 'DEAL_WON' },
})
const lost = (name: string, weight: number): Stage => ({
  ...{ name, weight, color: '#dc2626', success_rate: 0, type: 'DEAL_LOST' },
})
const stage = (name: string, weight: number, success_rate: number, color: string): Stage => ({
  ...{ name, weight, success_rate, color },
})

/** `share` is the fraction of all leads that are in the list. */
export const lists: {
  name: string
  emoji: string
  description: string
  share: number
  stages: Stage[]
}[] = [
  {
    name: readyList.name,
    emoji: '🚀',
    description: 'Everybody we would like to win as a customer',
    share: 0.35,
    stages: readyStages.map((stage, at) => ({
      ...stage,
      weight: [40, 25, 14, 8, 6, 7][at] as number,
    })),
  },
  {
    name: 'Newsletter',
    emoji: '📣',
    description: 'Readers who are not customers yet',
    share: 0.3,
    stages: [
      stage('Subscribed', 70, 2, '#94a3b8'),
      stage('Engaged', 20, 10, '#60a5fa'),
      stage('Ready for sales', 6, 35, '#f59e0b'),
      lost('Unsubscribed', 4),
    ],
  },
  {
    name: 'Trade fairs',
    emoji: '🎪',
    description: 'Met at a booth: follow up within three days',
    share: 0.12,
    stages: [
      stage('Met', 50, 10, '#94a3b8'),
      stage('Followed up', 30, 20, '#60a5fa'),
      stage('Meeting booked', 10, 45, '#f59e0b'),
      won('Customer', 4),
      lost('No interest', 6),
    ],
  },
  {
    name: 'Renewals',
    emoji: '🔁',
    description: 'Contracts that end within the next months',
    share: 0.1,
    stages: [
      stage('Due', 45, 60, '#60a5fa'),
      stage('Offer sent', 20, 75, '#f59e0b'),
      won('Renewed', 28),
      lost('Churned', 7),
    ],
  },
  {
    name: 'Partners',
    emoji: '🤝',
    description: 'Agencies and resellers',
    share: 0.05,
    stages: [
      stage('Identified', 50, 10, '#94a3b8'),
      stage('In talks', 25, 30, '#60a5fa'),
      stage('Agreement', 10, 80, '#f59e0b'),
      won('Active', 10),
      lost('Declined', 5),
    ],
  },
  {
    name: 'Product trials',
    emoji: '🧪',
    description: 'Trying the product for 30 days',
    share: 0.02,
    stages: [
      stage('Signed up', 40, 15, '#94a3b8'),
      stage('Activated', 25, 40, '#60a5fa'),
      stage('Ending soon', 15, 50, '#f59e0b'),
      won('Converted', 12),
      lost('Expired', 8),
    ],
  },
]

/** Statuses without a list. A lead has at most one of them. */
export const globalStages: (Stage & { share: number })[] = [
  { ...stage('Key account', 1, 80, '#a855f7'), share: 0.02 },
  { ...stage('Do not contact', 1, 0, '#475569'), share: 0.01 },
]

export const tags = [
  { name: 'Decision maker', color: '#6366f1', share: 0.3 },
  { name: 'Inbound', color: '#22c55e', share: 0.2 },
  { name: 'Outbound', color: '#f97316', share: 0.15 },
  { name: 'Met in person', color: '#eab308', share: 0.1 },
  { name: 'Uses a competitor', color: '#ef4444', share: 0.07 },
  { name: 'Referral', color: '#14b8a6', share: 0.05 },
  { name: 'Hot', color: '#dc2626', share: 0.03 },
  { name: 'Webinar', color: '#8b5cf6', share: 0.02 },
  { name: 'Asked for pricing', color: '#0ea5e9', share: 0.015 },
  { name: 'Changed job', color: '#84cc16', share: 0.01 },
  { name: 'Press', color: '#ec4899', share: 0.006 },
  { name: 'Investor', color: '#a855f7', share: 0.004 },
  { name: 'Reference customer', color: '#16a34a', share: 0.002 },
  { name: 'Advisory board', color: '#64748b', share: 0.0015 },
  { name: 'Legal hold', color: '#111827', share: 0.001 },
]

export interface AttributePlan {
  type: AttributeType
  slug: string
  name: string
  description: string
  currency?: string
  is_multi?: boolean
  options?: { name: string; color: string; weight: number }[]
}

const attribute = (
  type: AttributeType,
  slug: string,
  name: string,
  description: string,
): AttributePlan => ({ type, slug, name, description })

const option = (name: string, color: string, weight: number) => ({ name, color, weight })

/** One attribute of every type; SELECT with one option and with several. */
export const attributes = {
  account: attribute('TEXT', 'account_code', 'Account code', 'The number in the bookkeeping'),
  background: attribute('TEXTAREA', 'background', 'Background', 'What to know before a call'),
  employees: attribute('NUMBER', 'employees', 'Employees', 'How many people work there'),
  billing: attribute('EMAIL', 'billing_email', 'Billing email', 'Where invoices go'),
  newsletter: attribute(
    'CHECKBOX',
    'newsletter_consent',
    'Newsletter consent',
    'May we send the newsletter?',
  ),
  renewal: attribute('DATE', 'renewal_date', 'Renewal date', 'When the contract ends'),
  demo: attribute('TIMESTAMP', 'last_demo', 'Last demo', 'When they last saw the product'),
  source: {
    ...attribute('SELECT', 'source', 'Source', 'How the first contact came about'),
    options: [
      option('Website', '#10b981', 50),
      option('Recommendation', '#6366f1', 25),
      option('Trade fair', '#f59e0b', 15),
      option('Cold call', '#64748b', 8),
      option('Podcast', '#ec4899', 2),
    ],
  },
  interests: {
    ...attribute('SELECT', 'interests', 'Interests', 'Products they asked about'),
    is_multi: true,
    options: [
      option('Starter', '#22c55e', 40),
      option('Team', '#0ea5e9', 30),
      option('Enterprise', '#a855f7', 15),
      option('Training', '#f97316', 10),
      option('Migration', '#ef4444', 4),
      option('On-site support', '#111827', 1),
    ],
  },
  budget: {
    ...attribute('CURRENCY', 'budget', 'Budget', 'What they can spend in a year'),
    currency: 'EUR',
  },
  office: attribute('LOCATION', 'office', 'Office', 'Where to visit them'),
  direct: attribute('PHONENUMBER', 'direct_line', 'Direct line', 'Past the front desk'),
  employer: attribute(
    'RELATION',
    'works_at',
    'Works at',
    'The company of a person, or the parent of a company',
  ),
} satisfies Record<string, AttributePlan>

export type AttributeKey = keyof typeof attributes

interface StepPlan {
  name: string
  subject: string
  body: string
  delay_days: number
}

const step = (name: string, delay_days: number, subject: string, body: string): StepPlan => ({
  ...{ name, delay_days, subject, body: `Hello {{first_name}},\n\n${body}` },
})

/** `age`: the campaign started this many days ago. `ended`: it ended this many days ago. */
export const campaigns = [
  {
    name: 'Autumn outreach',
    icon: '🍂',
    status: 'RUNNING',
    age: 60,
    ended: null,
    share: 0.08,
    steps: [
      step('Introduction', 0, 'A question about {{company}}', 'how do you follow up today?'),
      step('Case study', 4, 'How others do it', 'three teams like yours told us what changed.'),
      step('Offer', 7, 'A proposal for {{company}}', 'would two weeks of trial be of use?'),
      step('Last word', 10, 'Shall I close your file?', 'I do not want to be a bother.'),
    ],
  },
  {
    name: 'Product launch',
    icon: '🎉',
    status: 'RUNNING',
    age: 20,
    ended: null,
    share: 0.06,
    steps: [
      step('Announcement', 0, 'It is here', 'today we show what we have been working on.'),
      step('Walk-through', 3, 'Five minutes, no slides', 'this is how it looks from inside.'),
      step('Invitation', 6, 'See it live on Thursday', 'there is a seat for you.'),
    ],
  },
  {
    name: 'Trade fair follow-up',
    icon: '🎪',
    status: 'COMPLETED',
    age: 240,
    ended: 200,
    share: 0.03,
    steps: [
      step('Good to meet you', 0, 'Good to meet you', 'thank you for stopping at our booth.'),
      step('Slides', 3, 'The slides you asked for', 'here is what we talked about.'),
      step('Meeting', 7, 'Twenty minutes next week?', 'would Tuesday suit you?'),
    ],
  },
  {
    name: 'Win-back',
    icon: '💌',
    status: 'PAUSED',
    age: 400,
    ended: null,
    share: 0.015,
    steps: [
      step('We miss you', 0, 'It has been a while', 'what would make you come back?'),
      step('What is new', 5, 'Much has changed', 'these are the ten things people love most.'),
      step('Discount', 9, 'A quarter off', 'until the end of the month.'),
      step('Farewell', 14, 'Goodbye, then', 'your data is yours: here is the export.'),
    ],
  },
] as const
