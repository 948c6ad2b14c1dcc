// The overview: the state of the pipeline, what is expected, what was done. Every number leads to its leads.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { Link } from 'wouter'
import { useOverviewAddress } from '../../addresses/overview.ts'
import { countQuery } from '../../api/leads.ts'
import { recordQueries, type StatusRecord, useRecords } from '../../api/records.ts'
import { useMe } from '../../api/session.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import css from '../../parts/charts/charts.module.css'
import { Forecast } from '../../parts/charts/forecast.tsx'
import panelCss from '../../parts/charts/panel.module.css'
import { Panel } from '../../parts/charts/panel.tsx'
import { sumOf } from '../../parts/charts/rows.ts'
import { countTile, moneyTile, Tiles } from '../../parts/charts/tiles.tsx'
import { ListPicker } from '../../pipeline/list-picker.tsx'
import { allLists, noList, useShownList } from '../../pipeline/lists.ts'
import { type Stats, statsQuery } from '../../pipeline/stats.ts'
import { isOpen, statusesOf } from '../../pipeline/statuses.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatNumber, formatShortMoney } from '../../ui/format.ts'
import { addDays, mondayOf, today } from '../../ui/periods.ts'
import { words } from '../../words/index.ts'
import { activityRows, addedRows, funnelRows, listRows, valueRows } from './figures.ts'
import { Overdue } from './overdue.tsx'

const weeks = 12
const days = 30

export default function OverviewPage() {
  const { workspace } = useMe()
  const records = useRecords()
  const { error: recordsError, refetch } = useQuery(recordQueries.status)
  const { state, go } = useOverviewAddress()
  const { data: all } = useQuery(countQuery({}))
  const { overview } = words
  const { list } = state
  useShownList(list, (next) => go({ list: next }, { replace: true }))

  const isAll = list === allLists
  const base: LeadFilter = isAll ? {} : list ? { lists: [list] } : { has_no_list: true }
  const statuses = statusesOf(records.status, list ?? noList)
  const openStatuses = statuses.filter(isOpen)
  const wonStatuses = statuses.filter(({ type }) => type === 'DEAL_WON')
  const open = openStatuses.map(({ id }) => id)
  const won = wonStatuses.map(({ id }) => id)
  const now = today(workspace.time_zone)
  const mondays = Array.from({ length: weeks }, (_, at) =>
    addDays(mondayOf(now), 7 * (at - weeks + 1)),
  )
  const after = addDays(now, -days)

  const ids = statuses.map(({ id }) => id)
  const stages = useQuery({
    ...statsQuery({ filter: { status: ids }, group_by: 'status' }),
    enabled: ids.length > 0,
  })
  // A lead in several lists counts once.
  const openTotal = useTotal(open, isAll)
  const wonTotal = useTotal(won, isAll)
  const totalOf = (total: Stats | undefined, of: readonly StatusRecord[]) =>
    isAll ? total?.total : stages.data && sumOf(stages.data, of)
  const added = useQuery({
    ...statsQuery({ filter: { ...base, created_after: mondays[0] ?? now }, group_by: 'week' }),
    enabled: list !== undefined,
  })
  const activity = useQuery({
    ...statsQuery({ filter: { ...base, changed: { after } }, group_by: 'changed_by' }),
    enabled: list !== undefined,
  })

  const openSum = totalOf(openTotal, openStatuses)
  // A filter without statuses would select every lead.
  const tiles = [
    ...(open.length > 0
      ? [
          moneyTile(overview.open, { status: open }, openSum),
          moneyTile(overview.openWeighted, { status: open }, openSum, 'weighted'),
          countTile(overview.openLeads, { status: open }, openSum?.count),
        ]
      : []),
    ...(won.length > 0
      ? [moneyTile(overview.won, { status: won }, totalOf(wonTotal, wonStatuses))]
      : []),
  ]

  const isTable = (id: string) => state.tables.includes(id)
  const table = (id: string) => ({
    isTable: isTable(id),
    onTable: (isOn: boolean) =>
      go(
        { tables: isOn ? [...state.tables, id] : state.tables.filter((other) => other !== id) },
        { replace: true },
      ),
  })
  const query = ({ error, refetch }: { error: Error | null; refetch: () => unknown }) => ({
    error,
    onRetry: () => void refetch(),
  })
  const money = (value: number) => formatShortMoney(value, stages.data?.total.sum.currency ?? null)
  const noStages = records.isReady && list !== undefined && statuses.length === 0 && (
    <>
      <p>{overview.noStages}</p>
      <Link href={`/settings/statuses${!isAll ? `?list=${list}` : ''}`} className={panelCss.link}>
        {words.board.makeStatuses}
      </Link>
    </>
  )
  return (
    <div className={classes(frame.frame, css.page)}>
      <header className={classes(frame.bar, css.header)}>
        <MenuButton />
        <h1>
          <ListPicker list={list} records={records} hasAll onList={(next) => go({ list: next })} />
        </h1>
      </header>
      {recordsError ? (
        <Empty title={overview.failed} text={recordsError.message}>
          <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
        </Empty>
      ) : all === 0 ? (
        <Empty
          icon={<ChartColumn size={28} strokeWidth={1.4} />}
          title={words.first.title}
          text={words.first.text}
        >
          <Link href="/leads" className={panelCss.link}>
            {words.faults.startAgain}
          </Link>
        </Empty>
      ) : (
        <div className={css.body}>
          <Tiles tiles={tiles} />
          <Panel
            title={isAll ? overview.titles.valueByList : overview.titles.value}
            note={overview.notes.value}
            expected={isAll ? records.lists.length : open.length}
            rows={
              stages.data &&
              (isAll ? listRows(stages.data, records) : valueRows(stages.data, statuses))
            }
            head={[
              isAll ? overview.list : overview.stage,
              ...[overview.value, overview.weighted, overview.leads],
            ]}
            direction="right"
            formatAxis={money}
            instead={noStages}
            {...query(stages)}
            {...table('value')}
          />
          <Panel
            title={overview.titles.funnel}
            note={overview.notes.funnel}
            expected={isAll ? 0 : statuses.length}
            rows={stages.data && funnelRows(stages.data, statuses)}
            head={[overview.stage, overview.leads, overview.share]}
            direction="right"
            formatAxis={formatNumber}
            instead={noStages || (isAll && <p>{overview.chooseList}</p>)}
            {...query(stages)}
            {...table('funnel')}
          />
          <Forecast
            filter={{ status: open }}
            date={state.date}
            onDate={(date) => go({ date }, { replace: true })}
            instead={noStages}
            {...table('forecast')}
          />
          <Panel
            title={overview.titles.added}
            note={overview.notes.added(weeks)}
            rows={added.data && addedRows(added.data, base, mondays)}
            head={[overview.week, overview.leads]}
            direction="up"
            formatAxis={formatNumber}
            {...query(added)}
            {...table('added')}
          />
          <Panel
            title={overview.titles.activity}
            note={overview.notes.activity(days)}
            rows={activity.data && activityRows(activity.data, base, after, records)}
            head={[overview.member, overview.changed]}
            direction="right"
            formatAxis={formatNumber}
            {...query(activity)}
            {...table('activity')}
          />
          <Overdue list={isAll ? undefined : list} />
        </div>
      )}
    </div>
  )
}

function useTotal(status: string[], isWanted: boolean): Stats | undefined {
  const { data } = useQuery({
    ...statsQuery({ filter: { status }, group_by: 'status' }),
    enabled: isWanted && status.length > 0,
  })
  return data
}
