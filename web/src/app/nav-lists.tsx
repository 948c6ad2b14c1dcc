// The lists in the navigation: pinned ones first, each with its color and count. They are put into an order by
// dragging, or by the menu of each.
import {
  ArrowDown,
  ArrowUp,
  Columns3,
  Ellipsis,
  Pin,
  PinOff,
  Plus,
  Settings,
  Users,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { leadsHref } from '../addresses/leads.ts'
import { type Body, call } from '../api/call.ts'
import { type ListRecord, recordQueries, useRecords } from '../api/records.ts'
import { useMayWrite } from '../api/session.ts'
import { change, orderAt, replaced } from '../parts/records/change.ts'
import { colorOf, titleOf, useListCounts } from '../pipeline/lists.ts'
import { classes } from '../ui/classes.ts'
import { formatNumber } from '../ui/format.ts'
import { Menu } from '../ui/menu.tsx'
import { Dot } from '../ui/small.tsx'
import { words } from '../words/index.ts'
import { useListInAddress } from './list-address.ts'
import css from './shell.module.css'

/** More lists are shown on demand. Pinned ones always are. */
const few = 8

const update = (list: ListRecord, body: Body<'PATCH /lists/{id}'>) =>
  void change<ListRecord>({
    key: recordQueries.lists.queryKey,
    what: list.name,
    shown: (lists) => replaced(lists, { ...list, ...body }),
    work: () => call('PATCH /lists/{id}', { id: list.id, body }),
  })

export function NavLists() {
  const { lists } = useRecords()
  const mayWrite = useMayWrite()
  const counts = useListCounts()
  const { list: shown, hrefOf } = useListInAddress()
  const [isWhole, setWhole] = useState(false)
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<string>()
  const pinned = lists.filter(({ favorite }) => favorite)
  const others = lists.filter(({ favorite }) => !favorite)
  const all = [...pinned, ...others]
  const rest = all.length - Math.max(few, pinned.length)
  const inView = isWhole || rest <= 1 ? all : all.slice(0, -rest)
  if (all.length === 0) return null
  /** Among those that are pinned like it. */
  const move = (list: ListRecord, to: number) =>
    update(list, { order: orderAt(list.favorite ? pinned : others, list, to) })
  const drop = (target: ListRecord) => {
    const list = lists.find(({ id }) => id === dragged)
    setDragged(undefined)
    setOver(undefined)
    if (!list || list.id === target.id) return
    const group = target.favorite ? pinned : others
    const order = orderAt(group, list, group.indexOf(target))
    update(list, { order, ...(list.favorite !== target.favorite && { favorite: target.favorite }) })
  }
  return (
    <div role="group" aria-label={words.nav.lists} className={css.group}>
      <h2>
        {words.nav.lists}
        {mayWrite && (
          <Link
            href="/settings/lists"
            className={css.tool}
            aria-label={words.nav.newList}
            title={words.nav.newList}
          >
            <Plus />
          </Link>
        )}
      </h2>
      {inView.map((list) => {
        const count = counts?.get(list.id)
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the menu does the same by keyboard
          <div
            key={list.id}
            className={css.entry}
            data-over={list.id === over || undefined}
            draggable={mayWrite}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              setDragged(list.id)
            }}
            onDragEnd={() => {
              setDragged(undefined)
              setOver(undefined)
            }}
            onDragOver={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              setOver(list.id)
            }}
            onDrop={(event) => {
              event.preventDefault()
              drop(list)
            }}
          >
            <Link
              href={hrefOf(list.id)}
              draggable={false}
              className={classes(css.item, shown === list.id && css.on)}
              aria-current={shown === list.id || undefined}
              title={list.name}
            >
              <span className={css.sign}>
                <Dot color={colorOf(list, lists)} />
              </span>
              <span className={css.cut} dir="auto">
                {titleOf(list)}
              </span>
              {list.favorite && <Pin className={css.pin} aria-label={words.nav.pinned} />}
              {count !== undefined && <span className={css.count}>{formatNumber(count)}</span>}
            </Link>
            <ListMenu
              list={list}
              group={list.favorite ? pinned : others}
              mayWrite={mayWrite}
              onMove={(to) => move(list, to)}
            />
          </div>
        )
      })}
      {rest > 1 && (
        <button type="button" className={css.item} onClick={() => setWhole(!isWhole)}>
          <span className={css.soft}>
            {isWhole ? words.nav.fewer : words.nav.more(formatNumber(rest))}
          </span>
        </button>
      )}
    </div>
  )
}

function ListMenu({
  list,
  group,
  mayWrite,
  onMove,
}: {
  list: ListRecord
  group: readonly ListRecord[]
  mayWrite: boolean
  onMove: (to: number) => void
}) {
  const [, navigate] = useLocation()
  const at = group.indexOf(list)
  const go = (id: string, label: string, icon: ReactNode, href: string) => ({
    ...{ id, label, icon },
    onPick: () => navigate(href),
  })
  return (
    <Menu
      label={words.nav.listOptions(list.name)}
      trigger={
        <button type="button" className={css.options} aria-label={words.nav.listOptions(list.name)}>
          <Ellipsis />
        </button>
      }
      groups={[
        [
          go('leads', words.nav.leads, <Users />, leadsHref({ lists: [list.id] })),
          go('board', words.nav.board, <Columns3 />, `/board?list=${list.id}`),
        ],
        mayWrite
          ? [
              {
                id: 'pin',
                label: list.favorite ? words.nav.unpin : words.nav.pin,
                icon: list.favorite ? <PinOff /> : <Pin />,
                onPick: () => update(list, { favorite: !list.favorite }),
              },
              {
                id: 'up',
                label: words.actions.moveUp,
                icon: <ArrowUp />,
                isDisabled: at === 0,
                onPick: () => onMove(at - 1),
              },
              {
                id: 'down',
                label: words.actions.moveDown,
                icon: <ArrowDown />,
                isDisabled: at === group.length - 1,
                onPick: () => onMove(at + 1),
              },
            ]
          : [],
        mayWrite
          ? [go('stages', words.nav.editStages, <Settings />, `/settings/statuses?list=${list.id}`)]
          : [],
      ]}
    />
  )
}
