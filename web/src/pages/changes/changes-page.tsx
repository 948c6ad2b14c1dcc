// Recent changes: who did what, how many, and undo where it can be undone.
import { type ChangeKind, changeKinds } from '@rapport/contract/changes.values'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronDown, History } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import {
  type ChangesState,
  changesHref,
  readChanges,
  shownPeriods,
} from '../../addresses/changes.ts'
import { ratesQuery } from '../../api/rates.ts'
import { type Records, useRecords } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import { useViews } from '../../api/views.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import { byRequest } from '../../kinds/requests.ts'
import { undo } from '../../parts/bulk/undo-last.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { byDay } from '../../ui/by-day.ts'
import { Choice } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatClock, formatExact } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Skeletons } from '../../ui/small.tsx'
import { ShowMore } from '../../ui/table.tsx'
import { changes } from '../../words/changes.ts'
import { words } from '../../words/index.ts'
import css from './changes.module.css'
import { type Described, describe, personOf, type Request } from './describe.ts'
import { type Change, changedLeadsQuery, changesQuery } from './queries.ts'
import { Who } from './who.tsx'

export default function ChangesPage() {
  const state = readChanges(useSearch())
  const records = useRecords()
  const mayWrite = useMayWrite()
  const list = useInfiniteQuery(changesQuery(state))
  const { data, error, isPending, refetch, hasNextPage, isFetching, fetchNextPage } = list
  const found = data?.pages.flatMap((page) => page.changes) ?? []
  const { data: leads = new Map() } = useQuery(changedLeadsQuery(found))
  const { data: rates = [] } = useQuery(ratesQuery)
  const known = { records, views: useViews().views, rates, leads }
  // The service has looked at many changes, and few match. It continues.
  const isToContinue =
    data?.pages.at(-1)?.changes.length === 0 && hasNextPage && !isFetching && !error
  useEffect(() => {
    if (isToContinue) void fetchNextPage()
  }, [isToContinue, fetchNextPage])
  const requests = byRequest(found, ({ event }) => event)
    .map((request) => ({ request, said: describe(request, known) }))
    .filter(({ request, said }) => isTold(request, said))
  return (
    <div className={classes(frame.frame, frame.page)}>
      <header className={classes(frame.bar, frame.header, css.header)}>
        <MenuButton />
        <h1>{words.nav.changes}</h1>
        <Choice
          label={changes.period}
          chosen={state.period}
          options={shownPeriods.map((period) => [
            period,
            changes.periods[period],
            changesHref({ ...state, period }),
          ])}
        />
        <Filters state={state} records={records} />
      </header>
      <div className={frame.body} aria-busy={isPending}>
        <div className={css.columns}>
          <Who state={state} records={records} />
          <section aria-label={changes.list}>
            {error && !data ? (
              <Empty title={changes.loadFailed} text={reasonOf(error)}>
                <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
              </Empty>
            ) : isPending ? (
              <Skeletons widths={['62%', '48%', '70%', '55%', '44%', '58%']} />
            ) : requests.length === 0 && !hasNextPage ? (
              <Empty icon={<History />} title={changes.none} text={changes.noneHelp} />
            ) : (
              byDay(requests, ({ request: [{ at }] }) => at).map(([day, entries]) => (
                <div key={day} className={css.day}>
                  <h2>{day}</h2>
                  <ol>
                    {entries.map(({ request, said }) => (
                      <Entry
                        key={keyOf(request[0])}
                        change={request[0]}
                        said={said}
                        records={records}
                        mayWrite={mayWrite}
                      />
                    ))}
                  </ol>
                </div>
              ))
            )}
            <ShowMore list={list} label={changes.more} />
          </section>
        </div>
      </div>
    </div>
  )
}

const keyOf = ({ event, operation }: Change) => (event ? `event ${event.seq}` : operation?.id)

/** What people are not interested in: a place within a move that says more. */
const isTold = ([{ event }]: Request, { values }: Described) =>
  event?.type !== 'lead.updated' || values.length > 0 || Object.keys(event.changed).length === 0

function Filters({ state, records }: { state: ChangesState; records: Records }) {
  const [, navigate] = useLocation()
  const go = (part: Partial<ChangesState>) => navigate(changesHref({ ...state, ...part }))
  const person = state.member ? personOf(state.member, records) : changes.everyone
  const kind = state.kind && changes.kinds[state.kind]
  return (
    <div className={css.filters}>
      <Menu
        label={changes.person}
        align="end"
        trigger={
          <Button aria-label={`${changes.person}: ${person}`}>
            <span className={css.cut}>{person}</span> <ChevronDown size={14} />
          </Button>
        }
        groups={[
          [
            {
              id: 'everyone',
              label: changes.everyone,
              isChosen: !state.member,
              onPick: () => go({ member: undefined }),
            },
          ],
          records.members.map(({ id, name, email }) => ({
            id,
            label: name || email,
            isChosen: id === state.member,
            onPick: () => go({ member: id }),
          })),
        ]}
      />
      <Menu
        label={changes.kind}
        align="end"
        trigger={
          <Button aria-label={`${changes.kind}: ${kind ?? changes.anyKind}`}>
            <span className={css.cut}>{kind ?? changes.anyKind}</span> <ChevronDown size={14} />
          </Button>
        }
        groups={[
          [
            {
              id: 'any',
              label: changes.anyKind,
              isChosen: !state.kind,
              onPick: () => go({ kind: undefined }),
            },
          ],
          changeKinds.map((id: ChangeKind) => ({
            id,
            label: changes.kinds[id],
            isChosen: id === state.kind,
            onPick: () => go({ kind: id }),
          })),
        ]}
      />
    </div>
  )
}

function Entry({
  change: { at, actor },
  said,
  records,
  mayWrite,
}: {
  change: Change
  said: Described
  records: Records
  mayWrite: boolean
}) {
  const { timeline } = words
  const who = personOf(actor.member, records)
  const way = timeline.ways[actor.way]
  const { what, lead, leads, about, values, state, undo: done } = said
  return (
    <li className={css.entry}>
      <Avatar name={who} picture={records.members.find(({ id }) => id === actor.member)?.picture} />
      <div className={css.text}>
        <div>
          <b>{who}</b> {way && <span className="soft">({way})</span>} ·{' '}
          {leads ? (
            <Link href={leads} className={css.link}>
              {what}
            </Link>
          ) : (
            what
          )}
          {lead && (
            <>
              {' · '}
              <Link href={`/lead/${lead.id}`} className={css.link} dir="auto">
                {lead.name || words.leads.unnamed}
              </Link>
            </>
          )}
          {about && (
            <span className="soft" dir="auto">
              {' · '}
              {about}
            </span>
          )}
        </div>
        {values.map(({ label, before, after }) => (
          <div key={`${label} ${before} ${after}`} className={css.values}>
            {label} {before && <del>{before}</del>} {before && after ? '→ ' : ''}
            {after && <ins>{after}</ins>}
            {!before && !after && timeline.empty}
          </div>
        ))}
      </div>
      {state && <span className="soft">{state}</span>}
      {mayWrite && done && !state && (
        <Button
          look="link"
          aria-label={changes[done.isUndo ? 'redo' : 'undo'](done.label)}
          onClick={() => undo(done)}
        >
          {done.isUndo ? words.undo.redo : words.actions.undo}
        </Button>
      )}
      <time className={css.time} dateTime={at} title={formatExact(at)}>
        {formatClock(at)}
      </time>
    </li>
  )
}
