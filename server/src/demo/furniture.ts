// Creates the lists, statuses, tags, attributes, campaigns and exchange rates of a demo workspace. If one with the
// same name exists, it is used instead.

import { colorAt } from '@rapport/contract/stages.values'
import { selectSpace } from '../access/access.sql.ts'
import type { Db } from '../db/driver.ts'
import type { Author } from '../feed/author.ts'
import { recordAlike } from '../feed/record.sql.ts'
import { newId } from '../ids.ts'
import type { Random } from '../random.ts'
import { type AttributeRow, selectAttributes } from '../references/attributes.ts'
import { insertAttribute, insertOptions } from '../resources/attributes/attributes.sql.ts'
import {
  saveCampaign,
  saveStep,
  selectKnownCampaigns,
  selectKnownSteps,
} from '../resources/campaigns/campaigns.import.sql.ts'
import { insertList, selectLists } from '../resources/lists/lists.sql.ts'
import { insertRates } from '../resources/rates/rates.sql.ts'
import { insertStatus, selectStatuses } from '../resources/status/status.sql.ts'
import { insertTag, selectTags } from '../resources/tags/tags.sql.ts'
import {
  type AttributeKey,
  type AttributePlan,
  attributes,
  campaigns,
  dollars,
  globalStages,
  lists,
  type Stage,
  tags,
} from './catalog.ts'

export type StageRecord = Stage & { id: string }

export interface Furniture {
  lists: { id: string; share: number; stages: StageRecord[] }[]
  globalStages: (StageRecord & { share: number })[]
  tags: { id: string; share: number }[]
  attributes: Record<AttributeKey, { id: string; options: { id: string; weight: number }[] }>
  campaigns: {
    id: string
    share: number
    started: number
    ended: number
    steps: string[]
  }[]
}

const day = 86_400_000

interface Work {
  space: string
  random: Random
  /** When the oldest records were created. */
  start: Date
  now: Date
  /** The ids of the records that did not exist before. */
  created: Record<'list' | 'status' | 'tag' | 'attribute' | 'campaign' | 'rate', string[]>
}

export async function furnish(db: Db, by: Author, random: Random, start: Date): Promise<Furniture> {
  const { space, now } = by
  const created = { list: [], status: [], tag: [], attribute: [], campaign: [], rate: [] }
  const work: Work = { space, random, start, now, created }
  const furniture = {
    lists: await furnishLists(db, work),
    globalStages: await furnishStages(db, work, null, globalStages),
    tags: await furnishTags(db, work),
    attributes: await furnishAttributes(db, work),
    campaigns: await furnishCampaigns(db, work),
  }
  await furnishRates(db, work)
  for (const [what, ids] of Object.entries(work.created)) {
    await recordAlike(db, by, `${what as keyof Work['created']}.created`, ids)
  }
  return furniture
}

async function furnishLists(db: Db, work: Work) {
  const { space, random, start, created } = work
  const known = await selectLists(db, space)
  const made: Furniture['lists'] = []
  for (const [at, { name, emoji, description, share, stages }] of lists.entries()) {
    const look = { name, emoji, description, color: colorAt(at) }
    const list = { id: random.id(start.getTime()), ...look, auto_status: true }
    const found = known.find((entry) => entry.name === name)
    if (!found) {
      await insertList(db, space, list, start)
      created.list.push(list.id)
    }
    const { id } = found ?? list
    made.push({ id, share, stages: await furnishStages(db, work, id, stages) })
  }
  return made
}

async function furnishStages<T extends Stage>(
  db: Db,
  { space, random, start, created }: Work,
  id_list: string | null,
  stages: T[],
): Promise<(T & { id: string })[]> {
  const known = (await selectStatuses(db, space)).filter((entry) => entry.id_list === id_list)
  const made: (T & { id: string })[] = []
  for (const stage of stages) {
    const { name, color, success_rate, type = null } = stage
    const found = known.find((entry) => entry.name === name)
    const id = found?.id ?? random.id(start.getTime())
    if (!found) {
      const status = { id, id_list, name, color, success_rate, type, ai_enabled: false }
      await insertStatus(db, space, { ...status, order: undefined }, start)
      created.status.push(id)
    }
    made.push({ ...stage, id })
  }
  return made
}

async function furnishTags(db: Db, { space, random, start, created }: Work) {
  const known = await selectTags(db, space)
  const made: Furniture['tags'] = []
  for (const { name, color, share } of tags) {
    const tag = { id: random.id(start.getTime()), name, color }
    const found = known.find((entry) => entry.name === name)
    if (!found) {
      await insertTag(db, space, tag, start)
      created.tag.push(tag.id)
    }
    made.push({ id: (found ?? tag).id, share })
  }
  return made
}

async function furnishAttributes(db: Db, work: Work) {
  const { space, start } = work
  const known = await selectAttributes(db, space)
  const made = {} as Furniture['attributes']
  const plans = Object.entries(attributes) as [AttributeKey, AttributePlan][]
  for (const [index, [key, plan]] of plans.entries()) {
    // Different times, because attributes are listed by age.
    const time = new Date(start.getTime() + index)
    const found = known.find((entry) => isSame(entry, plan))
    const { id, options } = found ?? (await newAttribute(db, work, time, known, plan))
    const weights = plan.options?.map(({ weight }) => weight) ?? []
    made[key] = {
      id,
      options: options.map((entry, at) => ({ ...entry, weight: weights[at] ?? 1 })),
    }
  }
  return made
}

function isSame(
  entry: AttributeRow,
  { type, name, is_multi = false, options = [] }: AttributePlan,
) {
  return (
    entry.type === type &&
    entry.name === name &&
    entry.is_multi === is_multi &&
    // A select attribute without options cannot be used.
    entry.options.length >= Math.min(options.length, 1)
  )
}

async function newAttribute(
  db: Db,
  { space, random, created }: Work,
  time: Date,
  known: AttributeRow[],
  { options = [], slug: wanted, currency = '', is_multi = false, ...plan }: AttributePlan,
): Promise<AttributeRow> {
  let slug = wanted
  for (let count = 2; known.some((entry) => entry.slug === slug); count++) {
    slug = `${wanted}_${count}`
  }
  const row: AttributeRow = {
    ...plan,
    id: random.id(time.getTime()),
    id_space: space,
    slug,
    currency,
    is_multi,
    is_system: false,
    version: 1,
    created_at: time.toISOString(),
    updated_at: time.toISOString(),
    options: options.map(({ name, color }) => ({ id: random.id(time.getTime()), name, color })),
  }
  await insertAttribute(db, row)
  if (row.options.length > 0) await insertOptions(db, space, row.id, row.options)
  created.attribute.push(row.id)
  return row
}

async function furnishCampaigns(db: Db, { space, random, now, created }: Work) {
  const names = campaigns.map(({ name }) => name)
  const known = await selectKnownCampaigns(db, space, [], names)
  const made: Furniture['campaigns'] = []
  for (const { steps, share, age, ended, ...plan } of campaigns) {
    const started = now.getTime() - age * day
    const end = ended === null ? null : now.getTime() - ended * day
    const found = known.find(({ name }) => name === plan.name)
    const id = found?.id ?? random.id(started)
    if (!found) {
      const time = new Date(started).toISOString()
      const campaign = {
        ...{ ...plan, ...schedule, id, id_space: space },
        ...{ start_date: time, created_at: time, updated_at: time },
        end_date: end === null ? null : new Date(end).toISOString(),
      }
      await saveCampaign(db, space, campaign, true)
      created.campaign.push(id)
      for (const [position, step] of steps.entries()) {
        const row = { ...step, id: random.id(started + position), id_campaign: id, position }
        await saveStep(db, space, row, true)
      }
    }
    const rows = await selectKnownSteps(db, space, [id], [])
    rows.sort((a, b) => a.position - b.position)
    made.push({
      ...{ id, share, started, ended: end ?? now.getTime() },
      steps: rows.map((row) => row.id),
    })
  }
  return made
}

/** To the currency of the workspace, if it has one. */
async function furnishRates(db: Db, { space, now, created }: Work): Promise<void> {
  const base = (await selectSpace(db, space))?.currency ?? ''
  const worth = dollars[base]
  if (!worth) return
  const date = now.toISOString().slice(0, 10)
  const rates = Object.entries(dollars)
    .filter(([currency]) => currency !== base)
    .map(([currency, value]) => {
      const rate = Number((value / worth).toPrecision(4))
      return { id: newId(), base, currency, rate, date }
    })
  const saved = await insertRates(db, space, rates, now)
  created.rate.push(...saved.map(({ id }) => id))
}

const schedule = {
  days: '1,2,3,4,5',
  timezone: 'UTC',
  job_id: '',
  id_email_group: '',
  id_email_alias: 0,
  start_hour: 9,
  start_min: 0,
  end_hour: 17,
  end_min: 30,
  time_between_send: 10,
  unsubscribe_link: true,
  stop_sending_after_reply: true,
  stop_sending_after_bounce: true,
  track_open_rate: true,
  is_deleted: false,
}
