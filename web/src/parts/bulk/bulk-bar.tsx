// What can be done with the selected leads.

import { largeGroup } from '@rapport/contract/duplicates.values'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { ToldRelation } from '@rapport/contract/leads/relations'
import { bulkKindsWith } from '@rapport/contract/operations.values'
import {
  CircleDot,
  Download,
  Ellipsis,
  List,
  Merge,
  Pencil,
  Radar,
  Tags,
  Trash2,
  Users,
  X,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { Records } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import { type Command, useCommands } from '../../frame/commands.ts'
import { askWhyLost } from '../../kinds/lost.ts'
import { relations } from '../../kinds/relations.tsx'
import { Button } from '../../ui/button.tsx'
import { coverAsBar } from '../../ui/cover.ts'
import { useNarrow } from '../../ui/media.ts'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { Options } from '../../ui/options.tsx'
import { Popover } from '../../ui/popover.tsx'
import { words } from '../../words/index.ts'
import css from './bulk.module.css'
import { exportLeads } from './export.ts'
import type { Wanted } from './operations.ts'
import { type OwnersChange, ownersChangeNames } from './owners.ts'
import { filterOf, type Selection } from './selection.ts'
import type { Said } from './tray.tsx'

const PreviewDialog = lazy(() => import('./preview-dialog.tsx'))
const EditDialog = lazy(() => import('./edit-dialog.tsx'))
const OwnersDialog = lazy(() => import('./owners-dialog.tsx'))

interface Props {
  selection: Selection
  filter: LeadFilter
  count: number
  total: number
  records: Records
  onSelectAll: () => void
  onClear: () => void
}

type Change = Said['change']

/** An action that needs a record: which kind, and what it does with it. */
interface Action {
  id: Change
  label: string
  field: ToldRelation
  wanted: (id: string) => Pick<Wanted, 'kind' | 'data'>
}

const { bulk } = words
const labelOf = (change: Change) => bulk.changes[change].label

const update = (id: Change, field: ToldRelation, name: string): Action => ({
  ...{ id, field, label: labelOf(id) },
  wanted: (record) => ({ kind: 'update', data: { [name]: [record] } }),
})

const icons: Record<ToldRelation, ReactNode> = {
  tags: <Tags />,
  status: <CircleDot />,
  lists: <List />,
  owners: <Users />,
}

const actions: Action[] = [
  update('tag', 'tags', 'tags_connect'),
  update('status', 'status', 'status_connect'),
  ...bulkKindsWith('list').map(
    (kind): Action => ({
      ...{ id: kind, field: 'lists', label: labelOf(kind) },
      wanted: (id_list) => ({ kind, data: { id_list } }),
    }),
  ),
  update('untag', 'tags', 'tags_disconnect'),
]
/** How many are in the bar, except on a phone. The others are in its menu. */
const roomInBar = 3

export default function BulkBar({
  selection,
  filter,
  count,
  total,
  records,
  onSelectAll,
  onClear,
}: Props) {
  const mayWrite = useMayWrite()
  const [picking, setPicking] = useState<Action['id']>()
  const [owning, setOwning] = useState<OwnersChange>()
  const [isEditing, setEditing] = useState(false)
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<{ wanted: Wanted; said: Said }>()
  const selected = filterOf(selection, filter)
  const ask = (wanted: Pick<Wanted, 'kind' | 'data'>, change: Said['change'], name = '') =>
    setAsked({ wanted: { ...wanted, filter: selected }, said: { change, name } })
  const picked = (action: Action, id: string) => {
    const name = optionsOf(action).find((option) => option.id === id)?.label ?? ''
    setPicking(undefined)
    const wanted = action.wanted(id)
    const go = (lost_reason: string) =>
      ask(
        lost_reason ? { ...wanted, data: { ...wanted.data, lost_reason } } : wanted,
        action.id,
        name,
      )
    const status = action.id === 'status' && records.status.find((one) => one.id === id)
    if (status && status.type === 'DEAL_LOST') askWhyLost({ id, count, go })
    else go('')
  }
  const optionsOf = ({ field }: Action) => relations[field].options(records)
  const track = (isOn: boolean) =>
    ask({ kind: 'track', data: { remove_tracking: !isOn } }, isOn ? 'track' : 'untrack')
  const remove = () => ask({ kind: 'delete', data: {} }, 'delete')
  const edit = () => setEditing(true)
  const own = () => setOwning('add-owners')
  const inBar = useNarrow() ? 0 : roomInBar
  const inMenu = actions.slice(inBar)
  const mayMerge = selection.kind === 'some' && count > 1 && count <= largeGroup
  const merge = () => navigate(`/duplicates?leads=${selected.leads?.join() ?? ''}`)

  const { groups } = words.commands
  const commands: Command[] = mayWrite
    ? [
        ...actions.map(({ id, label }, at) => ({
          id: `bulk-${id}`,
          title: `${label}: ${bulk.selected(count)}`,
          group: groups.selection,
          ...(at === 0 && { keys: 'T' }),
          run: () => setPicking(id),
        })),
        ...ownersChangeNames.map((id) => ({
          id: `bulk-${id}`,
          title: `${labelOf(id)}: ${bulk.selected(count)}`,
          group: groups.selection,
          run: () => setOwning(id),
        })),
        {
          id: 'bulk-edit',
          title: `${labelOf('edit')}: ${bulk.selected(count)}`,
          group: groups.selection,
          run: edit,
        },
        {
          id: 'bulk-delete',
          title: `${labelOf('delete')}: ${bulk.selected(count)}`,
          group: groups.selection,
          run: remove,
        },
      ]
    : []
  useCommands(commands)

  const more: MenuEntry[][] = [
    mayWrite
      ? [
          ...inMenu.map(({ id, label, field }) => ({
            ...{ id, label, icon: icons[field] },
            onPick: () => setPicking(id),
          })),
          ...(inBar === 0
            ? [
                { id: 'owners', label: bulk.owners, icon: icons.owners, onPick: own },
                { id: 'edit', label: labelOf('edit'), icon: <Pencil />, onPick: edit },
              ]
            : []),
          ...bulkKindsWith('nothing')
            // One has a button, and what is selected here is not deleted.
            .filter((kind) => kind !== 'delete' && kind !== 'restore')
            .map((kind) => ({
              ...{ id: kind, label: labelOf(kind) },
              onPick: () => ask({ kind, data: {} }, kind),
            })),
          ...(mayMerge
            ? [{ id: 'merge', label: labelOf('merge'), icon: <Merge />, onPick: merge }]
            : []),
          { id: 'track', label: labelOf('track'), icon: <Radar />, onPick: () => track(true) },
          { id: 'untrack', label: labelOf('untrack'), icon: <Radar />, onPick: () => track(false) },
        ]
      : [],
    [
      {
        id: 'csv',
        label: bulk.exportCsv,
        icon: <Download />,
        onPick: () => void exportLeads(words.export.selected, { filter: selected, format: 'csv' }),
      },
      {
        id: 'ndjson',
        label: bulk.exportNdjson,
        icon: <Download />,
        onPick: () =>
          void exportLeads(words.export.selected, { filter: selected, format: 'ndjson' }),
      },
    ],
    mayWrite
      ? [
          {
            id: 'delete',
            label: labelOf('delete'),
            icon: <Trash2 />,
            isDangerous: true,
            onPick: remove,
          },
        ]
      : [],
  ]
  const leftOut = selection.kind === 'all' ? selection.except.size : 0
  const hidden = inMenu.find(({ id }) => id === picking)
  return (
    <section ref={coverAsBar} className={css.bar} aria-label={bulk.actions}>
      <Button look="icon" aria-label={bulk.clear} onClick={onClear}>
        <X size={15} />
      </Button>
      <b>{bulk.selected(count)}</b>
      <span className={css.text}>
        {selection.kind === 'all' && bulk.allThatMatch}
        {leftOut > 0 && `, ${bulk.leftOut(leftOut)}`}
      </span>
      {selection.kind === 'some' && total > count && (
        <Button look="link" onClick={onSelectAll}>
          {bulk.selectAll(total)}
        </Button>
      )}
      <span className="fill" />
      {mayWrite &&
        actions.slice(0, inBar).map((action) => (
          <Popover
            key={action.id}
            label={action.label}
            side="top"
            align="end"
            wide
            open={picking === action.id}
            onOpenChange={(open) => setPicking(open ? action.id : undefined)}
            trigger={<Button>{action.label}</Button>}
          >
            <Options
              label={words.fields.find(action.label)}
              options={optionsOf(action)}
              onPick={(id) => picked(action, id)}
            />
          </Popover>
        ))}
      {mayWrite && inBar > 0 && (
        <>
          <Button aria-haspopup="dialog" onClick={own}>
            {bulk.owners}
          </Button>
          <Button aria-haspopup="dialog" onClick={edit}>
            {labelOf('edit')}
          </Button>
        </>
      )}
      {hidden && (
        <Popover
          label={hidden.label}
          side="top"
          align="end"
          wide
          open
          anchor={document.getElementById('bulk-more')}
          onOpenChange={(open) => open || setPicking(undefined)}
        >
          <Options
            label={words.fields.find(hidden.label)}
            options={optionsOf(hidden)}
            onPick={(id) => picked(hidden, id)}
          />
        </Popover>
      )}
      <Menu
        label={bulk.more}
        side="top"
        align="end"
        groups={more}
        trigger={
          <Button id="bulk-more" aria-label={bulk.more}>
            <Ellipsis size={15} />
          </Button>
        }
      />
      {mayWrite && inBar > 0 && (
        <Button look="danger" onClick={remove}>
          {labelOf('delete')}
        </Button>
      )}
      <Suspense fallback={null}>
        {owning && (
          <OwnersDialog
            first={owning}
            count={count}
            records={records}
            onAsk={(wanted, change, name) => {
              setOwning(undefined)
              ask(wanted, change, name)
            }}
            onClose={() => setOwning(undefined)}
          />
        )}
        {isEditing && (
          <EditDialog
            count={count}
            records={records}
            onAsk={(wanted, name) => {
              setEditing(false)
              ask(wanted, 'edit', name)
            }}
            onClose={() => setEditing(false)}
          />
        )}
        {asked && (
          <PreviewDialog
            {...asked}
            records={records}
            onClose={() => setAsked(undefined)}
            onStarted={onClear}
          />
        )}
      </Suspense>
    </section>
  )
}
