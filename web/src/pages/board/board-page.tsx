// The board: the statuses of a list as columns of cards.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useBoardAddress } from '../../addresses/board.ts'
import { client } from '../../api/client.ts'
import { leadQuery } from '../../api/leads.ts'
import { recordQueries, useRecords } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import { useViews } from '../../api/views.ts'
import { stepCommands, useCommands } from '../../frame/commands.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import { FilterBar } from '../../parts/filter/chips.tsx'
import { useLeadCommands } from '../../parts/lead/lead-commands.ts'
import { NewLeadButton } from '../../parts/lead/new-lead-button.tsx'
import { ViewBar } from '../../parts/views/view-bar.tsx'
import { ListPicker } from '../../pipeline/list-picker.tsx'
import { noList, useShownList } from '../../pipeline/lists.ts'
import { statsQuery } from '../../pipeline/stats.ts'
import { statusesOf } from '../../pipeline/statuses.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { useNarrow } from '../../ui/media.ts'
import { words } from '../../words/index.ts'
import css from './board.module.css'
import { BoardSkeleton, Columns } from './columns.tsx'
import { NoColumns } from './no-columns.tsx'
import { type ColumnRecord, isNoStage, noStage, noStageFilter } from './no-stage.ts'
import { Switcher } from './switcher.tsx'
import { useCards } from './use-cards.ts'

const LeadPanel = lazy(() => import('../../parts/lead/lead-panel.tsx'))
const NewLead = lazy(() => import('../../parts/lead/new-lead.tsx'))
const MoveDialog = lazy(() => import('./move-dialog.tsx'))

export default function BoardPage() {
  const records = useRecords()
  const { error, refetch } = useQuery(recordQueries.status)
  const { views, known, isReady } = useViews()
  const address = useBoardAddress(views)
  const { state, go } = address
  const mayWrite = useMayWrite()
  const isNarrow = useNarrow()
  const [isCreating, setCreating] = useState(false)

  const filterKey = JSON.stringify(state.filter)
  const { list } = state
  const view = views.find(({ id }) => id === state.view)
  // A view may say which list.
  const show = (next: string) => go({ list: next }, { replace: true })
  useShownList(list, show, state.view === undefined || isReady)
  const stages = statusesOf(records.status, list ?? noList)
  const ids = stages.map(({ id }) => id)
  const chosen = state.filter.status ?? []
  const unstaged = noStageFilter(state.filter, list ?? noList, ids)
  const hasStages = list !== undefined && stages.length > 0
  const { data: withoutStage } = useQuery({
    ...statsQuery({ filter: unstaged, group_by: 'status' }),
    enabled: hasStages && chosen.length === 0,
  })
  const hasUnstaged = chosen.length === 0 && (withoutStage?.total.count ?? 0) > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same filter is the same
  const columns = useMemo<ColumnRecord[]>(
    () => [
      ...(hasUnstaged ? [noStage] : []),
      ...stages.filter(({ id }) => chosen.length === 0 || chosen.includes(id)),
    ],
    [records.status, list, filterKey, hasUnstaged],
  )
  const cards = useCards({ address, statuses: columns, unstaged, mayWrite })
  const filter = { ...state.filter, status: chosen.length > 0 ? chosen : ids }
  const { data: byStatus } = useQuery({
    ...statsQuery({ filter, group_by: 'status' }),
    enabled: hasStages,
  })
  const stats = useMemo(() => {
    if (!byStatus || !hasUnstaged || !withoutStage) return byStatus
    const group = { ...withoutStage.total, key: noStage.id }
    return { ...byStatus, groups: [group, ...byStatus.groups] }
  }, [byStatus, hasUnstaged, withoutStage])
  useRefreshWith(state.lead)

  const commands = stepCommands(words.board.group, cards.step)
  if (mayWrite)
    commands.push({
      id: 'move-card',
      title: words.board.moveTitle,
      group: words.board.group,
      keys: 'M',
      run: cards.moveCurrent,
    })
  const leadCommands = useLeadCommands({
    isOpen: state.lead !== undefined,
    onNew: () => setCreating(true),
    onClose: cards.close,
  })
  useCommands([...commands, ...leadCommands])

  const firstStage = columns.find(({ id }) => !isNoStage(id))
  const column = columns.find(({ id }) => id === state.column) ?? firstStage
  const total = stats?.groups.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={classes(frame.frame, css.page)}>
      <header className={classes(frame.bar, css.header)}>
        <MenuButton />
        <h1>
          <ListPicker
            list={list}
            records={records}
            onList={(next) => go({ list: next, column: undefined, lead: undefined })}
          />
        </h1>
        <span className={frame.total} aria-live="polite">
          {total !== undefined && words.leads.count(total)}
        </span>
        <span className="fill" />
        {mayWrite && firstStage && <NewLeadButton onClick={() => setCreating(true)} />}
      </header>
      <FilterBar
        filter={state.filter}
        records={records}
        onChange={(next, isNext) => go({ filter: next, lead: undefined }, { replace: isNext })}
      >
        <ViewBar
          view={view}
          definition={{ mode: 'board', list: list ?? noList, filter: state.filter }}
          isChanged={address.isChanged}
          plainHref={address.plainHref}
          onView={address.showView}
        />
      </FilterBar>
      <div className={frame.work} data-open={state.lead ? '' : undefined}>
        <div className={css.list}>
          {error ? (
            <Empty title={words.board.failed} text={error.message}>
              <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
            </Empty>
          ) : state.view && known && !view ? (
            <Empty title={words.views.gone} text={words.views.goneHelp}>
              <Button onClick={() => address.showView(undefined)}>{words.views.showAll}</Button>
            </Empty>
          ) : !records.isReady || list === undefined ? (
            <BoardSkeleton />
          ) : !column && state.filter.status?.length ? (
            <Empty title={words.grid.none} text={words.grid.noneHelp}>
              <Button onClick={() => go({ filter: {} })}>{words.grid.clearFilter}</Button>
            </Empty>
          ) : !column ? (
            <NoColumns list={list} records={records} onList={(next) => go({ list: next })} />
          ) : (
            <>
              {isNarrow && (
                <Switcher
                  statuses={columns}
                  column={column}
                  stats={stats}
                  onColumn={(id) => go({ column: id }, { replace: true })}
                />
              )}
              <Columns
                statuses={isNarrow ? [column] : columns}
                stats={stats}
                records={records}
                address={address}
                cards={cards}
                mayWrite={mayWrite}
              />
            </>
          )}
        </div>
        {state.lead && (
          <Suspense fallback={<aside className={frame.panel} />}>
            <LeadPanel
              key={state.lead}
              id={state.lead}
              position={cards.position}
              onClose={cards.close}
              onStep={cards.step}
            />
          </Suspense>
        )}
      </div>
      <div className="hidden" aria-live="polite">
        {cards.said}
      </div>
      <Suspense fallback={null}>
        {cards.moving && (
          <MoveDialog
            dragged={cards.moving}
            statuses={columns}
            onMove={cards.moveTo}
            onClose={cards.stopMoving}
          />
        )}
        {isCreating && (
          <NewLead
            list={list === noList ? undefined : list}
            onClose={() => setCreating(false)}
            onCreated={(id: string) => {
              setCreating(false)
              cards.add(id)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

/** A status that was changed in the open lead moves its card. */
function useRefreshWith(lead: string | undefined): void {
  const { data } = useQuery({ ...leadQuery(lead ?? ''), enabled: lead !== undefined })
  const [seen, setSeen] = useState<{ id: string; updated: string }>()
  const updated = data?.updated_at
  useEffect(() => {
    if (!lead || !updated) return
    if (seen?.id === lead && seen.updated === updated) return
    if (seen?.id === lead) void client.invalidateQueries({ queryKey: ['leads'] })
    setSeen({ id: lead, updated })
  }, [lead, updated, seen])
}
