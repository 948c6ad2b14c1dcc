// Undoing an import removes what it created besides leads, unless somebody uses it. Undoing the undo restores it.
import { leadRelations } from '@rapport/contract/leads/relations'
import type { Db } from '../../db/driver.ts'
import { recordAlike, recordUpdated } from '../../feed/record.sql.ts'
import type { AttributeRow } from '../../references/attributes.ts'
import {
  deleteAttribute,
  deleteOptions,
  insertAttribute,
  insertOptions,
  lockAttribute,
  updateAttribute,
} from '../attributes/attributes.sql.ts'
import { pickLeads, updatePicked } from '../leads/change/pick.sql.ts'
import { disconnect } from '../leads/change/relations.sql.ts'
import { removeAttributeFromLists } from '../lists/lists.sql.ts'
import {
  keepMade,
  keepRemoved,
  type Made,
  type MadeKind,
  type MadeRelation,
  madeRelations,
  type Removed,
  selectRemoved,
} from './store/made.sql.ts'
import type { OperationAuthor } from './store/operation.sql.ts'
import {
  clearOption,
  deleteRecords,
  hasAttribute,
  hasRecord,
  insertRecords,
  restoreLists,
  selectAttributeUse,
  selectOptionUse,
  selectUse,
  type Use,
} from './undo.made.sql.ts'

/** What an undo says of it. */
export interface MadeUndone {
  removed: { kind: MadeKind; name: string }[]
  /** With the number of leads that have it. */
  stays: { kind: MadeKind; name: string; leads: number }[]
}

/** Removes what nobody uses. Call it when the leads of the operation are as they were. */
export async function undoMade(db: Db, by: OperationAuthor, made: Made[]): Promise<MadeUndone> {
  const removed: Removed[] = []
  const stays: MadeUndone['stays'] = []
  const idsOf = (kind: MadeKind) =>
    made.filter((each) => each.kind === kind).flatMap(({ ids }) => ids)
  const sort = (kind: MadeKind, uses: Use[], attribute?: string): Removed[] => {
    const [free, used] = [uses.filter(({ isUsed }) => !isUsed), uses.filter((use) => use.isUsed)]
    stays.push(...used.map(({ row: { name }, leads }) => ({ kind, name, leads })))
    const records = free.map(({ row }) => ({ kind, row, ...(attribute && { attribute }) }))
    removed.push(...records)
    return records
  }
  for (const { kind, ids, attribute = '' } of made) {
    if (kind !== 'option') continue
    const before = await lockAttribute(db, by.space, attribute)
    if (!before) continue
    const uses = await selectOptionUse(db, by.space, before, ids)
    await removeOptions(db, by, before, sort('option', uses, attribute))
  }
  const free = (records: Removed[]) => records.map(({ row }) => row.id)
  const attributes = free(
    sort('attribute', await selectAttributeUse(db, by.space, idsOf('attribute'))),
  )
  if (attributes.length > 0) await removeAttributes(db, by, attributes)
  for (const relation of madeRelations) {
    const kind = kindOf(relation)
    const ids = free(sort(kind, await selectUse(db, by.space, relation, idsOf(kind))))
    if (ids.length === 0) continue
    await disconnect(db, by, relation, hasRecord(relation, ids))
    await deleteRecords(db, by, relation, ids)
    await recordAlike(db, by, `${kind}.deleted`, ids)
  }
  await keepRemoved(db, by, removed)
  return { removed: removed.map(({ kind, row: { name } }) => ({ kind, name })), stays }
}

const kindOf = (relation: MadeRelation) => leadRelations[relation].record

async function removeAttributes(db: Db, by: OperationAuthor, ids: string[]): Promise<void> {
  const leads = await pickLeads(db, by.space, hasAttribute(ids), 'deleted')
  await updatePicked(db, by, leads.ids, {}, Object.fromEntries(ids.map((id) => [id, null])))
  for (const id of ids) {
    await removeAttributeFromLists(db, by.space, id)
    await deleteAttribute(db, by.space, id)
  }
  await recordAlike(db, by, 'attribute.deleted', ids)
}

async function removeOptions(
  db: Db,
  by: OperationAuthor,
  before: AttributeRow,
  gone: Removed[],
): Promise<void> {
  if (gone.length === 0) return
  const ids = gone.map(({ row }) => row.id)
  await clearOption(db, by, before.id, ids)
  await setOptions(
    db,
    by,
    before,
    before.options.filter(({ id }) => !ids.includes(id)),
  )
}

async function setOptions(
  db: Db,
  by: OperationAuthor,
  before: AttributeRow,
  options: AttributeRow['options'],
): Promise<void> {
  await deleteOptions(db, by.space, before.id)
  await insertOptions(db, by.space, before.id, options)
  await updateAttribute(db, by.space, before.id, {}, by.now)
  await recordUpdated(db, by, 'attribute', before, { ...before, options })
}

/** Brings back what an undo has removed. Call it before its leads come back. */
export async function remake(db: Db, by: OperationAuthor, undo: string): Promise<void> {
  const removed = await selectRemoved(db, by.space, undo)
  const ofKind = (kind: MadeKind) => removed.filter((each) => each.kind === kind)
  const idsIn = (kind: MadeKind) => ofKind(kind).map(({ row }) => row.id)
  await restoreLists(db, by.space, idsIn('list'))
  for (const { row } of ofKind('attribute')) {
    const attribute = row as unknown as AttributeRow
    if (await insertAttribute(db, attribute)) {
      await insertOptions(db, by.space, row.id, attribute.options)
    }
  }
  for (const { row, attribute = '' } of ofKind('option')) {
    const before = await lockAttribute(db, by.space, attribute)
    const option = row as unknown as AttributeRow['options'][number]
    if (before) await setOptions(db, by, before, [...before.options, option])
  }
  for (const relation of ['status', 'tags'] as const) {
    const rows = ofKind(kindOf(relation)).map(({ row }) => row)
    await insertRecords(db, by.space, relation, rows)
  }
  for (const kind of ['list', 'attribute', 'status', 'tag'] as const) {
    await recordAlike(db, by, `${kind}.created`, idsIn(kind))
  }
  await keepMade(
    db,
    by,
    removed.map(({ kind, attribute, row: { id } }) => ({
      ...{ kind, ids: [id] },
      ...(attribute && { attribute }),
    })),
  )
}
