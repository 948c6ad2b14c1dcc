// The trash: deleted leads, until they are erased. They are restored one by one, or all that are selected.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Trash2, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { deletedLeadsQuery } from '../../api/deleted-leads.ts'
import { nameOf } from '../../api/lead.ts'
import { useRecords } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import bulk from '../../parts/bulk/bulk.module.css'
import {
  allSelected,
  countSelected,
  filterOf,
  isSelected,
  nothingSelected,
  type Selection,
  select,
} from '../../parts/bulk/selection.ts'
import { useTyped } from '../../parts/filter/use-typed.ts'
import { restoreLead } from '../../parts/lead/restore-lead.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { coverAsBar } from '../../ui/cover.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatAgo, formatExact, formatNumber } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { Skeleton } from '../../ui/small.tsx'
import { ShowMore, Table } from '../../ui/table.tsx'
import { words } from '../../words/index.ts'
import css from './trash.module.css'

const PreviewDialog = lazy(() => import('../../parts/bulk/preview-dialog.tsx'))

export default function TrashPage() {
  const search = new URLSearchParams(useSearch()).get('search') ?? ''
  const [, navigate] = useLocation()
  const records = useRecords()
  const mayWrite = useMayWrite()
  const filter = search ? { search } : {}
  const list = useInfiniteQuery(deletedLeadsQuery(filter))
  const { data, error, isPending, refetch } = list
  // A selection belongs to its search: it must never act on leads that another one finds.
  const [selected, setSelected] = useState<{ search: string; selection: Selection }>()
  const selection = selected?.search === search ? selected.selection : nothingSelected
  const setSelection = (next: Selection) => setSelected({ search, selection: next })
  const [isAsking, setAsking] = useState(false)
  const leads = data?.pages.flatMap((page) => page.leads) ?? []
  const [first] = data?.pages ?? []
  const total = first?.total ?? 0
  const count = countSelected(selection, total)
  const onTyped = useTyped((text) => {
    const query = text.trim() ? `?${new URLSearchParams({ search: text.trim() })}` : ''
    navigate(`/trash${query}`, { replace: true })
  })
  const { trash } = words
  return (
    <div className={classes(frame.frame, css.page)}>
      <header className={classes(frame.bar, frame.header)}>
        <MenuButton />
        <h1>{words.nav.trash}</h1>
        <span className={frame.total} aria-live="polite">
          {first && formatNumber(total)}
        </span>
        <span className="fill" />
        <input
          type="search"
          className={css.search}
          aria-label={trash.search}
          placeholder={trash.search}
          defaultValue={search}
          onChange={(event) => onTyped(event.target.value)}
        />
      </header>
      <div className={css.body} aria-busy={isPending}>
        {error && !data ? (
          <Empty title={trash.failed} text={reasonOf(error)}>
            <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
          </Empty>
        ) : first && total === 0 ? (
          <Empty
            icon={<Trash2 />}
            title={search ? trash.noneFound : trash.empty}
            text={search ? trash.noneFoundText : trash.emptyText}
          />
        ) : (
          <>
            {first && (
              <p className={css.kept}>
                {first.kept_days === null ? trash.keptForever : trash.kept(first.kept_days)}
              </p>
            )}
            <Table className={css.table} aria-label={trash.table}>
              <thead>
                <tr>
                  {mayWrite && (
                    <th scope="col" className={css.check}>
                      <input
                        type="checkbox"
                        aria-label={trash.selectAll}
                        checked={count > 0 && count === total}
                        onChange={({ target }) =>
                          setSelection(target.checked ? allSelected : nothingSelected)
                        }
                      />
                    </th>
                  )}
                  <th scope="col">{trash.lead}</th>
                  <th scope="col" className={css.wide}>
                    {trash.company}
                  </th>
                  <th scope="col" className={css.when}>
                    {trash.deleted}
                  </th>
                  <th scope="col" className={css.wide}>
                    {trash.by}
                  </th>
                  {mayWrite && <td />}
                </tr>
              </thead>
              <tbody>
                {isPending && <LoadingRows />}
                {leads.map((lead) => {
                  const name = nameOf(lead) || words.leads.unnamed
                  const at = lead.is_deleted_at ?? ''
                  return (
                    <tr key={lead.id}>
                      {mayWrite && (
                        <td className={css.check}>
                          <input
                            type="checkbox"
                            aria-label={trash.select(name)}
                            checked={isSelected(selection, lead.id)}
                            onChange={({ target }) =>
                              setSelection(select(selection, [lead.id], target.checked))
                            }
                          />
                        </td>
                      )}
                      <th scope="row">
                        <Link href={`/lead/${lead.id}`} className={css.name}>
                          <Avatar name={name} isCompany={lead.is_company} />
                          <span dir="auto">{name}</span>
                        </Link>
                      </th>
                      <td className={css.wide} dir="auto">
                        {lead.is_company ? '' : lead.company}
                      </td>
                      <td className={css.when}>
                        <time dateTime={at} title={formatExact(at)}>
                          {formatAgo(at)}
                        </time>
                      </td>
                      <td className={css.wide}>
                        {records.members.find(({ id }) => id === lead.deleted_by)?.name}
                      </td>
                      {mayWrite && (
                        <td className={css.action}>
                          <Button
                            look="link"
                            aria-label={trash.restore(name)}
                            onClick={() => void restoreLead(lead.id)}
                          >
                            {words.actions.restore}
                          </Button>
                        </td>
                      )}
                    </tr>
                  )
                })}
              </tbody>
            </Table>
          </>
        )}
        <ShowMore list={list} label={trash.more} />
      </div>
      {count > 0 && (
        <section ref={coverAsBar} className={bulk.bar} aria-label={words.bulk.actions}>
          <Button
            look="icon"
            aria-label={words.bulk.clear}
            onClick={() => setSelection(nothingSelected)}
          >
            <X size={15} />
          </Button>
          <b>{words.bulk.selected(count)}</b>
          {selection.kind === 'some' && total > count && (
            <Button look="link" onClick={() => setSelection(allSelected)}>
              {words.bulk.selectAll(total)}
            </Button>
          )}
          <span className="fill" />
          <Button look="go" onClick={() => setAsking(true)}>
            {words.actions.restore}
          </Button>
        </section>
      )}
      <Suspense fallback={null}>
        {isAsking && (
          <PreviewDialog
            wanted={{ kind: 'restore', filter: filterOf(selection, filter), data: {} }}
            said={{ change: 'restore', name: '' }}
            records={records}
            onClose={() => setAsking(false)}
            onStarted={() => setSelection(nothingSelected)}
          />
        )}
      </Suspense>
    </div>
  )
}

function LoadingRows() {
  return [150, 190, 120, 170].map((width) => (
    <tr key={width}>
      <td colSpan={4}>
        <Skeleton width={width} />
      </td>
      <td colSpan={2} className={css.wide} />
    </tr>
  ))
}
