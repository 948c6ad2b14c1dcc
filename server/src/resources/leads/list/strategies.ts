// The ways to find a page of leads. Which one is quickest depends on the filter, the order and the offset.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { Db } from '../../../db/driver.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { everything } from '../../../filter/compile.ts'
import { isId } from '../../../ids.ts'
import { leadCount, selectedCount } from '../row/count.sql.ts'
import { createdCondition, onlyField, type QuickTotal, quickTotal, soughtLeads } from './filter.ts'
import {
  type ByRank,
  newestFirst,
  type Page,
  type Selection,
  selectPage,
  selectPageFromEnd,
  selectPageOf,
  selectPageOfSelected,
} from './list.sql.ts'
import { selectNewestPage } from './newest.sql.ts'
import { idsByRank } from './ranks.sql.ts'

export interface WantedPage {
  selection: Selection
  filter: LeadFilter
  now: Date
  limit: number
  offset: number
}

interface Wanted extends WantedPage {
  /** The only field of the filter that has a value. */
  only: string | undefined
  quick: QuickTotal | undefined
  /** A subquery that counts the selected leads. */
  total: Sql
}

interface Strategy {
  applies(wanted: Wanted): boolean
  /** Undefined if it has turned out not to be quicker, or not to have the whole page. */
  run(db: Db, wanted: Wanted): Promise<Page | undefined>
}

/** From this offset on, a query to find out which end of the list is nearer pays off. */
const farOffset = 10_000

/** Up to this end of a page, few records are read for it. Further on, to rank all leads once is as quick. */
const mostRanked = 1000

/** With the same rank, leads are in the order of their ids, and all statuses count, whatever the filter asks for. */
const isByIds = ({ relation, within }: ByRank, { lists, status }: LeadFilter) =>
  within.terms.length === 1 && (relation !== 'status' || (!lists && !status))

const fullPage = (page: Page, limit: number) => (page.ids.length === limit ? page : undefined)

/** The first one that applies and finds the page is taken. The last one always does. */
const strategies = {
  fromTheEnd: {
    applies: ({ selection: { condition, order }, offset }) =>
      offset >= farOffset && condition === everything && order.isReversible === true,
    run: (db, { selection, limit, offset }) => selectPageFromEnd(db, selection, limit, offset),
  },

  inOneStatus: {
    applies: ({ selection, only }) => Boolean(selection.order.idsOfStatus) && only === 'status',
    run: (db, { selection, total, limit, offset }) =>
      selectPageOf(db, selection.order.idsOfStatus as Sql, total, limit, offset),
  },

  inOneList: {
    applies: ({ selection, only, filter: { lists = [] } }) =>
      Boolean(selection.order.idsOfList) &&
      only === 'lists' &&
      lists.length === 1 &&
      lists.every(isId),
    async run(db, { selection, filter, total, limit, offset }) {
      const [list = ''] = filter.lists ?? []
      const ids = selection.order.idsOfList?.(list) as Sql
      // The leads without a status in the list come after the others.
      return fullPage(await selectPageOf(db, ids, total, limit, offset), limit)
    },
  },

  ofFirstRanks: {
    applies: ({ selection: { condition, order }, filter, limit, offset }) =>
      order.byRank !== undefined &&
      (condition === everything || isByIds(order.byRank, filter)) &&
      offset + limit <= mostRanked,
    async run(db, { selection: { space, condition, order }, total, limit, offset }) {
      const ids = await idsByRank(db, space, condition, order.byRank as ByRank, offset + limit)
      return ids && fullPage(await selectPageOf(db, ids, total, limit, offset), limit)
    },
  },

  newestOfFilter: {
    // Ids of leads are few beside all leads.
    applies: ({ selection: { condition, order }, filter }) =>
      order === newestFirst && condition !== everything && filter.leads === undefined,
    run: (db, { selection, filter, now, quick, ...wanted }) =>
      selectNewestPage(db, {
        ...{ ...wanted, selection, isOfSelected: quick?.isOfSelected ?? false },
        forFew: quick?.forFew,
        created: createdCondition({ space: selection.space, now }, filter),
        sought: soughtLeads(selection.space, filter, selection.condition),
      }),
  },

  quicklyCounted: {
    applies: ({ quick }) => quick !== undefined,
    run: (db, { selection, total, limit, offset }) =>
      selectPage(db, selection, total, limit, offset),
  },

  ofAllSelected: {
    applies: () => true,
    run: (db, { selection, limit, offset }) => selectPageOfSelected(db, selection, limit, offset),
  },
} satisfies Record<string, Strategy>

export async function findPage(db: Db, page: WantedPage): Promise<Page> {
  const { selection, filter } = page
  const { space, condition } = selection
  const quick =
    condition === everything
      ? { total: leadCount(sql`${space}`), isOfSelected: true }
      : quickTotal({ space, now: page.now }, filter, condition)
  const total = quick?.total ?? selectedCount(space, condition)
  const wanted = { ...page, quick, total, only: onlyField(filter)?.[0] }
  for (const { applies, run } of Object.values<Strategy>(strategies)) {
    const found = applies(wanted) && (await run(db, wanted))
    if (found) return found
  }
  throw new Error('No strategy has found the page')
}
