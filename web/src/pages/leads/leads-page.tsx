// The leads of a view: header, conditions, the grid, and the open lead next to it.

import { leadFields, transferFields } from '@rapport/contract/leads/fields'
import { useQuery } from '@tanstack/react-query'
import { Columns3, Download } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import {
  definitionOf,
  type LeadsState,
  useLeadsAddress,
  writeState,
} from '../../addresses/leads.ts'
import type { Lead } from '../../api/lead.ts'
import { countQuery, refreshLeads } from '../../api/leads.ts'
import { useRecords } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import { useViews } from '../../api/views.ts'
import { type Command, stepCommands, useCommands } from '../../frame/commands.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import { defaultColumns, type ShownColumn, shownColumns } from '../../kinds/columns.ts'
import { conditionFor, withSame } from '../../kinds/conditions.ts'
import type { Field } from '../../kinds/field.ts'
import { allFields } from '../../kinds/fields.ts'
import { readFor } from '../../kinds/wanted-first.ts'
import { type Export, exportLeads } from '../../parts/bulk/export.ts'
import {
  allSelected,
  countSelected,
  nothingSelected,
  type Selection,
} from '../../parts/bulk/selection.ts'
import { FilterBar, type FilterHandle } from '../../parts/filter/chips.tsx'
import { Grid, type GridHandle } from '../../parts/grid/grid.tsx'
import { useLeadCommands } from '../../parts/lead/lead-commands.ts'
import { NewLeadButton } from '../../parts/lead/new-lead-button.tsx'
import { ViewBar } from '../../parts/views/view-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatNumber } from '../../ui/format.ts'
import { useNarrow } from '../../ui/media.ts'
import { Menu } from '../../ui/menu.tsx'
import { words } from '../../words/index.ts'
import { KindTabs } from './kind-tabs.tsx'
import css from './leads.module.css'

// On a phone.
const Cards = lazy(() => import('./cards.tsx'))
const LeadPanel = lazy(() => import('../../parts/lead/lead-panel.tsx'))
const ColumnChooser = lazy(() => import('./column-chooser.tsx'))
const OrderMenu = lazy(() => import('./order-menu.tsx'))
const BulkBar = lazy(() => import('../../parts/bulk/bulk-bar.tsx'))
const NewLead = lazy(() => import('../../parts/lead/new-lead.tsx'))
const GoToRow = lazy(() => import('./go-to-row.tsx'))
const FirstSteps = lazy(() => import('./first-steps.tsx'))
const TotalValue = lazy(() => import('./total-value.tsx'))

interface Rows {
  total: number | undefined
  isSlow: boolean
  error: Error | null
  retry: () => void
}

/** Some fields are for one workspace only: files do not have them. */
const isExported = (id: string) =>
  !(id in leadFields) || transferFields.some((field) => field === id)

/** The leads of the view as files. */
function exportsOf(
  { filter, order }: LeadsState,
  columns: readonly ShownColumn[],
): { id: string; label: string; ask: Export }[] {
  const ids = columns.map(({ field }) => field.attribute?.id ?? field.id).filter(isExported)
  const view = { filter, orderBy: order }
  return [
    {
      id: 'export-view',
      label: words.export.csvView,
      ask: { ...view, columns: ids, format: 'csv' },
    },
    { id: 'export-csv', label: words.export.csv, ask: { ...view, format: 'csv' } },
    { id: 'export-ndjson', label: words.export.ndjson, ask: { ...view, format: 'ndjson' } },
  ]
}

export function LeadsPage() {
  const records = useRecords()
  const { views, known } = useViews()
  const { state, href, go, isChanged } = useLeadsAddress(known)
  const [, navigate] = useLocation()
  const mayWrite = useMayWrite()
  const isNarrow = useNarrow()
  const grid = useRef<GridHandle>(null)
  const bar = useRef<FilterHandle>(null)
  const [rows, setRows] = useState<Rows>({
    total: undefined,
    isSlow: false,
    error: null,
    retry: () => {},
  })
  const [selected, setSelected] = useState<{ key: string; selection: Selection }>()
  const [over, setOver] = useState<'new' | 'go-to'>()
  const [openRow, setOpenRow] = useState<number>()

  const key = JSON.stringify([state.filter, state.order])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same filter and order are the same query
  const query = useMemo(() => ({ filter: state.filter, order: state.order }), [key])
  const columnsKey = JSON.stringify(state.columns)
  const filterKey = JSON.stringify(state.filter)
  const fields = useMemo(() => allFields(records.attributes), [records.attributes])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same columns and the same filter are the same
  const columns = useMemo(() => {
    const read = fields.map((field) => readFor(field, state.filter))
    const known = shownColumns(state.columns, read)
    return known.length > 0 ? known : shownColumns(defaultColumns, read)
  }, [columnsKey, fields, filterKey])

  // A selection belongs to its filter: it must never act on leads that another filter selects.
  const selection = selected?.key === filterKey ? selected.selection : nothingSelected
  const onSelection = useCallback(
    (next: Selection) => setSelected({ key: filterKey, selection: next }),
    [filterKey],
  )
  const { data: all } = useQuery(countQuery({}))
  const { total } = rows
  const count = countSelected(selection, total ?? 0)
  const view = views.find(({ id }) => id === state.view)
  const showView = (id: string | undefined) =>
    navigate(`/leads${writeState({ ...definitionOf(undefined), view: id, lead: state.lead })}`)
  const isGone = state.view !== undefined && known !== undefined && !view
  const isFiltered = Object.keys(state.filter).length > 0

  const onFilter = (field: Field, lead?: Lead) => {
    const id = conditionFor(field)
    const filter = lead && withSame(state.filter, field, lead)
    if (filter) go({ filter, lead: undefined })
    else if (!lead && id) bar.current?.add(id)
  }
  const onOpen = useCallback(
    (lead: Lead, row: number) => {
      setOpenRow(row)
      go({ lead: lead.id })
    },
    [go],
  )
  const onFollow = useCallback(
    (lead: Lead, row: number) => {
      setOpenRow(row)
      go({ lead: lead.id }, { replace: true })
    },
    [go],
  )
  const close = () => {
    go({ lead: undefined })
    grid.current?.focus()
  }

  const title = view?.name ?? words.leads.all
  const { commands: c } = words
  const commands: Command[] = [
    ...stepCommands(c.groups.grid, (by) => {
      grid.current?.step(by)
      // Enter opens the row.
      if (!state.lead) grid.current?.focus()
    }),
    {
      id: 'toggle',
      title: c.toggle,
      group: c.groups.selection,
      keys: 'X',
      run: () => grid.current?.toggleCurrent(),
    },
    {
      id: 'select-all',
      title: c.selectAll,
      group: c.groups.selection,
      run: () => onSelection(allSelected),
    },
    { id: 'go-to', title: c.goTo, group: c.groups.grid, keys: 'G N', run: () => setOver('go-to') },
  ]
  const exports = exportsOf(state, columns)
  commands.push(
    ...exports.map(({ id, label, ask }) => ({
      id,
      title: `${words.export.title}: ${label}`,
      group: c.groups.leads,
      run: () => void exportLeads(title, ask),
    })),
  )
  if (mayWrite)
    commands.push({
      id: 'import',
      title: c.import,
      group: c.groups.leads,
      run: () => navigate('/import'),
    })
  if (count > 0)
    commands.push({
      id: 'clear-selection',
      title: c.clearSelection,
      group: c.groups.selection,
      keys: 'Escape',
      run: () => onSelection(nothingSelected),
    })
  const leadCommands = useLeadCommands({
    isOpen: state.lead !== undefined,
    onNew: () => setOver('new'),
    onClose: close,
  })
  useCommands([...commands, ...leadCommands])

  const isEmptySpace = total === 0 && !isFiltered
  const List = isNarrow ? Cards : Grid

  return (
    <div className={classes(frame.frame, css.page)}>
      <header className={classes(frame.bar, frame.header)}>
        <MenuButton />
        <h1>{title}</h1>
        <span className={classes(frame.total, frame.wideOnly)} aria-live="polite">
          {total !== undefined &&
            (isFiltered && all !== undefined
              ? words.leads.ofAll(formatNumber(total), formatNumber(all))
              : formatNumber(total))}
          {rows.isSlow && <span className={css.slow}> {words.grid.slow}</span>}
        </span>
        {total !== undefined && total > 0 && (
          <Suspense fallback={null}>
            <TotalValue filter={state.filter} />
          </Suspense>
        )}
        <span className="fill" />
        <div className={css.tools}>
          <Suspense
            fallback={
              !isNarrow && (
                <Button disabled>
                  <Columns3 size={15} />
                  {words.grid.columns}
                </Button>
              )
            }
          >
            {!isNarrow && (
              <ColumnChooser
                columns={state.columns}
                fields={fields}
                onColumns={(next) => go({ columns: next }, { replace: true })}
              />
            )}
            <OrderMenu order={state.order} fields={fields} onOrder={(order) => go({ order })} />
          </Suspense>
        </div>
        <Menu
          label={words.export.title}
          align="end"
          groups={[
            exports.map(({ id, label, ask }) => ({
              id,
              label,
              icon: <Download />,
              onPick: () => void exportLeads(title, ask),
            })),
          ]}
          trigger={
            <Button aria-label={words.export.title}>
              <Download size={15} />
            </Button>
          }
        />
        {mayWrite && <NewLeadButton onClick={() => setOver('new')} />}
      </header>
      <FilterBar
        ref={bar}
        filter={state.filter}
        records={records}
        onChange={(filter, isNext) => go({ filter, lead: undefined }, { replace: isNext })}
        start={
          <KindTabs
            filter={state.filter}
            total={total}
            hrefTo={(filter) => href({ filter, lead: undefined })}
          />
        }
      >
        <ViewBar
          view={view}
          definition={{ filter: state.filter, order: state.order, columns: state.columns }}
          isChanged={isChanged}
          plainHref={`/leads${writeState({ ...state, view: undefined, lead: undefined })}`}
          onView={showView}
        />
      </FilterBar>
      <div className={frame.work} data-open={state.lead ? '' : undefined}>
        <div className={css.list}>
          <Suspense fallback={null}>
            <List
              ref={grid}
              query={query}
              columns={columns}
              records={records}
              selection={selection}
              onSelection={onSelection}
              onOrder={(order) => go({ order })}
              onColumns={(next) => go({ columns: next }, { replace: true })}
              onFilter={onFilter}
              openLead={state.lead}
              onOpen={onOpen}
              onFollow={onFollow}
              onRows={setRows}
              mayWrite={mayWrite}
            />
          </Suspense>
          {rows.error && total === undefined && (
            <div className={css.over}>
              <Empty title={words.grid.failed} text={rows.error.message}>
                <Button onClick={rows.retry}>{words.actions.retry}</Button>
                {isFiltered && (
                  <Button onClick={() => go({ filter: {} })}>{words.grid.clearFilter}</Button>
                )}
              </Empty>
            </div>
          )}
          {total === 0 && isFiltered && (
            <div className={css.over}>
              {isGone ? (
                <Empty title={words.views.gone} text={words.views.goneHelp}>
                  <Button onClick={() => showView(undefined)}>{words.views.showAll}</Button>
                </Empty>
              ) : (
                <Empty title={words.grid.none} text={words.grid.noneHelp}>
                  <Button onClick={() => go({ filter: {} })}>{words.grid.clearFilter}</Button>
                </Empty>
              )}
            </div>
          )}
          {isEmptySpace && (
            <div className={css.over}>
              <Suspense fallback={null}>
                <FirstSteps onNew={() => setOver('new')} onImport={() => navigate('/import')} />
              </Suspense>
            </div>
          )}
        </div>
        {state.lead && (
          <Suspense fallback={<aside className={frame.panel} />}>
            <LeadPanel
              key={state.lead}
              id={state.lead}
              position={
                openRow === undefined || total === undefined ? undefined : { row: openRow, total }
              }
              onClose={close}
              onStep={(by: number) => grid.current?.step(by)}
            />
          </Suspense>
        )}
      </div>
      {count > 0 && (
        <Suspense fallback={null}>
          <BulkBar
            selection={selection}
            filter={state.filter}
            count={count}
            records={records}
            onSelectAll={() => onSelection(allSelected)}
            onClear={() => onSelection(nothingSelected)}
            total={total ?? 0}
          />
        </Suspense>
      )}
      <Suspense fallback={null}>
        {over === 'new' && (
          <NewLead
            list={state.filter.lists?.length === 1 ? state.filter.lists[0] : undefined}
            onClose={() => setOver(undefined)}
            onCreated={(id: string) => {
              setOver(undefined)
              refreshLeads()
              go({ lead: id })
            }}
          />
        )}
        {over === 'go-to' && (
          <GoToRow
            total={total ?? 0}
            onClose={() => setOver(undefined)}
            onGo={(row) => {
              setOver(undefined)
              grid.current?.goTo(row)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
