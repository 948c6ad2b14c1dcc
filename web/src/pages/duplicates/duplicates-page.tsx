// Duplicates: groups of leads that have something in common. They are compared side by side, and merged or marked
// as different, one group after the other.
import { type KeyKind, keyKinds } from '@rapport/contract/duplicates.values'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { client } from '../../api/client.ts'
import {
  type Counts,
  duplicateCountsQuery,
  duplicatesQuery,
  type Group,
} from '../../api/duplicates.ts'
import { listLeads, nameOf } from '../../api/lead.ts'
import { useRecords } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatNumber } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { Skeleton } from '../../ui/small.tsx'
import { ShowMore } from '../../ui/table.tsx'
import { duplicates as said } from '../../words/duplicates.ts'
import { words } from '../../words/index.ts'
import css from './duplicates.module.css'
import { GroupPanel } from './group-panel.tsx'
import { LargeGroups } from './large-groups.tsx'

const PreviewDialog = lazy(() => import('../../parts/bulk/preview-dialog.tsx'))

/** Two groups are the same if they are of the same leads. */
const idOf = ({ leads }: Pick<Group, 'leads'>) =>
  leads
    .map(({ id }) => id)
    .sort()
    .join()

/** More groups are loaded when this many are left after the one that is shown. */
const ahead = 5

export default function DuplicatesPage() {
  const address = new URLSearchParams(useSearch())
  const leads = address.get('leads')
  const asked = address.get('kind')
  const kind = keyKinds.find((name) => name === asked)
  if (leads) return <Chosen leads={leads.split(',')} />
  return <Groups key={kind} kind={kind} isLarge={address.has('large')} />
}

interface GroupsProps {
  kind: KeyKind | undefined
  /** Only what many leads have in common. */
  isLarge: boolean
}

function Groups({ kind, isLarge }: GroupsProps) {
  const list = useInfiniteQuery(duplicatesQuery(kind))
  const { data, dataUpdatedAt, error, isPending, refetch } = list
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const { data: counts } = useQuery(duplicateCountsQuery)
  const mayWrite = useMayWrite()
  const records = useRecords()
  const [isMerging, setMerging] = useState(false)
  /** Those that were merged or dismissed since the list was read. */
  const [gone, setGone] = useState<{ since: number; ids: readonly string[] }>()
  const left = gone?.since === dataUpdatedAt ? gone.ids : []
  const [shown, setShown] = useState('')
  const groups = (data?.pages.flatMap((page) => page.groups) ?? []).filter(
    (group) => !left.includes(idOf(group)),
  )
  const at = Math.max(
    0,
    groups.findIndex((group) => idOf(group) === shown),
  )
  const group = groups[at]
  const number = kind ? counts?.counts[kind] : counts?.total
  useEffect(() => {
    if (groups.length - at <= ahead && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [groups.length, at, hasNextPage, isFetchingNextPage, fetchNextPage])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the groups were read again
  useEffect(() => {
    void client.invalidateQueries({ queryKey: duplicateCountsQuery.queryKey })
  }, [dataUpdatedAt])
  const isBuilding = Boolean(counts?.building)
  const wasBuilding = useRef(isBuilding)
  useEffect(() => {
    if (wasBuilding.current && !isBuilding) {
      void client.invalidateQueries({ queryKey: ['leads', 'duplicates'] })
    }
    wasBuilding.current = isBuilding
  }, [isBuilding])
  const chosen = isLarge ? 'large' : (kind ?? 'all')
  const isCounted = counts !== undefined
  const choices = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one is chosen, or all are there
  useEffect(() => {
    const link = choices.current?.querySelector('[aria-current]')
    link?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [chosen, isCounted])
  const show = (place: number) => {
    const next = groups[Math.max(0, Math.min(groups.length - 1, place))]
    if (next) setShown(idOf(next))
  }
  const leave = (id: string) => {
    show(at + 1 < groups.length ? at + 1 : at - 1)
    setGone({ since: dataUpdatedAt, ids: [...left, id] })
  }
  const href = (wanted?: KeyKind) => `/duplicates${wanted ? `?kind=${wanted}` : ''}`
  const label = (text: string, count: number | undefined) => (
    <>
      {text}
      {count !== undefined && <span className={css.count}> {formatNumber(count)}</span>}
    </>
  )
  const kinds = keyKinds.filter((name) => name === kind || counts?.counts[name])
  return (
    <div className={classes(frame.frame, frame.page)}>
      <header className={classes(frame.bar, frame.header)}>
        <MenuButton />
        <h1>{words.nav.duplicates}</h1>
        <div ref={choices} className={css.kinds}>
          <Choice
            label={said.kinds}
            chosen={chosen}
            options={[
              ['all', label(said.all, counts?.total), href()],
              ...kinds.map((name): [string, ReactNode, string] => [
                name,
                label(said.kind[name], counts?.counts[name]),
                href(name),
              ]),
              ...(isLarge || counts?.large ? [largeOption(label(said.large, counts?.large))] : []),
            ]}
          />
        </div>
        {kind && mayWrite && group && (
          <Button aria-label={said.mergeAllOf(said.same[kind])} onClick={() => setMerging(true)}>
            {said.mergeAll}
          </Button>
        )}
      </header>
      <div className={css.body} aria-busy={isPending}>
        {isLarge ? (
          <LargeGroups />
        ) : error && !data ? (
          <Empty title={said.failed} text={reasonOf(error)}>
            <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
          </Empty>
        ) : isPending || (!group && hasNextPage) ? (
          <div className={css.loading}>
            {[62, 48, 70, 55].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        ) : !group ? (
          <Empty
            icon={<Copy />}
            title={counts?.building ? said.noneYet : said.none}
            text={buildingOf(counts) ?? (kind ? said.noneOfKind : said.noneText)}
          />
        ) : (
          <div className={css.work}>
            <aside className={css.groups}>
              {isBuilding && <p className={css.aside}>{buildingOf(counts)}</p>}
              <GroupList groups={groups} shown={at} onShow={show} />
              <ShowMore list={list} label={said.more} />
            </aside>
            <GroupPanel
              key={idOf(group)}
              leads={group.leads}
              reasons={group.reasons}
              place={said.place(
                formatNumber(at + 1),
                // A large workspace is counted only now and then, but what was read is exact.
                formatNumber(hasNextPage ? Math.max(groups.length, number ?? 0) : groups.length),
              )}
              onStep={(by) => show(at + by)}
              onGone={() => leave(idOf(group))}
            />
          </div>
        )}
      </div>
      <Suspense fallback={null}>
        {isMerging && kind && (
          <PreviewDialog
            wanted={{ kind: 'merge', filter: {}, data: { by: kind, survivor: 'oldest' } }}
            said={{ change: 'merge', name: said.same[kind] }}
            records={records}
            onClose={() => setMerging(false)}
            onStarted={() => setMerging(false)}
          />
        )}
      </Suspense>
    </div>
  )
}

const largeOption = (label: ReactNode): [string, ReactNode, string] => [
  ...(['large', label, '/duplicates?large'] as const),
]

/** What the list does not show yet. */
const buildingOf = (counts: Counts | undefined) =>
  counts?.building &&
  said.building(formatNumber(counts.building.done), formatNumber(counts.building.of))

interface ListProps {
  groups: readonly Group[]
  shown: number
  onShow: (place: number) => void
}

function GroupList({ groups, shown, onShow }: ListProps) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.children[shown]?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  return (
    <ol ref={list} aria-label={said.groups}>
      {groups.map((group, place) => {
        const [first] = group.leads
        const name = (first && nameOf(first)) || words.leads.unnamed
        return (
          <li key={idOf(group)}>
            <button
              type="button"
              className={classes(css.group, place === shown && css.on)}
              aria-current={place === shown || undefined}
              onClick={() => onShow(place)}
            >
              <Avatar name={name} isCompany={first?.is_company ?? false} />
              <span className={css.groupName} dir="auto">
                {name}
              </span>
              <span className={css.groupWhy}>
                {said.kind[group.kind]} · {said.leads(group.leads.length)}
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

/** Leads that somebody chose to merge. */
function Chosen({ leads: ids }: { leads: string[] }) {
  const [, navigate] = useLocation()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['leads', 'duplicates', 'chosen', ids],
    queryFn: async ({ signal }) =>
      (await listLeads({ filter: { leads: ids }, pagination: { page_size: 20 } }, signal)).leads,
  })
  return (
    <div className={classes(frame.frame, frame.page)}>
      <header className={classes(frame.bar, frame.header)}>
        <MenuButton />
        <h1>{words.nav.duplicates}</h1>
      </header>
      <div className={css.body} aria-busy={isPending}>
        {error && !data ? (
          <Empty title={said.failed} text={reasonOf(error)}>
            <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
          </Empty>
        ) : data && data.length < 2 ? (
          <Empty icon={<Copy />} title={said.oneLeft} text={said.oneLeftText}>
            <Button onClick={() => navigate(`/lead/${ids[0]}`)}>{words.nav.leads}</Button>
          </Empty>
        ) : (
          data && (
            <GroupPanel
              leads={data}
              reasons={[]}
              onStep={() => {}}
              onGone={() => navigate(`/lead/${ids[0]}`, { replace: true })}
            />
          )
        )}
      </div>
    </div>
  )
}
