// Reports: what was won, lost and done in a period, by whom, and what is expected. Every number leads to its leads.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { noteKinds } from '@rapport/contract/notes.values'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type ReportPeriod, reportPeriods, useReportsAddress } from '../../addresses/reports.ts'
import { recordQueries, useRecords } from '../../api/records.ts'
import { useMe } from '../../api/session.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import charts from '../../parts/charts/charts.module.css'
import { Forecast } from '../../parts/charts/forecast.tsx'
import panelCss from '../../parts/charts/panel.module.css'
import { Panel } from '../../parts/charts/panel.tsx'
import { countTile, moneyTile, type Tile, Tiles } from '../../parts/charts/tiles.tsx'
import { ListPicker } from '../../pipeline/list-picker.tsx'
import { allLists } from '../../pipeline/lists.ts'
import { statsQuery } from '../../pipeline/stats.ts'
import { isOpen, statusesOf } from '../../pipeline/statuses.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatNumber, formatShortMoney } from '../../ui/format.ts'
import { addDays, daysOf, today } from '../../ui/periods.ts'
import { Pick } from '../../ui/pick.tsx'
import { WhenInput } from '../../ui/when-input.tsx'
import { changes } from '../../words/changes.ts'
import { words } from '../../words/index.ts'
import {
  activityRows,
  endedIn,
  formatLength,
  peopleRows,
  reasonRows,
  timeRows,
  winRate,
} from './figures.ts'
import { noteCountsQuery, stageTimesQuery } from './queries.ts'
import css from './reports.module.css'

const everyone = 'everyone'
const chosenDays = 'days'
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export default function ReportsPage() {
  const { workspace } = useMe()
  const records = useRecords()
  const { error: recordsError, refetch } = useQuery(recordQueries.status)
  const { state, go } = useReportsAddress()
  const { reports, overview } = words
  const { person, period, from, to, list = allLists } = state

  const days =
    from && to
      ? { after: from, before: addDays(to, 1) }
      : daysOf(period, today(workspace.time_zone))
  const last = addDays(days.before, -1)
  const base: LeadFilter = person ? { owners: [person] } : {}
  const ofList: LeadFilter =
    list === allLists ? base : { ...base, ...(list ? { lists: [list] } : { has_no_list: true }) }
  const statuses = statusesOf(records.status, list)
  const idsOf = (type: string) => statuses.flatMap((one) => (one.type === type ? [one.id] : []))
  const [wonIds, lostIds] = [idsOf('DEAL_WON'), idsOf('DEAL_LOST')]
  const openIds = statuses.filter(isOpen).map(({ id }) => id)
  const ends = {
    won: endedIn(base, wonIds, days),
    lost: endedIn(base, lostIds, days),
    both: endedIn(base, [...wonIds, ...lostIds], days),
  }

  const won = useQuery({
    ...statsQuery({ filter: ends.won, group_by: 'owner' }),
    enabled: wonIds.length > 0,
  })
  const lost = useQuery({
    ...statsQuery({ filter: ends.lost, group_by: 'owner' }),
    enabled: lostIds.length > 0,
  })
  const reasons = useQuery({
    ...statsQuery({ filter: ends.lost, group_by: 'lost_reason' }),
    enabled: lostIds.length > 0,
  })
  const times = useQuery(stageTimesQuery({ filter: base, ...days }))
  const activity = useQuery(noteCountsQuery({ filter: ofList, ...days }))

  const table = (id: string) => ({
    isTable: state.tables.includes(id),
    onTable: (isOn: boolean) =>
      go(
        { tables: isOn ? [...state.tables, id] : state.tables.filter((other) => other !== id) },
        { replace: true },
      ),
  })
  const asked = ({ error, refetch }: { error: Error | null; refetch: () => unknown }) => ({
    error,
    onRetry: () => void refetch(),
  })
  const noStages = records.isReady && statuses.length === 0 && (
    <>
      <p>{overview.noStages}</p>
      <StagesLink />
    </>
  )
  const noEnds = (ids: string[]) =>
    records.isReady &&
    ids.length === 0 && (
      <>
        <p>{reports.noEnds}</p>
        <StagesLink />
      </>
    )
  const wonTotal = won.data?.total
  const both = wonTotal && lost.data ? wonTotal.count + lost.data.total.count : undefined
  // A filter without statuses would select every lead.
  const tiles: Tile[] =
    wonIds.length > 0 && lostIds.length > 0
      ? [
          moneyTile(reports.wonValue, ends.won, wonTotal),
          countTile(reports.wonLeads, ends.won, wonTotal?.count),
          countTile(reports.lostLeads, ends.lost, lost.data?.total.count),
          countTile(reports.winRate, ends.both, both, () =>
            winRate(wonTotal?.count ?? 0, lost.data?.total.count ?? 0),
          ),
        ]
      : []

  return (
    <div className={classes(frame.frame, charts.page)}>
      <header className={classes(frame.bar, charts.header, css.header)}>
        <MenuButton />
        <h1>
          <ListPicker
            list={list}
            records={records}
            hasAll
            onList={(next) => go({ list: next === allLists ? undefined : next })}
          />
        </h1>
        <div className={css.choices}>
          <Pick
            label={changes.period}
            options={[
              ...reportPeriods.map((id) => ({
                ...{ id, label: capitalized(words.filter.operators[id]) },
              })),
              { id: chosenDays, label: reports.chosenDays },
            ]}
            chosen={from ? chosenDays : period}
            onPick={(id) =>
              id === chosenDays
                ? go({ from: days.after, to: last })
                : go({ period: id as ReportPeriod, from: undefined, to: undefined })
            }
          />
          {from && (
            <>
              <WhenInput
                kind="day"
                label={reports.from}
                value={from}
                isPast
                onValue={(day) => day && go({ from: day, to: day > last ? day : last })}
              />
              <WhenInput
                kind="day"
                label={reports.to}
                value={last}
                isPast
                onValue={(day) => day && go({ from: day < from ? day : from, to: day })}
              />
            </>
          )}
          <Pick
            label={reports.person}
            options={[
              { id: everyone, label: reports.everyone },
              ...records.members.map(({ id, name }) => ({ id, label: name })),
            ]}
            chosen={person ?? everyone}
            onPick={(id) => go({ person: id === everyone ? undefined : id })}
          />
        </div>
      </header>
      {recordsError ? (
        <Empty title={overview.failed} text={recordsError.message}>
          <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
        </Empty>
      ) : (
        <div className={classes(charts.body, css.body)}>
          <Tiles tiles={tiles} />
          <Panel
            title={reports.titles.people}
            note={reports.notes.people}
            rows={
              won.data && lost.data
                ? peopleRows(
                    { won: won.data, lost: lost.data, of: (which) => ends[which] },
                    records.members,
                    person,
                  )
                : undefined
            }
            head={[
              ...[reports.person, overview.value, reports.wonLeads],
              ...[reports.lostLeads, reports.winRate],
            ]}
            direction="right"
            formatAxis={(value) => formatShortMoney(value, wonTotal?.sum.currency ?? null)}
            instead={noStages || noEnds(wonIds) || noEnds(lostIds)}
            {...asked(won)}
            {...table('people')}
          />
          <Panel
            title={reports.titles.reasons}
            note={reports.notes.reasons}
            rows={reasons.data && reasonRows(reasons.data, ends.lost)}
            head={[reports.reason, overview.leads, overview.value]}
            direction="right"
            formatAxis={formatNumber}
            instead={noStages || noEnds(lostIds)}
            {...asked(reasons)}
            {...table('reasons')}
          />
          <Panel
            title={reports.titles.times}
            note={reports.notes.times}
            rows={times.data && timeRows(times.data, statuses, records, base, days)}
            head={[
              ...[overview.stage, reports.median, reports.average, reports.left],
              ...[reports.now, reports.sinceNow],
            ]}
            direction="right"
            // Of many stages, few are left in a period.
            expected={Math.min(statuses.length, 6)}
            formatAxis={formatLength}
            instead={noStages}
            {...asked(times)}
            {...table('times')}
          />
          <Panel
            title={reports.titles.activity}
            note={reports.notes.activity}
            rows={activity.data && activityRows(activity.data, records.members, ofList, days)}
            head={[overview.member, reports.all, ...noteKinds.map((kind) => reports.kinds[kind])]}
            direction="right"
            formatAxis={formatNumber}
            {...asked(activity)}
            {...table('activity')}
          />
          <Forecast
            filter={{ ...base, status: openIds }}
            date={state.date}
            onDate={(date) => go({ date }, { replace: true })}
            instead={noStages}
            {...table('forecast')}
          />
        </div>
      )}
    </div>
  )
}

const StagesLink = () => (
  <Link href="/settings/statuses" className={panelCss.link}>
    {words.board.makeStatuses}
  </Link>
)
