// Merges leads: those of a group become one of them. This is journaled like every change, so that operations can undo
// it.
import { largeGroup } from '@rapport/contract/duplicates.values'
import { badRequest, type Issue, unknownRecord } from '@rapport/contract/errors'
import type { BulkData } from '@rapport/contract/leads/bulk'
import { type ChangeField, changeFields } from '@rapport/contract/leads/fields'
import { mergeRules, type SurvivorRule, survivorRules } from '@rapport/contract/leads/merge.values'
import { LeadChange } from '@rapport/contract/leads/shapes'
import { Shape } from '@rapport/contract/shapes'
import { lockSpace } from '../../../access/access.sql.ts'
import { cellOf } from '../../../attributes/types.ts'
import { type Db, LostRace } from '../../../db/driver.ts'
import { sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { inChunks } from '../../../feed/record.sql.ts'
import { validator } from '../../../http/validate.ts'
import { isId } from '../../../ids.ts'
import {
  type AttributeRow,
  lockAttributes,
  selectAttributes,
} from '../../../references/attributes.ts'
import { lockAllLists } from '../../../references/lists.ts'
import { requireReferences } from '../../../references/references.ts'
import { type LeadUpdate, lockLeads, updateRows } from '../change/batch.sql.ts'
import { readFollowed } from '../change/change.ts'
import { writtenColumns } from '../change/written-columns.ts'
import { selectZone } from '../duplicates/keys.sql.ts'
import { holdOffErasing } from '../erase/erase.sql.ts'
import { changeCount } from '../row/count.sql.ts'
import { survivorOf } from '../row/merged.sql.ts'
import { companyKeyOf } from '../search/match.ts'
import { groupsByKey, type MergeGroups, oneGroup, sharesKey } from './groups.ts'
import {
  mergeInto,
  type Pair,
  selectLong,
  selectPeople,
  selectReferring,
  selectToMerge,
  uniteHistory,
  uniteRelations,
} from './merge.sql.ts'
import {
  type Choice,
  type Choices,
  chooseSurvivor,
  type MergeLead,
  mergedColumns,
  mergeValues,
  sizeAfter,
} from './values.ts'

type Path = Issue['path']

/** Leads are read and written this many groups at a time. */
const batchSize = 1_000
/** The bytes of a lead that its table takes (its constraint lead_size). */
const maxLeadSize = 131_072
/** Without a lead of this many bytes, a group is not too large, even with as many leads as a group may have. */
const longLead = Math.floor(maxLeadSize / largeGroup / 2)
/** Leads that refer to merged ones, this many at a time. */
const referringSize = 5_000

/** What happens to a group. */
export interface Decision {
  stays: MergeLead
  others: MergeLead[]
  /** What the surviving lead gets, if anything. */
  update: LeadUpdate | undefined
}

/** Checks the request. */
export async function planMerge(db: Db, { space }: Author, data: BulkData['merge'], path: Path) {
  const attributes = await selectAttributes(db, space)
  const survivor = await readSurvivor(db, space, data, [...path, 'survivor'])
  const choices = await readChoices(db, space, attributes, data, [...path, 'fields'])
  const zone = await selectZone(db, space)
  const { by: kind } = data

  /** Locks everything that leads may get from each other. */
  async function lock(): Promise<void> {
    // One at a time with the batches of imports: they find leads before they lock them.
    await lockSpace(db, space)
    await holdOffErasing(db, space)
    await lockAllLists(db, space)
    const ids = attributes.map(({ id }) => id)
    const locked = await lockAttributes(db, space, ids)
    const versions = (rows: AttributeRow[]) => rows.map(({ id, version }) => [id, version]).join()
    if (versions(locked) !== versions(attributes)) throw new LostRace('Attributes were changed')
  }

  async function groupsOf(ids: string): Promise<MergeGroups> {
    if (!kind) return oneGroup(ids)
    const found = await groupsByKey(db, space, kind, ids)
    const long = new Set(await selectLong(db, space, found.groups.flat(), longLead))
    const tooLarge = new Set<string[]>()
    const suspects = found.groups.filter((group) => group.some((id) => long.has(id)))
    for (const some of inChunks(suspects, batchSize)) {
      for (const [at, decision] of (await decide(some)).entries()) {
        if (sizeAfter(decision) > maxLeadSize) tooLarge.add(some[at] as string[])
      }
    }
    const groups = found.groups.filter((group) => !tooLarge.has(group))
    return { groups, skipped: found.skipped + tooLarge.size, tooLarge: [...tooLarge] }
  }

  async function decide(groups: string[][]): Promise<Decision[]> {
    const leads = await selectToMerge(db, space, groups.flat())
    const known = new Map(leads.map((lead) => [lead.id, lead]))
    return groups.map((group) => {
      const leads = group.flatMap((id) => known.get(id) ?? []).sort(byAge)
      const [stays, ...others] = chooseSurvivor(leads, survivor)
      if (!stays) throw badRequest(unknownRecord([...path, 'survivor'], 'lead'))
      requireChosen(choices, group, [...path, 'fields'])
      return { stays, others, update: mergeValues([stays, ...others], choices, zone) }
    })
  }

  return {
    ...(kind && { condition: sharesKey(space, kind) }),
    wouldChange: sql`true`,
    lock,
    merge: { groupsOf, decide },
    /** Merges the leads of each group. */
    async apply(by: Author, { count, ids, groups }: LeadsToMerge): Promise<number> {
      const pairs: Pair[] = []
      const renamed: { before: string; after: string }[] = []
      for (const some of inChunks(groups ?? (await groupsOf(ids)).groups, batchSize)) {
        const updates: LeadUpdate[] = []
        for (const { stays, others, update } of await decide(some)) {
          if (update) updates.push(update)
          pairs.push(...others.map(({ id }) => ({ id, into: stays.id })))
          renamed.push(...namesOf(stays, others, update))
        }
        if (updates.length > 0) {
          const columns = [...new Set(updates.flatMap(({ sent }) => sent))]
          await updateRows(db, by, columns, updates)
        }
      }
      await uniteRelations(db, by, pairs)
      await uniteHistory(db, by, pairs)
      await mergeInto(db, by, pairs)
      await followReferences(db, by, pairs, renamed)
      await changeCount(db, space, -pairs.length)
      return count
    },
  }
}

interface LeadsToMerge {
  count: number
  ids: string
  groups?: string[][] | undefined
}

const byAge = (a: MergeLead, b: MergeLead) =>
  Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1)

async function readSurvivor(
  db: Db,
  space: string,
  { survivor: given, by }: BulkData['merge'],
  path: Path,
): Promise<SurvivorRule | { id: string }> {
  const rule = survivorRules.find((name) => name === given)
  if (rule) return rule
  if (isId(given) && !by) return { id: await idOf(db, space, given) }
  const orId = by ? '' : ', or the id of a lead'
  const message = `Must be one of ${survivorRules.join(', ')}${orId}`
  throw badRequest({ path, code: 'survivor', message })
}

/** For a lead that was merged into another one. */
const idOf = async (db: Db, space: string, id: string) =>
  (await survivorOf(db, space, id)) ?? id.toLowerCase()

const checkValues = validator(
  Shape('MergeData', { data: Shape('MergeFields', { fields: LeadChange }) }),
)

/** The choices for single fields and attributes. */
async function readChoices(
  db: Db,
  space: string,
  known: AttributeRow[],
  { by, rule = 'survivor', fields = {} }: BulkData['merge'],
  path: Path,
): Promise<Choices> {
  const ofLeads = known.filter(({ type }) => cellOf(type) === 'lead')
  const relations = new Set(ofLeads.map(({ id }) => id))
  const choices: Choices = { rule, fields: new Map(), attributes: new Map(), relations }
  const values: Partial<Record<ChangeField, unknown>> = {}
  const attributes: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(fields)) {
    const isField = mergedColumns.some((field) => field === name)
    if (!isField && !isId(name)) {
      const message = 'Must be a field that is merged, or the id of an attribute'
      throw badRequest({ path: [...path, name], code: 'field', message })
    }
    const read = readChoice(given, by === undefined, [...path, name])
    const choice =
      typeof read === 'object' && 'from' in read ? { from: await idOf(db, space, read.from) } : read
    const key = isField ? name : name.toLowerCase()
    if (typeof choice !== 'object' || !('value' in choice)) {
      choices[isField ? 'fields' : 'attributes'].set(key, choice)
    } else if (!isField) attributes[key] = choice.value
    else if (changeFields.some((field) => field === name))
      values[name as ChangeField] = choice.value
    else throw badRequest({ path: [...path, name], code: 'field', message: 'Cannot be set' })
  }
  checkValues({ data: { fields: { ...values, attributes } } })
  const columns = writtenColumns(values, changeFields, path)
  for (const name of Object.keys(values)) choices.fields.set(name, { value: columns[name] })
  const { values: stored, references } = await readFollowed(db, space, known, attributes, path)
  await requireReferences(db, space, references)
  for (const [id, value] of Object.entries(stored)) choices.attributes.set(id, { value })
  return choices
}

function readChoice(given: unknown, isOneGroup: boolean, path: Path): Choice {
  const rule = mergeRules.find((name) => name === given)
  if (rule) return rule
  const { from, value, ...rest } = (given ?? {}) as Record<string, unknown>
  if (typeof given === 'object' && Object.keys(rest).length === 0) {
    if (isOneGroup && typeof from === 'string' && isId(from) && value === undefined) {
      return { from }
    }
    if (from === undefined && value !== undefined) return { value }
  }
  const orFrom = isOneGroup ? ' or {"from": the id of a lead}' : ''
  const message = `Must be one of ${mergeRules.join(', ')}, {"value"}${orFrom}`
  throw badRequest({ path, code: 'choice', message })
}

/** The leads that values are chosen from belong to the group. */
function requireChosen({ fields, attributes }: Choices, group: string[], path: Path): void {
  const issues = [...fields, ...attributes].flatMap(([name, choice]): Issue[] =>
    typeof choice === 'object' && 'from' in choice && !group.includes(choice.from)
      ? [unknownRecord([...path, name, 'from'], 'lead')]
      : [],
  )
  if (issues.length > 0) throw badRequest(issues)
}

/** The names of companies that become part of one with another name. */
function namesOf(stays: MergeLead, others: MergeLead[], update: LeadUpdate | undefined) {
  const after = update?.set.company ?? stays.company
  if (!stays.is_company || typeof after !== 'string' || after === '') return []
  const known = companyKeyOf(after)
  const names = others.flatMap(({ is_company, company }) =>
    is_company && typeof company === 'string' && company !== '' ? companyKeyOf(company) : [],
  )
  return [...new Set(names)]
    .filter((before) => before !== '' && before !== known)
    .map((before) => ({ before, after }))
}

/** Attributes that refer to a merged lead refer to the one that stays, and people of a company have its name. */
async function followReferences(
  db: Db,
  by: Author,
  pairs: Pair[],
  renamed: { before: string; after: string }[],
): Promise<void> {
  const referring = await selectReferring(db, by.space, pairs)
  const people = await selectPeople(db, by.space, renamed)
  const none: Omit<LeadUpdate, 'id'> = { sent: [], set: {}, attributes: {}, cleared: [] }
  const updates: LeadUpdate[] = [
    ...referring.map(({ id, attributes }) => {
      const entries = Object.entries(attributes)
      return {
        ...{ ...none, id, cleared: entries.flatMap(([name, to]) => (to === null ? name : [])) },
        attributes: Object.fromEntries(entries.filter(([, to]) => to !== null)),
      }
    }),
    ...people.map(({ id, company }) => ({ ...none, id, sent: ['company'], set: { company } })),
  ]
  for (const some of inChunks(updates, referringSize)) {
    await lockLeads(
      db,
      by.space,
      some.map(({ id }) => id),
    )
    const columns = some.some(({ sent }) => sent.length > 0) ? ['company'] : []
    await updateRows(db, by, columns, some)
  }
}
