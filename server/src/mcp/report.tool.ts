import { contract } from '@rapport/contract'
import { OneOf } from '@rapport/contract/shapes'
import { Type } from 'typebox'
import { counted } from '../words.ts'
import { Filter, readFilter } from './filter.ts'
import { reads, tool } from './tool.ts'
import type { Kind } from './workspace.ts'

/** What the keys of groups are. */
const groups = {
  status: 'status',
  owner: 'member',
  tag: 'tag',
  list: 'list',
  week: undefined,
  month: undefined,
  lost_reason: undefined,
} satisfies Record<string, Kind | undefined>

export const report = tool({
  name: 'report',
  title: 'Count and sum leads',
  description:
    'Counts leads and sums their contract values by status, owner, tag, list, week or month of creation, or lost reason.',
  input: Type.Object(
    {
      group_by: OneOf(Object.keys(groups) as (keyof typeof groups)[]),
      filter: Type.Optional(Filter),
    },
    { additionalProperties: false },
  ),
  annotations: reads,
  needs: [contract.leads.routes.stats],

  async run({ call, workspace }, { group_by, filter }) {
    const body = { group_by, filter: await readFilter(workspace, filter) }
    const { groups: found, total } = await call(contract.leads.routes.stats, { body })
    const kind = groups[group_by]
    const names = kind && (await workspace.names(kind))
    const sumsOf = ({ count, sum }: typeof total) => ({
      ...{ leads: count, value: sum.value, weighted: sum.weighted },
      ...(sum.left_out.length > 0 && { currencies_without_rate: sum.left_out }),
    })
    return {
      says: `${counted(total.count, 'lead')} in ${counted(found.length, 'group')}.`,
      next: { currency: total.sum.currency, total: sumsOf(total) },
      data: {
        groups: found.map(({ key, ...sums }) => ({
          ...{ [group_by]: key === null ? null : (names?.get(key) ?? key) },
          ...sumsOf(sums),
        })),
      },
    }
  },
})
