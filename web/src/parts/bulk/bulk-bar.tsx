// What can be done with the selected leads.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { Download, Ellipsis, ListMinus, Radar, Tags, Trash2, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Records } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import { type Command, useCommands } from '../../frame/commands.ts'
import { recordOptions } from '../../kinds/record-options.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { Options } from '../../ui/options.tsx'
import { Popover } from '../../ui/popover.tsx'
import { words } from '../../words/index.ts'
import css from './bulk.module.css'
import { exportLeads } from './export.ts'
import type { Wanted } from './operations.ts'
import { filterOf, type Selection } from './selection.ts'
import type { Said } from './tray.tsx'

const PreviewDialog = lazy(() => import('./preview-dialog.tsx'))

interface Props {
  selection: Selection
  filter: LeadFilter
  count: number
  total: number
  records: Records
  onSelectAll: () => void
  onClear: () => void
}

/** An action that needs a record: which ones, what it does with it, and how that is said. */
interface Action {
  id: 'tag' | 'untag' | 'status' | 'owner' | 'addList' | 'removeList'
  label: string
  field: 'tags' | 'status' | 'owners' | 'lists'
  wanted: (id: string) => Pick<Wanted, 'kind' | 'data'>
}

const { bulk } = words
const actions: Action[] = [
  {
    id: 'tag',
    label: bulk.tag,
    field: 'tags',
    wanted: (id) => ({ kind: 'update', data: { tags_connect: [id] } }),
  },
  {
    id: 'status',
    label: bulk.status,
    field: 'status',
    wanted: (id) => ({ kind: 'update', data: { status_connect: [id] } }),
  },
  {
    id: 'owner',
    label: bulk.owner,
    field: 'owners',
    wanted: (id) => ({ kind: 'update', data: { owners_connect: [id] } }),
  },
  {
    id: 'addList',
    label: bulk.addList,
    field: 'lists',
    wanted: (id) => ({ kind: 'add-list', data: { id_list: id } }),
  },
  {
    id: 'untag',
    label: bulk.untag,
    field: 'tags',
    wanted: (id) => ({ kind: 'update', data: { tags_disconnect: [id] } }),
  },
  {
    id: 'removeList',
    label: bulk.removeList,
    field: 'lists',
    wanted: (id) => ({ kind: 'remove-leads', data: { id_list: id } }),
  },
]
const inBar = 4

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
  const [asked, setAsked] = useState<{ wanted: Wanted; said: Said }>()
  const selected = filterOf(selection, filter)
  const ask = (wanted: Pick<Wanted, 'kind' | 'data'>, change: Said['change'], name = '') =>
    setAsked({ wanted: { ...wanted, filter: selected }, said: { change, name } })
  const picked = (action: Action, id: string) => {
    const name = optionsOf(action).find((option) => option.id === id)?.label ?? ''
    setPicking(undefined)
    ask(action.wanted(id), action.id, name)
  }
  const optionsOf = ({ field }: Action) => recordOptions[field](records)
  const track = (isOn: boolean) =>
    ask({ kind: 'track', data: { remove_tracking: !isOn } }, isOn ? 'track' : 'untrack')
  const remove = () => ask({ kind: 'delete', data: {} }, 'delete')

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
        {
          id: 'bulk-delete',
          title: `${bulk.delete}: ${bulk.selected(count)}`,
          group: groups.selection,
          run: remove,
        },
      ]
    : []
  useCommands(commands)

  const more: MenuEntry[][] = [
    mayWrite
      ? [
          { id: 'untag', label: bulk.untag, icon: <Tags />, onPick: () => setPicking('untag') },
          {
            id: 'removeList',
            label: bulk.removeList,
            icon: <ListMinus />,
            onPick: () => setPicking('removeList'),
          },
          { id: 'track', label: bulk.track, icon: <Radar />, onPick: () => track(true) },
          { id: 'untrack', label: bulk.untrack, icon: <Radar />, onPick: () => track(false) },
        ]
      : [],
    [
      {
        id: 'csv',
        label: bulk.exportCsv,
        icon: <Download />,
        onPick: () => void exportLeads({ filter: selected, format: 'csv' }),
      },
      {
        id: 'ndjson',
        label: bulk.exportNdjson,
        icon: <Download />,
        onPick: () => void exportLeads({ filter: selected, format: 'ndjson' }),
      },
    ],
    mayWrite
      ? [{ id: 'delete', label: bulk.delete, icon: <Trash2 />, isDangerous: true, onPick: remove }]
      : [],
  ]
  const leftOut = selection.kind === 'all' ? selection.except.size : 0
  const hidden = actions.slice(inBar).find(({ id }) => id === picking)
  return (
    <section className={css.bar} aria-label={bulk.actions}>
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
      <span className={css.fill} />
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
            trigger={<Button className={css.action ?? ''}>{action.label}</Button>}
          >
            <Options
              label={words.fields.find(action.label)}
              options={optionsOf(action)}
              onPick={(id) => picked(action, id)}
            />
          </Popover>
        ))}
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
      {mayWrite && (
        <Button look="danger" className={css.action ?? ''} onClick={remove}>
          {bulk.delete}
        </Button>
      )}
      <Suspense fallback={null}>
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
