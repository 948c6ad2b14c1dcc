// Plans the import of a campaigns file: matches its entries with the campaigns, steps and leads that
// exist, and collects all faults. It writes nothing.
import { badRequest, type Issue, maxIssues, unknownRecord } from '@rapport/contract/errors'
import { toTimestamp } from '../../attributes/dates.ts'
import type { Db } from '../../db/driver.ts'
import { selectTimeZones } from '../../db/time-zones.sql.ts'
import { pick } from '../../http/pick.ts'
import { isId, newId } from '../../ids.ts'
import { selectIdsByKey } from '../leads/change/batch.sql.ts'
import { selectExistingLeads } from '../leads/row/existing.sql.ts'
import { matchKey } from '../leads/search/match.ts'
import {
  type CampaignEntry,
  campaignFieldNames,
  type ImportFile,
  type LeadEntry,
  type StepEntry,
  stepFieldNames,
} from './campaigns.import.schema.ts'
import {
  type LeadState,
  type StepRow,
  selectKnownCampaigns,
  selectKnownSteps,
} from './campaigns.import.sql.ts'
import type { CampaignRow } from './campaigns.sql.ts'

export type Change = 'new' | 'changed' | 'same'

export interface CampaignPlan {
  campaign: CampaignRow
  change: Change
  /** The campaign as it is now, with its steps. Undefined: it is new. */
  before: object | undefined
  /** The campaign as it will be, with its steps. */
  after: { id: string; steps: object[] }
  steps: { step: StepRow; change: Change }[]
  leads: string[]
  states: LeadState[]
}

type Path = Issue['path']

const campaignDefaults = {
  status: 'RUNNING',
  icon: '',
  days: '1,2,3,4,5',
  timezone: 'UTC',
  job_id: '',
  id_email_group: '',
  id_email_alias: 0,
  start_date: null,
  end_date: null,
  start_hour: 9,
  start_min: 0,
  end_hour: 17,
  end_min: 0,
  time_between_send: 0,
  unsubscribe_link: false,
  stop_sending_after_reply: true,
  stop_sending_after_bounce: true,
  track_open_rate: false,
}
const stepDefaults = { subject: '', body: '', delay_days: 0 }

export async function planImport(
  db: Db,
  space: string,
  { campaigns: entries }: ImportFile,
  now: Date,
): Promise<CampaignPlan[]> {
  const faults: Issue[] = []
  const seen = new Set<string>()
  const known = await selectKnownCampaigns(db, space, idsOf(entries), namesOf(entries))
  const zones = await selectTimeZones(
    db,
    entries.flatMap(({ timezone = [] }) => timezone),
  )
  const knownCampaigns = new Known(known)
  const campaigns = entries.map((entry, index) =>
    planCampaign(entry, ['campaigns', index], knownCampaigns),
  )
  const stepEntries = entries.flatMap(({ steps = [] }) => steps)
  const knownSteps = await selectKnownSteps(
    db,
    space,
    campaigns.map(({ campaign }) => campaign.id),
    idsOf(stepEntries),
  )
  const stepsOf = groupBy(knownSteps, ({ id_campaign }) => id_campaign)
  const stepIds = new Set(knownSteps.map(({ id }) => id))
  const findLead = await leadFinder(db, space, entries)

  const plans = entries.map(({ steps = [], leads = [] }, index): CampaignPlan => {
    const { campaign, change, before } = campaigns[index] as (typeof campaigns)[number]
    const path = ['campaigns', index]
    const own = stepsOf.get(campaign.id) ?? []
    const ownSteps = new Known(own)
    const planned = steps.map((entry, position) =>
      planStep(entry, position, [...path, 'steps', position], campaign.id, ownSteps),
    )
    const inFile = new Set(planned.map(({ step }) => step.id))
    const all = [...planned.map(({ step }) => step), ...own.filter(({ id }) => !inFile.has(id))]
    return {
      ...{ campaign, change, steps: planned },
      ...planLeads(leads, new Known(all), [...path, 'leads']),
      before: before && { ...before, steps: inOrder(own) },
      after: { ...campaign, steps: inOrder(all) },
    }
  })
  if (faults.length > 0) throw badRequest(faults)
  return plans

  function fault(path: Path, message: string): void {
    addFault({ path, code: 'import', message })
  }

  /** As many as are reported. */
  function addFault(issue: Issue): void {
    if (faults.length < maxIssues) faults.push(issue)
  }

  function requireUnique(key: string, path: Path, what: string): void {
    if (seen.has(key)) fault(path, `This ${what} is already in the file`)
    seen.add(key)
  }

  /** The row that an entry means: the row with its id or, if the entry has no id, with its name. */
  function match<Row extends { id: string; name: string }>(
    entry: { id?: string; name: string },
    rows: Known<Row>,
    path: Path,
  ): Row | undefined {
    if (entry.id !== undefined) return rows.byId.get(entry.id.toLowerCase())
    const same = rows.byName.get(entry.name) ?? []
    if (same.length > 1) fault(path, 'Several have this name. Use the id.')
    return same[0]
  }

  function planCampaign(entry: CampaignEntry, path: Path, rows: Known<CampaignRow>) {
    const before = match(entry, rows, [...path, 'name'])
    const id = before?.id ?? entry.id?.toLowerCase() ?? newId()
    requireUnique(before || entry.id ? id : `name ${entry.name}`, path, 'campaign')
    if (entry.timezone !== undefined && !zones.has(entry.timezone)) {
      fault([...path, 'timezone'], 'Unknown time zone. Use one like Europe/Paris.')
    }
    const created_at = now.toISOString()
    const fresh = { ...campaignDefaults, id, id_space: space, created_at }
    const campaign: CampaignRow = {
      ...(before ?? fresh),
      ...pick(entry, campaignFieldNames),
      ...times(entry, path),
      is_deleted: false,
      updated_at: now.toISOString(),
    }
    const change = compare(before, campaign, [...campaignFieldNames, 'is_deleted'])
    return { campaign, change, before }
  }

  /** The times of the entry, in the form in which they are stored. */
  function times(entry: CampaignEntry, path: Path) {
    const sent = pick(entry, ['start_date', 'end_date', 'created_at'])
    for (const [name, value] of Object.entries(sent)) {
      const time = value && toTimestamp(value)
      if (value && (!time || time < '0001')) fault([...path, name], 'Not a valid time')
      if (time) sent[name as keyof typeof sent] = time
    }
    return sent
  }

  function planStep(
    entry: StepEntry,
    position: number,
    path: Path,
    id_campaign: string,
    own: Known<StepRow>,
  ) {
    const before = match(entry, own, [...path, 'name'])
    const id = before?.id ?? entry.id?.toLowerCase() ?? newId()
    requireUnique(before || entry.id ? id : `${id_campaign} ${entry.name}`, path, 'step')
    if (!before && stepIds.has(id)) {
      fault([...path, 'id'], 'This step belongs to another campaign')
    }
    const fields = pick(entry, stepFieldNames)
    const step: StepRow = { ...stepDefaults, id, id_campaign, ...before, ...fields, position }
    return { step, change: compare(before, step, [...stepFieldNames, 'position']) }
  }

  function planLeads(given: LeadEntry[], steps: Known<StepRow>, path: Path) {
    const leads = new Set<string>()
    const states: LeadState[] = []
    for (const [index, entry] of given.entries()) {
      const at = [...path, index, 'lead']
      const found = findLead(entry.lead)
      const [id] = found
      if (id === undefined) {
        addFault(unknownRecord(at, 'lead'))
        continue
      }
      if (found.length > 1) fault(at, 'Several leads have this email. Use the id.')
      if (leads.has(id)) fault(at, 'This lead is already in the campaign')
      leads.add(id)
      const own = planStates(id, entry.steps ?? [], steps, [...path, index, 'steps'])
      for (const state of own) states.push(state)
    }
    return { leads: [...leads], states }
  }

  function planStates(
    id_lead: string,
    given: NonNullable<LeadEntry['steps']>,
    steps: Known<StepRow>,
    path: Path,
  ): LeadState[] {
    const states = new Map<string, LeadState>()
    for (const [index, { step, status }] of given.entries()) {
      const at = [...path, index, 'step']
      const id_step = match(isId(step) ? { id: step, name: '' } : { name: step }, steps, at)?.id
      if (id_step === undefined) {
        fault(at, 'No such step in this campaign')
        continue
      }
      if (states.has(id_step)) fault(at, 'This step is already listed')
      const flags = Object.fromEntries(status.map((flag) => [flag, true as const]))
      states.set(id_step, { id_lead, id_step, ...flags })
    }
    return [...states.values()]
  }
}

/** Rows that entries may mean. */
class Known<Row extends { id: string; name: string }> {
  readonly byId: ReadonlyMap<string, Row>
  readonly byName: ReadonlyMap<string, Row[]>

  constructor(rows: Row[]) {
    this.byId = new Map(rows.map((row) => [row.id, row]))
    this.byName = groupBy(rows, ({ name }) => name)
  }
}

function groupBy<Row>(rows: Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}

function inOrder(steps: StepRow[]) {
  return steps
    .map((step) => pick(step, ['id', 'position', ...stepFieldNames]))
    .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
}

function idsOf(entries: { id?: string }[]): string[] {
  return entries.flatMap(({ id }) => id ?? [])
}

function namesOf(entries: { id?: string; name: string }[]): string[] {
  return entries.flatMap(({ id, name }) => (id === undefined ? name : []))
}

function compare<Row>(before: Row | undefined, after: Row, fields: (keyof Row)[]): Change {
  if (!before) return 'new'
  return fields.every((name) => before[name] === after[name]) ? 'same' : 'changed'
}

/**
 * Looks up all leads of the file at once. Returns a function that finds the leads with an id or an
 * email.
 */
async function leadFinder(
  db: Db,
  space: string,
  entries: CampaignEntry[],
): Promise<(lead: string) => string[]> {
  const names = [...new Set(entries.flatMap(({ leads = [] }) => leads.map(({ lead }) => lead)))]
  const emails = names.filter((name) => !isId(name)).map((email) => matchKey('email', email))
  const byId = await selectExistingLeads(db, space, names.filter(isId))
  const byEmail = await selectIdsByKey(db, space, 'email', emails.filter(Boolean))
  return (lead) => {
    if (!isId(lead)) return byEmail.get(matchKey('email', lead))?.map(({ id }) => id) ?? []
    return byId.has(lead.toLowerCase()) ? [lead.toLowerCase()] : []
  }
}
