// What open leads will bring, by the month in which they are expected to close.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { recordQueries, useRecords } from '../../api/records.ts'
import { useMayWrite, useMe } from '../../api/session.ts'
import { groupOf, type Stats, statsQuery } from '../../pipeline/stats.ts'
import { Button } from '../../ui/button.tsx'
import { formatShortMoney } from '../../ui/format.ts'
import { addMonths, formatMonth, formatShortMonth, today } from '../../ui/periods.ts'
import { Select } from '../../ui/select.tsx'
import { words } from '../../words/index.ts'
import { change } from '../records/change.ts'
import css from './panel.module.css'
import { Panel } from './panel.tsx'
import { moneyRow, type Row, together } from './rows.ts'

const makeCloseDate = () =>
  void change({
    key: recordQueries.attributes.queryKey,
    what: words.overview.closeDate,
    work: () =>
      call('POST /attributes', { body: { name: words.overview.closeDate, type: 'DATE' } }),
  })

interface Props {
  /** The open stages, and what else the leads have in common. */
  filter: LeadFilter & { status: string[] }
  /** The attribute with the date, if one is chosen. */
  date: string | undefined
  onDate: (date: string) => void
  instead: ReactNode
  isTable: boolean
  onTable: (isTable: boolean) => void
}

export function Forecast({ filter, date: chosen, onDate, instead, ...table }: Props) {
  const { workspace } = useMe()
  const { attributes, isReady } = useRecords()
  const mayWrite = useMayWrite()
  const dates = attributes.filter(({ type }) => type === 'DATE')
  const date = dates.find(({ id }) => id === chosen) ?? dates[0]
  const { data, error, refetch } = useQuery({
    ...statsQuery({ filter, group_by: 'month', ...(date && { attribute: date.id }) }),
    enabled: filter.status.length > 0 && date !== undefined,
  })
  const { overview } = words
  const noDates = isReady && !date && (
    <>
      <p>{overview.noDateField}</p>
      {mayWrite && <Button onClick={makeCloseDate}>{overview.makeDateField}</Button>}
    </>
  )
  return (
    <Panel
      title={overview.titles.forecast}
      note={
        <>
          {overview.notes.forecast}
          {date && (
            <>
              {overview.notes.forecastBy}
              <Select
                isBare
                className={css.choice}
                label={overview.dateField}
                value={date.id}
                options={dates.map(({ id, name }) => [id, name])}
                onValue={onDate}
              />
            </>
          )}
        </>
      }
      rows={
        data && date
          ? forecastRows(data, filter, date.id, today(workspace.time_zone).slice(0, 7))
          : undefined
      }
      head={[overview.month, overview.weighted, overview.value, overview.leads]}
      direction="up"
      formatAxis={(value) => formatShortMoney(value, data?.total.sum.currency ?? null)}
      instead={instead || noDates}
      error={error}
      onRetry={() => void refetch()}
      {...table}
    />
  )
}

/** Months from this one on; what was expected earlier is one row, and what has no date another. */
function forecastRows(
  stats: Stats,
  filter: LeadFilter,
  attribute: string,
  thisMonth: string,
): Row[] {
  const row = (
    id: string,
    label: string,
    short: string,
    attributes: NonNullable<LeadFilter['attributes']>,
    keys: (string | null)[],
  ): Row =>
    moneyRow({ id, label, short }, together(stats, keys), { ...filter, attributes }, 'weighted')
  const known = stats.groups.flatMap(({ key }) => key ?? [])
  const earlier = known.filter((month) => month < thisMonth)
  const last = known.at(-1) ?? thisMonth
  const months = Array.from({ length: 12 }, (_, at) => addMonths(thisMonth, at)).filter(
    (month, at) => at < 6 || month <= last,
  )
  const from = (month: string) =>
    ({ id: attribute, operator: 'greater_or_equal', value: `${month}-01` }) as const
  const before = (month: string) =>
    ({ id: attribute, operator: 'less_than', value: `${month}-01` }) as const
  const later = known.filter((month) => month > (months.at(-1) ?? ''))
  const { overview } = words
  return [
    ...(earlier.length > 0
      ? [row('earlier', overview.earlier, overview.earlier, [before(thisMonth)], earlier)]
      : []),
    ...months.map((month) =>
      row(
        month,
        formatMonth(month),
        formatShortMonth(month),
        [from(month), before(addMonths(month, 1))],
        [month],
      ),
    ),
    ...(later.length > 0
      ? [row('later', overview.later, overview.later, [from(later[0] ?? '')], later)]
      : []),
    ...(groupOf(stats, null)
      ? [
          row(
            'none',
            overview.noDate,
            overview.noDate,
            [{ id: attribute, operator: 'is_empty' }],
            [null],
          ),
        ]
      : []),
  ]
}
