// Merges leads: those of a group become one of them. What is done is journaled like every change, so that the undo
// of operations takes it back.
import { badRequest, type Issue, unknownRecord } from '@rapport/contract/errors'
import type { BulkData } from '@rapport/contract/leads/bulk'
import { type ChangeField, changeFields } from '@rapport/contract/leads/fields'
import { mergeRules, type SurvivorRule, survivorRules } from '@rapport/contract/leads/merge.values'
import { LeadChange } from '@rapport/contract/leads/shapes'
import { Shape } from '@rapport/contract/shapes'
import { lockSpace } from '../../../access/access.sql.ts'
import { cellOf } from '../../../attributes/types.ts'
import type { Db } from '../../../db/driver.ts'
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
import { type LeadUpdate, lockLeads, updateRows } from '../change/batch.sql.ts'
import { attributeValues } from '../change/change.ts'
import { writtenColumns } from '../change/written-columns.ts'
import { selectZone } from '../duplicates/keys.sql.ts'
import { holdOffErasing } from '../erase/erase.sql.ts'
import { changeCount } from '../row/count.sql.ts'
import { companyKeyOf } from '../search/match.ts'
import { groupsByKey, oneGroup, sharesKey } from './groups.ts'
import {
  mergeInto,
  type Pair,
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
} from './values.ts'

type Path = Issue['path']

/** Leads are read and written this many groups at a time. */
const batchSize = 1_000
/** Leads that refer to merged ones, this many at a time. */
const referringSize = 5_000

/** Checks what is wanted, and locks what leads may get from each other. */
export async function planMerge(db: Db, { space }: Author, data: BulkData['merge'], path: Path) {
  // One at a time with the batches of imports: they find leads before they lock them.
  await lockSpace(db, space)
  await holdOffErasing(db, space)
  await lockAllLists(db, space)
  const attributes = await selectAttributes(db, space)
  await lockAttributes(
    db,
    space,
    attributes.map(({ id }) => id),
  )
  const survivor = readSurvivor(data, [...path, 'survivor'])
  const choices = await readChoices(db, space, attributes, data, [...path, 'fields'])
  const zone = await selectZone(db, space)

  const { by: kind } = data
  const groupsOf = (ids: string) => (kind ? groupsByKey(db, space, kind, ids) : oneGroup(ids))

  /** Merges the leads of each group. Returns who became part of whom. */
  async function mergeGroups(by: Author, groups: string[][]): Promise<Pair[]> {
    const pairs: Pair[] = []
    const renamed: { before: string; after: string }[] = []
    for (const some of inChunks(groups, batchSize)) {
      const known = new Map(
        (await selectToMerge(db, space, some.flat())).map((lead) => [lead.id, lead]),
      )
      const updates: LeadUpdate[] = []
      for (const group of some) {
        const leads = group.flatMap((id) => known.get(id) ?? []).sort(byAge)
        const [stays, ...others] = chooseSurvivor(leads, survivor)
        if (!stays) throw badRequest(unknownRecord([...path, 'survivor'], 'lead'))
        requireChosen(choices, group, [...path, 'fields'])
        const update = mergeValues([stays, ...others], choices, zone)
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
    return pairs
  }

  return {
    ...(kind && { condition: sharesKey(space, kind) }),
    wouldChange: sql`true`,
    merge: { groupsOf, mergeGroups },
    async apply(by: Author, { count, ids }: { count: number; ids: string }): Promise<number> {
      const { groups } = await groupsOf(ids)
      await mergeGroups(by, groups)
      return count
    },
  }
}

const byAge = (a: MergeLead, b: MergeLead) =>
  Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1)

function readSurvivor(
  { survivor: given, by }: BulkData['merge'],
  path: Path,
): SurvivorRule | { id: string } {
  const rule = survivorRules.find((name) => name === given)
  if (rule) return rule
  if (isId(given) && !by) return { id: given.toLowerCase() }
  const orId = by ? '' : ', or the id of a lead'
  const message = `Must be one of ${survivorRules.join(', ')}${orId}`
  throw badRequest({ path, code: 'survivor', message })
}

const checkValues = validator(
  Shape('MergeData', { data: Shape('MergeFields', { fields: LeadChange }) }),
)

/** What is chosen for single fields and attributes. */
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
    const choice = readChoice(given, by === undefined, [...path, name])
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
  const stored = await attributeValues(db, space, attributes, path)
  for (const [id, value] of Object.entries(stored)) choices.attributes.set(id, { value })
  return choices
}

function readChoice(given: unknown, isOneGroup: boolean, path: Path): Choice {
  const rule = mergeRules.find((name) => name === given)
  if (rule) return rule
  const { from, value, ...rest } = (given ?? {}) as Record<string, unknown>
  if (typeof given === 'object' && Object.keys(rest).length === 0) {
    if (isOneGroup && typeof from === 'string' && isId(from) && value === undefined) {
      return { from: from.toLowerCase() }
    }
    if (from === undefined && value !== undefined) return { value }
  }
  const orFrom = isOneGroup ? ' or {"from": the id of a lead}' : ''
  const message = `Must be one of ${mergeRules.join(', ')}, {"value"}${orFrom}`
  throw badRequest({ path, code: 'choice', message })
}

/** The leads that values are chosen from are of the group. */
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
