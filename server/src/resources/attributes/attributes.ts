// Handlers of custom attributes: their definitions and options. Deleting an attribute or an option also
// removes it from all leads.
import type { SelectOption } from '@rapport/contract/attributes'
import { type AttributeType, attributes as contract } from '@rapport/contract/attributes'
import { additionOf } from '@rapport/contract/attributes.values'
import {
  badRequest,
  type Issue,
  maxIssues,
  notFound,
  unknownRecord,
} from '@rapport/contract/errors'
import { type Db, sqlState, transaction } from '../../db/driver.ts'
import { recordCreated, recordDeleted, recordUpdated } from '../../feed/record.sql.ts'
import { resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { newId } from '../../ids.ts'
import { type AttributeRow, selectAttributes } from '../../references/attributes.ts'
import { requireRoom } from '../../references/room.ts'
import { clearOptions, clearValues } from '../leads/change/clear-values.sql.ts'
import { removeAttributeFromLists } from '../lists/lists.sql.ts'
import {
  deleteAttribute,
  deleteOptions,
  insertAttribute,
  insertOptions,
  lockAttribute,
  selectSlugs,
  updateAttribute,
} from './attributes.sql.ts'
import { toSlug } from './slug.ts'

const toAttribute = ({ is_multi, is_system, version: _, options, ...row }: AttributeRow) => ({
  ...row,
  object_definitionsId: '',
  isMultiSelect: is_multi,
  isSystem: is_system,
  attribute_definitions_select_options_order: options.map(({ id }) => id),
  select_options: options,
})

export const attributes = resource(contract, {
  async list(db, { space }) {
    return (await selectAttributes(db, space)).map(toAttribute)
  },

  async create(db, call) {
    const { space, body, now } = call
    const faults = typeFaults(body.type, body)
    if (faults.length > 0) throw badRequest(faults)
    const row = {
      id: newId(),
      id_space: space,
      type: body.type,
      name: body.name,
      description: body.description ?? '',
      currency: body.currency ?? '',
      is_multi: body.isMultiSelect ?? false,
      is_system: false,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
      version: 1,
      options: (body.select_options ?? []).map(({ name, color = '' }) => ({
        id: newId(),
        name,
        color,
      })),
    }
    return transaction(db, async (tx) => {
      const made =
        body.slug === undefined
          ? await insertWithFreeSlug(tx, row)
          : await insertWithSlug(tx, { ...row, slug: body.slug })
      await insertOptions(tx, space, made.id, made.options)
      await requireRoom(tx, space, 'attribute')
      const attribute = toAttribute(made)
      await recordCreated(tx, call, 'attribute', attribute)
      return attribute
    })
  },

  async update(db, call) {
    const { space, id, body, now } = call
    const change = pick(body, ['name', 'slug', 'description', 'currency'])
    return transaction(db, async (tx) => {
      const before = await lockAttribute(tx, space, id)
      if (!before) throw notFound()
      const faults = typeFaults(before.type, pick(body, ['currency', 'select_options']))
      if (faults.length > 0) throw badRequest(faults)
      const options = readOptions(before.options, body.select_options ?? before.options)

      await updateAttribute(tx, space, id, change, now).catch(explainConflict)
      if (body.select_options) await replaceOptions(tx, before, options)
      await requireRoom(tx, space, 'attribute')
      const after = { ...before, ...change, options, updated_at: now.toISOString() }
      await recordUpdated(tx, call, 'attribute', toAttribute(before), toAttribute(after))
      return toAttribute(after)
    })
  },

  async remove(db, call) {
    const { space, id } = call
    await transaction(db, async (tx) => {
      // All transactions lock lists, then attributes, then leads.
      await removeAttributeFromLists(tx, space, id)
      // Waits for transactions that are writing values of the attribute.
      const deleted = await deleteAttribute(tx, space, id)
      if (!deleted) throw notFound()
      await clearValues(tx, space, id)
      await recordDeleted(tx, call, 'attribute', deleted)
    })
    return 'Attribute deleted'
  },
})

/** The faults of fields that an attribute of this type cannot have. */
function typeFaults(
  type: AttributeType,
  body: { isMultiSelect?: boolean; currency?: string; select_options?: unknown[] },
): Issue[] {
  const faults: Issue[] = []
  const fault = (field: string, message: string) => {
    faults.push({ path: [field], code: 'kind', message })
  }
  if (additionOf(type) !== 'options') {
    if (body.isMultiSelect) fault('isMultiSelect', 'Only a SELECT attribute can be multi-select')
    if (body.select_options) fault('select_options', 'Only a SELECT attribute has options')
  }
  if (additionOf(type) !== 'currency' && body.currency !== undefined) {
    fault('currency', 'Only a CURRENCY attribute has a currency')
  }
  return faults
}

const slugInUse = () =>
  badRequest({ path: ['slug'], code: 'duplicate', message: 'Another attribute has this slug' })

const uniqueViolation = '23505'

function explainConflict(error: unknown): never {
  throw sqlState(error) === uniqueViolation ? slugInUse() : error
}

async function insertWithSlug(db: Db, row: AttributeRow): Promise<AttributeRow> {
  if (!(await insertAttribute(db, row))) throw slugInUse()
  return row
}

/** Takes the first of budget, budget_2, budget_3, … that is free. */
async function insertWithFreeSlug(db: Db, row: Omit<AttributeRow, 'slug'>): Promise<AttributeRow> {
  const wanted = toSlug(row.name)
  for (;;) {
    const taken = new Set(await selectSlugs(db, row.id_space))
    let slug = wanted
    for (let count = 2; taken.has(slug); count++) slug = `${wanted}_${count}`
    // If another request has taken the slug in the meantime, look again.
    if (await insertAttribute(db, { ...row, slug })) return { ...row, slug }
  }
}

type SentOption = { id?: string | null; name?: string; color?: string }

/**
 * The options after the change. An entry with a known id keeps that option; an entry without id is new.
 */
function readOptions(known: SelectOption[], sent: SentOption[]): SelectOption[] {
  const byId = new Map(known.map((option) => [option.id, option]))
  const seen = new Set<string>()
  const faults: Issue[] = []
  // A body can have millions of faults. The response lists only the first ones.
  const fault = (issue: Issue) => {
    if (faults.length < maxIssues) faults.push(issue)
  }
  const options = sent.map((entry, index) => {
    const path = ['select_options', index]
    const id = entry.id?.toLowerCase() || newId()
    const before = byId.get(id)
    if (entry.id && !before) fault(unknownRecord([...path, 'id'], 'option'))
    if (seen.has(id)) {
      const message = 'This option is already in the array'
      fault({ path: [...path, 'id'], code: 'duplicate', message })
    }
    seen.add(id)
    const { name = before?.name, color = before?.color ?? '' } = entry
    if (name === undefined && !entry.id) {
      fault({ path: [...path, 'name'], code: 'required', message: 'Required' })
    }
    return { id, name: name ?? '', color }
  })
  if (faults.length > 0) throw badRequest(faults)
  return options
}

async function replaceOptions(db: Db, before: AttributeRow, options: SelectOption[]) {
  const { id, id_space } = before
  await deleteOptions(db, id_space, id)
  await insertOptions(db, id_space, id, options)
  const kept = new Set(options.map((option) => option.id))
  const removed = before.options.map((option) => option.id).filter((option) => !kept.has(option))
  if (removed.length > 0) await clearOptions(db, id_space, id, removed)
}
