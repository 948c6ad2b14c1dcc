// One realistic event of each type, for those who set up a connection before anything has happened.
import {
  contract,
  type Event,
  type EventRecord,
  type EventType,
  eventTypes,
  exampleIds,
} from '@rapport/contract'
import type { ResourceContract } from '@rapport/contract/route'
import type { Db } from '../../db/driver.ts'
import { run } from '../../db/sql.ts'
import { selectLead } from '../leads/row/json.sql.ts'
import { readTypes } from './cursor.ts'

type Values = Record<string, unknown>

/** What a record may look like where the example that creates it says too much, or does not say it. */
const special: Partial<Record<EventRecord | 'workspace', Values>> = {
  lead: {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'grace@navy.example',
    city: 'Arlington',
  },
  status: { name: 'Contacted', color: '#6366f1', id_list: exampleIds.list },
  attribute: { name: 'Budget', type: 'CURRENCY', currency: 'EUR' },
  note: { content: 'Asked for a quote', id_lead: exampleIds.lead },
  reminder: { name: 'Call back', date: '2026-04-01T09:00:00.000Z', id_lead: exampleIds.lead },
  view: { name: 'People with an email', mode: 'grid', shared: true },
  member: { name: 'Ada Lovelace', email: 'ada@example.com', role: 'write' },
  campaign: { name: 'Spring', status: 'RUNNING' },
  workspace: { name: 'Sales' },
}

function exampleOf(record: string): Values {
  const resources = Object.values<ResourceContract>(contract)
  const found = resources.find(({ examples = {} }) => Object.hasOwn(examples, record))
  return (found?.routes.create?.example.body ?? {}) as Values
}

function changedBy(record: string, verb: string): Event['changed'] {
  const values = Object.entries(special[record as EventRecord] ?? exampleOf(record))
  const pair = (value: unknown, before: unknown = null) => [before, value]
  if (verb === 'created' || verb === 'due') {
    return Object.fromEntries(values.map(([name, value]) => [name, pair(value)]))
  }
  const [[name, value] = ['name', '']] = values
  return verb === 'updated' ? { [name]: pair(value, `${value} (old)`) } : {}
}

/** A lead of the workspace that samples are about. */
export interface SampleLead {
  id: string
  json: Buffer
}

export async function selectSampleLead(db: Db, space: string): Promise<SampleLead | undefined> {
  const [row] = await run<{ id: string }[]>(db)`
    select id from lead where id_space = ${space} and not is_deleted
    order by created_at desc, id limit 1`
  const json = row && (await selectLead(db, space, row.id))
  return json && { id: row.id, json }
}

/** It became part of the lead that samples are about. */
const mergedLead = '01920000-0000-7000-8000-0000000000aa'

type Caller = { space: string; actor: Event['actor']; now: Date }

/** An event of the type, as the caller could have caused it now. */
export function sampleOf(
  type: EventType,
  { space, actor, now }: Caller,
  lead: SampleLead | undefined,
): Event & { test: true } {
  const [record = '', verb = ''] = type.split('.')
  const own = lead?.id ?? exampleIds.lead
  const ids: Record<string, string> = { ...exampleIds, lead: own, workspace: space }
  const changed = verb === 'merged' ? { merged_into: [null, own] } : changedBy(record, verb)
  return {
    ...{ seq: 1, type, at: now.toISOString(), actor },
    cause: { request_id: actor.request_id, operation: null, undo_of: null },
    ids: [verb === 'merged' ? mergedLead : (ids[record] as string)],
    changed: { ...changed, ...(changed.id_lead !== undefined && { id_lead: [null, own] }) },
    test: true,
  }
}

/** The same as JSON, with the lead if an event of this type comes with one. */
export function writeSample(type: EventType, caller: Caller, lead: SampleLead | undefined): string {
  const [record = '', verb = ''] = type.split('.')
  const isWithLead = ['lead', 'note', 'reminder'].includes(record) && isThere(record, verb)
  return withLead(sampleOf(type, caller, lead), isWithLead ? lead?.json : undefined)
}

const isThere = (record: string, verb: string) =>
  record !== 'lead' || !['deleted', 'erased'].includes(verb)

/** The JSON of an event, with the JSON of its lead. */
export const withLead = (event: object, lead: Buffer | undefined) =>
  `${JSON.stringify(event).slice(0, -1)},"lead":${lead?.toString() ?? 'null'}}`

/** All types if none is named. */
export function sampleTypes(types: string | undefined): readonly EventType[] {
  const wanted = readTypes(types)
  return wanted.length > 0 ? wanted : eventTypes
}
