// The kinds of bulk changes: which leads each selects, what it does to them, and which of them would
// change. The bulk routes and POST /operations do the same work.
import { badRequest, type Issue, notFound, unknownRecord } from '@rapport/contract/errors'
import type { BulkData } from '@rapport/contract/leads/bulk'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { Share } from '@rapport/contract/operations'
import type { PreviewKind } from '@rapport/contract/operations.values'
import type { Db } from '../../../db/driver.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { trustReferences } from '../../../db/trust-references.ts'
import type { Author } from '../../../feed/author.ts'
import { lockLists } from '../../../references/lists.ts'
import { countChanged } from '../../operations/store/operation.sql.ts'
import { planChange } from '../change/change.ts'
import {
  findLeads,
  markDeleted,
  markRestored,
  type Picked,
  pickLeads,
  updatePicked,
} from '../change/pick.sql.ts'
import { disconnect, everyPair, joinLists, ofLeads, selectStarts } from '../change/relations.sql.ts'
import { eraseLeads, holdOffErasing } from '../erase/erase.sql.ts'
import { leadCondition } from '../list/filter.ts'
import type { MergeGroups } from '../merge/groups.ts'
import { type Decision, planMerge } from '../merge/merge.ts'
import { changeCount } from '../row/count.sql.ts'
import { planDistribution, planHandover } from './owners.ts'

/** A bulk change whose input is checked. */
export interface BulkPlan {
  /** Holds for the leads that it selects. */
  condition: Sql
  /** It selects from these. */
  of: 'live' | 'deleted'
  /** Holds for those that would actually change. With `shares`, `lead.number` is the number of the lead. */
  wouldChange: Sql
  /** Members get the leads in turn. `turns` is a query of the selected leads with their numbers, by id. */
  shares?: (turns: Sql) => Promise<Share[]>
  /** What a preview says about each of them. Without it, the preview tries the change on a sample. */
  sample?: Record<'before' | 'after', Record<string, unknown>>
  /** It makes one lead of each group. `ids` is one text, as pickLeads returns it. */
  merge?: {
    groupsOf(ids: string): Promise<MergeGroups>
    decide(groups: string[][]): Promise<Decision[]>
  }
  /** Locks what must not change, before the leads are locked. A preview does not. */
  lock?: () => Promise<void>
  /** It need not lock the leads: whatever else happens to them in the meantime, its result is the same. */
  locksNothing?: true
  /** Changes these leads. Returns how many actually changed. */
  apply(by: Author, leads: LeadsToChange): Promise<number>
  /** Done in addition, even if there are no leads to change. */
  beside?: (by: Author, leads: LeadsToChange) => Promise<void>
}

export interface LeadsToChange {
  count: number
  ids: string
  /** The leads are some of those selected, and this is a query of them with their numbers. */
  turns?: Sql
  /** Those that become one, if they are known already. */
  groups?: string[][] | undefined
}

/** Where the parts of the data are in the body, for errors. */
export interface Places {
  data: Issue['path']
  /** The list is in the path: if it does not exist, the response is 404. */
  listIsInPath?: true
}

type Planner<K extends PreviewKind> = (
  db: Db,
  by: Author,
  data: BulkData[K],
  places: Places,
) => Promise<Omit<BulkPlan, 'condition' | 'of'> & Partial<Pick<BulkPlan, 'condition' | 'of'>>>

const planners: { [K in PreviewKind]: Planner<K> } = {
  update: (db, by, data, { data: path }) => planChange(db, by.space, data, path),

  async track(db, _by, { remove_tracking }) {
    const is_tracked = !remove_tracking
    return {
      wouldChange: sql`lead.is_tracked is distinct from ${is_tracked}`,
      apply: (by, { ids }) => updatePicked(db, by, ids, { is_tracked }, {}),
    }
  },

  async 'add-list'(db, { space }, data, { data: path }) {
    const [list] = await requireLists(db, space, [data.id_list], [[...path, 'id_list']])
    return {
      wouldChange: sql`not ${inList(space, list)}`,
      locksNothing: true,
      async apply(by, { ids }) {
        // The list is locked, and no lead is erased in the meantime. Checking each reference again would take
        // as long as the change.
        await trustReferences(db)
        return joinLists(db, by, everyPair(ids, [list]), await selectStarts(db, space, [list]))
      },
    }
  },

  async 'move-leads'(db, { space }, data, { data: path, listIsInPath }) {
    const [list, source] = await requireLists(
      db,
      space,
      [data.id_list, data.id_source],
      [listIsInPath ?? [...path, 'id_list'], [...path, 'id_source']],
    )
    const isInSource = inList(space, source)
    // A move within one list changes nothing.
    const condition = list === source ? sql`false` : isInSource
    return {
      condition,
      wouldChange: condition,
      async apply(by, { count, ids }) {
        await joinLists(db, by, everyPair(ids, [list]), await selectStarts(db, space, [list]))
        await disconnect(db, by, 'lists', ofLeads(ids, 'lists', [source]))
        return count
      },
    }
  },

  async 'remove-leads'(db, { space }, data, { data: path, listIsInPath }) {
    const [list] = await requireLists(
      db,
      space,
      [data.id_list],
      [listIsInPath ?? [...path, 'id_list']],
    )
    const condition = inList(space, list)
    return {
      condition,
      wouldChange: condition,
      async apply(by, { count, ids }) {
        await disconnect(db, by, 'lists', ofLeads(ids, 'lists', [list]))
        return count
      },
    }
  },

  distribute: (db, { space }, { owners }, { data: path }) =>
    planDistribution(db, space, owners, path),

  'hand-over': (db, { space }, data, { data: path }) => planHandover(db, space, data, path),

  merge: (db, by, data, { data: path }) => planMerge(db, by, data, path),

  async delete(db) {
    return {
      wouldChange: sql`true`,
      sample: { before: { is_deleted: false }, after: { is_deleted: true } },
      async apply(by, { count, ids }) {
        await markDeleted(db, by, ids)
        await changeCount(db, by.space, -count)
        return count
      },
    }
  },

  async restore(db) {
    return {
      of: 'deleted',
      wouldChange: sql`true`,
      sample: { before: { is_deleted: true }, after: { is_deleted: false } },
      async apply(by, { count, ids }) {
        await markRestored(db, by, ids)
        await changeCount(db, by.space, count)
        return count
      },
    }
  },

  async erase(db, _by, { deleted = false }) {
    return {
      of: deleted ? 'deleted' : 'live',
      wouldChange: sql`true`,
      sample: { before: { is_deleted: deleted }, after: { is_erased: true } },
      async apply(by, { count, ids }) {
        await eraseLeads(db, by, ids)
        if (!deleted) await changeCount(db, by.space, -count)
        return count
      },
    }
  },
}

/** Checks the input of a bulk change, and locks the records that it names. */
export async function planBulk<K extends PreviewKind>(
  db: Db,
  by: Author,
  kind: K,
  filter: LeadFilter,
  data: BulkData[K],
  places: Places,
): Promise<BulkPlan> {
  const { condition, of = 'live', ...plan } = await planners[kind](db, by, data, places)
  const selected = await leadCondition(db, by, filter, ['filter'])
  return {
    ...plan,
    of,
    condition: condition ? sql`${condition} and (${selected})` : selected,
  }
}

/** Selects and locks the leads, and changes them. */
export async function runPlan(
  db: Db,
  by: Author,
  plan: BulkPlan,
): Promise<{ count: number; changed: number }> {
  const picked = await pickFor(db, by.space, plan)
  return { count: picked.count, changed: await applyPlan(db, by, plan, picked) }
}

/** Selects the leads of a plan, and locks them if it needs that. */
export async function pickFor(db: Db, space: string, plan: BulkPlan): Promise<Picked> {
  await plan.lock?.()
  if (!plan.locksNothing) return pickLeads(db, space, plan.condition, plan.of)
  await holdOffErasing(db, space)
  return findLeads(db, space, plan.condition, plan.of)
}

export async function applyPlan(
  db: Db,
  by: Author,
  plan: BulkPlan,
  picked: LeadsToChange,
): Promise<number> {
  const changed = picked.count === 0 ? 0 : await plan.apply(by, picked)
  await plan.beside?.(by, picked)
  const { operation } = by
  // The same lead may have changed in several steps.
  return operation && operation.steps > 1 ? countChanged(db, by.space, operation.id) : changed
}

const inList = (space: string, list: string) =>
  sql`lead.id in (select id_lead from lead_list where id_space = ${space} and id_list = ${list})`

/** Returns the ids as they are stored. `true` as a path: the id is in the path of the route. */
async function requireLists<const T extends string[]>(
  db: Db,
  space: string,
  ids: T,
  paths: { [I in keyof T]: Issue['path'] | true },
): Promise<T> {
  const wanted = ids.map((id) => id.toLowerCase())
  const found = await lockLists(db, space, wanted)
  const issues = wanted.flatMap((id, index) => {
    if (found.includes(id)) return []
    const path = paths[index] as Issue['path'] | true
    if (path === true) throw notFound()
    return [unknownRecord(path, 'list')]
  })
  if (issues.length > 0) throw badRequest(issues)
  return wanted as T
}
