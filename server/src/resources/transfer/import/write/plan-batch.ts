// What a batch of rows does to the leads of the workspace: which are new, which change, which rows
// are refused, and why.
import {
  type Contact,
  contactsFields,
  leadFields,
  type MatchField,
} from '@rapport/contract/leads/fields'
import {
  leadRelations,
  type PlainRelation,
  perRelation,
  plainRelations,
} from '@rapport/contract/leads/relations'
import type { DuplicateWay } from '@rapport/contract/transfer'
import type { NoteLine, ReminderLine } from '@rapport/contract/transfer.lines'
import { cellOf } from '../../../../attributes/types.ts'
import type { Db } from '../../../../db/driver.ts'
import { newId } from '../../../../ids.ts'
import { Pace } from '../../../../pace.ts'
import {
  type DeferredRelation,
  selectIdsByAttribute,
  selectIdsByKey,
  selectLeadIds,
} from '../../../leads/change/batch.sql.ts'
import { followMerged, selectSurvivors } from '../../../leads/row/merged.sql.ts'
import { tellingKey } from '../../../leads/search/match.ts'
import { RowFault } from '../../file/errors.ts'
import type { SourceRow } from '../../file/row-source.ts'
import type { Catalog, Status } from '../rows/known-records.ts'
import type { Draft, Further, Name } from '../rows/read-row.ts'
import { type DecidedRows, decisionOf } from './decided-rows.ts'
import { findAlike, valuesOf } from './find-alike.ts'

export interface PlannedLead extends Record<PlainRelation, Set<string>> {
  id: string
  isNew: boolean
  fields: Record<string, unknown>
  attributes: Record<string, unknown>
  further: Further
  /** By id or content. */
  notes: Map<string, NoteLine>
  /** `users` are ids of members. Only for new leads: an undo removes them with the lead. */
  reminders: ReminderLine[]
  /** By list: a lead has one status in each. */
  status: Map<string | null, Status>
}

export interface RejectedRow {
  row: SourceRow
  /** Everything that is wrong with it. */
  reasons: string[]
}

export interface AlikeRow {
  row: number
  lead: string
  values: string[]
}

export interface Plan {
  leads: PlannedLead[]
  created: number
  updated: number
  skipped: number
  /** Rows without a value to find a lead by. */
  unmatched: number
  /** Rows that look like an existing lead. */
  alike: AlikeRow[]
  rejected: RejectedRow[]
  deferred: DeferredRelation[]
  /** Owners who are not members, and in how many rows. */
  strangers: Map<string, number>
}

/** How existing leads are found: by a field or an attribute. */
export type Key =
  | { kind: 'id' }
  | { kind: 'field'; name: MatchField }
  | { kind: 'attribute'; id: string; variants(value: string): string[] }

export interface PlanOptions {
  space: string
  upsertBy: Key | undefined
  /** A row about an existing lead changes nothing. */
  skipExisting?: boolean | undefined
  /** What to do with rows that look like an existing lead. */
  duplicates?: DuplicateWay | undefined
  /** The same for single rows. */
  duplicateRows?: DecidedRows[]
  dryRun: boolean
  id_import: string
  /** For every row. */
  lists: string[]
  tags: string[]
  /** In a dry run: what earlier batches would have created. */
  seen?: Set<string>
}

/** Without a say about rows that look like leads that are there, a dry run counts them. */
export const looksForAlike = ({
  dryRun,
  duplicates = 'create',
  duplicateRows = [],
}: Pick<PlanOptions, 'dryRun' | 'duplicates' | 'duplicateRows'>) =>
  dryRun || duplicates !== 'create' || duplicateRows.length > 0

export async function planBatch(
  db: Db,
  drafts: Draft[],
  catalog: Catalog,
  options: PlanOptions,
): Promise<Plan> {
  const { space, upsertBy, seen } = options
  const plan: Plan = {
    leads: [],
    ...{ created: 0, updated: 0, skipped: 0, unmatched: 0 },
    alike: [],
    rejected: [],
    deferred: [],
    strangers: new Map(),
  }
  const ids = drafts.flatMap((draft) => (draft.fields.id as string | undefined) ?? [])
  const known = ids.length > 0 ? await selectLeadIds(db, space, ids) : []
  const deleted = known.flatMap(({ id, is_deleted }) => (is_deleted ? id : []))
  // The id of a merged lead leads to the surviving one.
  const survivors = await selectSurvivors(db, space, deleted)
  const idOf = ({ fields }: Draft) => {
    const id = fields.id as string | undefined
    return id && (survivors.get(id)?.id ?? id)
  }
  const taken = new Map(known.map(({ id, is_deleted }) => [id, is_deleted]))
  for (const { id, is_deleted } of survivors.values()) taken.set(id, is_deleted)
  const keyed =
    upsertBy && upsertBy.kind !== 'id' ? await matchKeys(db, space, upsertBy, drafts) : undefined
  const planned = new Map<string, PlannedLead>()
  const { duplicates = 'create', duplicateRows = [] } = options
  const alikeOf = looksForAlike(options)
    ? await findAlike(db, space, drafts, options.id_import)
    : undefined

  const pace = new Pace()
  for (const draft of drafts) {
    if (pace.isDue) await pace.rest()
    try {
      const id = idOf(draft)
      const key = keyed?.keyOf(draft)
      const match = key === undefined ? undefined : keyed?.leads.get(key)
      const wasSeen = [id, key].some((name) => name !== undefined && seen?.has(name))
      if (
        match === undefined &&
        id !== undefined &&
        (taken.has(id) || planned.has(id) || wasSeen)
      ) {
        if (taken.get(id)) {
          throw new RowFault(`A deleted lead has the id ${id}. Restore it, or leave out the id.`)
        }
        if (keyed) throw new RowFault(`Another lead has the id ${id}`)
        if (upsertBy === undefined) {
          plan.skipped++
          continue
        }
      }
      const matched = match ?? (upsertBy?.kind === 'id' && id && taken.has(id) ? id : undefined)
      const alike = matched || id || wasSeen ? undefined : alikeOf?.(draft)
      const [said, first, last] = decisionOf(duplicateRows, draft.row.number) ?? [duplicates]
      const isKnown = matched !== undefined || wasSeen
      if (first !== undefined && first === last && !alike && !isKnown) {
        throw new RowFault(nothingToDecide)
      }
      const way = alike && said
      if (alike) {
        plan.alike.push({ row: draft.row.number, lead: alike, values: valuesOf(draft) })
      }
      if (way === 'skip' || (options.skipExisting && upsertBy && isKnown)) {
        plan.skipped++
        continue
      }
      const existing = matched ?? (way === 'update' ? alike : undefined)
      if (key !== undefined && match !== undefined) keyed?.keepFirst(draft, key)
      const lead = resolve(draft, existing ?? id ?? newId(), catalog, options, plan)
      lead.isNew = existing === undefined && !wasSeen
      const before = planned.get(lead.id)
      if (before) merge(before, lead)
      else {
        planned.set(lead.id, lead)
        plan.leads.push(lead)
      }
      if (key !== undefined) keyed?.leads.set(key, lead.id)
      keyed?.addFurther(lead)
      for (const name of [id, key]) if (name !== undefined) seen?.add(name)
      if (upsertBy && (keyed ? key : id) === undefined) plan.unmatched++
      if (before || !lead.isNew) plan.updated++
      else plan.created++
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      if (plan.alike.at(-1)?.row === draft.row.number) plan.alike.pop()
      plan.rejected.push({ row: draft.row, reasons: error.reasons })
    }
  }
  await deferRelations(db, catalog, plan, options.space)
  return plan
}

const nothingToDecide = 'Nothing to decide: the row does not look like an existing lead'

/** The leads that have the keys of the rows, compared as in POST /leads/search; the oldest counts. */
async function matchKeys(db: Db, space: string, by: Exclude<Key, { kind: 'id' }>, drafts: Draft[]) {
  if (by.kind === 'attribute') return matchAttribute(db, space, by, drafts)
  const field = by.name
  const list = contactsFields.find((name) => leadFields[name].of === field)
  const keyOf = ({ fields, further }: Draft): string | undefined => {
    const value = fields[field] ?? (list && further[list]?.[0]?.value)
    return typeof value === 'string' ? tellingKey(field, value) : undefined
  }
  const keys = [...new Set(drafts.flatMap((draft) => keyOf(draft) ?? []))]
  const found = await selectIdsByKey(db, space, field, keys)
  const leads = new Map([...found].map(([key, [oldest]]) => [key, oldest?.id ?? '']))
  const further = new Set([...found.keys()].filter((key) => found.get(key)?.[0]?.isFurther))
  return {
    keyOf,
    leads,
    /** A lead that is found by an additional email or phone keeps its first one. */
    keepFirst({ fields }: Draft, key: string) {
      if (further.has(key)) delete fields[field]
    },
    addFurther({ id, fields, further: others }: PlannedLead) {
      if (!list) return
      for (const { value } of [...((fields[list] ?? []) as Contact[]), ...(others[list] ?? [])]) {
        const key = tellingKey(field, value)
        if (key === undefined || leads.has(key)) continue
        leads.set(key, id)
        further.add(key)
      }
    },
  }
}

/** One id may be written in several ways: its first variant stands for all of them. */
async function matchAttribute(
  db: Db,
  space: string,
  { id, variants }: Extract<Key, { kind: 'attribute' }>,
  drafts: Draft[],
) {
  const jsonOf = ({ attributes }: Draft): string | undefined => {
    const value = attributes[id]
    return value === undefined || value === null || value === '' ? undefined : JSON.stringify(value)
  }
  const variantsOf = (json: string) =>
    json.startsWith('"') ? variants(JSON.parse(json)).map((text) => JSON.stringify(text)) : [json]
  const keyOf = (draft: Draft): string | undefined => {
    const value = jsonOf(draft)
    return value === undefined ? undefined : variantsOf(value)[0]
  }
  const wanted = new Set(drafts.flatMap((draft) => variantsOf(jsonOf(draft) ?? '[]')))
  wanted.delete('[]')
  const found = await selectIdsByAttribute(db, space, id, [...wanted])
  const leads = new Map<string, string>()
  for (const { value, id_lead } of found) {
    const key = variantsOf(value)[0] ?? value
    if (!leads.has(key)) leads.set(key, id_lead)
  }
  return { keyOf, leads, keepFirst() {}, addFurther() {} }
}

function resolve(
  { fields, attributes, further, names, notes, reminders }: Draft,
  id: string,
  catalog: Catalog,
  options: PlanOptions,
  plan: Plan,
): PlannedLead {
  const faults: string[] = []
  /** A record that cannot be found or created is one of possibly several faults. */
  const each = <T, R>(items: T[], find: (item: T) => R): R[] => {
    const found: R[] = []
    for (const item of items) {
      try {
        found.push(find(item))
      } catch (error) {
        if (!(error instanceof RowFault)) throw error
        faults.push(...error.reasons)
      }
    }
    return found
  }
  const strangers: string[] = []
  const find: Record<(typeof leadRelations)[PlainRelation]['record'], (name: Name) => string[]> = {
    list: (name) => [catalog.list(name)],
    tag: (name) => [catalog.tag(name)],
    member: (name) => membersOf(name, catalog, strangers),
  }
  const ofEveryRow: Partial<Record<PlainRelation, string[]>> = options
  const related = perRelation(plainRelations, (name) => {
    const given = ofEveryRow[name]?.map((name): Name => ({ name })) ?? []
    return each([...given, ...names[name]], find[leadRelations[name].record]).flat()
  })
  const { lists } = related
  // For every row, so that a name means the same status in the whole file.
  const home = options.lists.length > 0 ? lists[0] : undefined
  const status = each(names.status, (name) => catalog.status(name, lists, home) ?? []).flat()
  if (faults.length > 0) throw new RowFault(...faults)
  // A status of a list puts the lead into it.
  const ofStatus = status.flatMap(({ id_list }) => id_list ?? [])
  const planned = reminders.map((reminder) => ({
    ...reminder,
    users: reminder.users?.flatMap((name) => membersOf({ name }, catalog, strangers)) ?? [],
  }))
  for (const name of strangers) plan.strangers.set(name, (plan.strangers.get(name) ?? 0) + 1)
  // Not a copy: there are many rows with many fields.
  fields.id = id
  return {
    id,
    isNew: true,
    fields,
    attributes,
    further,
    ...perRelation(plainRelations, (name) => new Set(related[name])),
    lists: new Set([...lists, ...ofStatus]),
    notes: new Map(notes.map((note) => [note.id ?? note.content, note])),
    reminders: planned,
    status: new Map(status.map((entry) => [entry.id_list, entry])),
  }
}

/** Members, by id, email or name. A cell may name one or several. Those who are not members go into `strangers`. */
function membersOf(
  { id, name, parts = [name] }: Name,
  catalog: Catalog,
  strangers: string[],
): string[] {
  const member = (id && catalog.member(id)) ?? catalog.member(name)
  if (member) return [member]
  return parts.flatMap((part) => {
    const found = catalog.member(part)
    if (!found) strangers.push(part)
    return found ? [found] : []
  })
}

/** If several rows are about the same lead, the last one wins. */
function merge(before: PlannedLead, later: PlannedLead): void {
  Object.assign(before.fields, later.fields)
  Object.assign(before.attributes, later.attributes)
  for (const name of contactsFields) {
    const [known = [], more] = [before.further[name], later.further[name]]
    if (more) before.further[name] = [...known, ...more]
  }
  for (const name of plainRelations) {
    for (const id of later[name]) before[name].add(id)
  }
  for (const [key, note] of later.notes) before.notes.set(key, note)
  for (const [list, status] of later.status) before.status.set(list, status)
}

/** An attribute may refer to a lead that comes later in the file, so it is set when the import ends. */
async function deferRelations(db: Db, catalog: Catalog, plan: Plan, space: string): Promise<void> {
  const kinds = [...catalog.attributes.values()].filter(({ type }) => cellOf(type) === 'lead')
  const named = plan.leads.flatMap((lead) =>
    kinds.flatMap(({ id: id_attribute }) => {
      const id_other = lead.attributes[id_attribute]
      return typeof id_other === 'string'
        ? [{ lead, id_lead: lead.id, id_attribute, id_other }]
        : []
    }),
  )
  if (named.length === 0) return
  const found = await selectLeadIds(
    db,
    space,
    named.map(({ id_other }) => id_other),
  )
  const there = new Set([
    ...found.filter(({ is_deleted }) => !is_deleted).map(({ id }) => id),
    ...plan.leads.map(({ id }) => id),
  ])
  const follow = await followMerged(
    db,
    space,
    found.flatMap(({ id, is_deleted }) => (is_deleted ? id : [])),
  )
  for (const { lead, ...relation } of named) {
    const id = follow(relation.id_other)
    if (id !== relation.id_other) lead.attributes[relation.id_attribute] = id
    else if (!there.has(id)) {
      delete lead.attributes[relation.id_attribute]
      plan.deferred.push(relation)
    }
  }
}
