// A change of the workspace in words: what it was, of what, and how it can be undone.
import { whatWasDone } from '@rapport/contract/changes.values'
import { operationTable, whatItDid } from '@rapport/contract/operations.values'
import { leadsHref } from '../../addresses/leads.ts'
import type { Lead } from '../../api/lead.ts'
import type { Rate } from '../../api/rates.ts'
import type { Records } from '../../api/records.ts'
import { type Done, undoChange } from '../../api/undo.ts'
import type { SavedView } from '../../api/views.ts'
import { labelOf, requestChanges, type Change as Values } from '../../kinds/event-changes.ts'
import { isInForce } from '../../kinds/requests.ts'
import { importedOf } from '../../parts/bulk/operations.ts'
import { undoOutside } from '../../parts/bulk/tray.tsx'
import { formatNumber } from '../../ui/format.ts'
import { changes } from '../../words/changes.ts'
import { words } from '../../words/index.ts'
import type { Change } from './queries.ts'

export interface Described {
  /** "Lead changed", "118 leads changed" */
  what: string
  /** The lead, if it is there. */
  lead: Change['leads'][number] | undefined
  /** The address of the leads of a bulk change. */
  leads: string | undefined
  /** The name of another record, or the fields that a bulk change is about. */
  about: string
  values: Values[]
  /** "Undone", "Working…" */
  state: string
  undo: Done | undefined
}

/** Null: nobody, but the service itself. */
export function personOf(id: string | null, { members }: Records): string {
  if (id === null) return words.timeline.service
  const member = members.find((one) => one.id === id)
  return member ? member.name || member.email : words.overview.former
}

/** What one request did, newest first. */
export type Request = [Change, ...Change[]]

/** What the changes are of, as it is now. */
export interface Known {
  records: Records
  views: readonly SavedView[]
  rates: readonly Rate[]
  leads: ReadonlyMap<string, Lead>
}

export function describe(request: Request, known: Known): Described {
  const [{ operation }] = request
  return operation ? describeOperation(operation, known.records) : describeEvents(request, known)
}

type Operation = NonNullable<Change['operation']>

function describeOperation(operation: Operation, records: Records): Described {
  const { id, kind, data, changed, state, undone_by, undone, undoable_until, error } = operation
  const leads = words.leads.count(changed)
  const { undid, redid } = kind === 'undo' ? (data ?? {}) : {}
  const label =
    kind === 'undo'
      ? words.bulk.changeOf(redid ?? undid, leads)
      : `${leads} ${whatItDid(kind, data)}`
  const isUndo = kind === 'undo' && redid === undefined
  const what = isUndo ? changes.undid(label) : redid ? changes.redid(label) : label
  const list = records.lists.find((entry) => entry.id === data?.id_list)?.name
  const fields = kind === 'update' ? fieldsOf(data ?? {}, records) : ''
  const owners = kind === 'distribute' || kind === 'hand-over' ? ownersOf(data ?? {}, records) : ''
  const imported = kind === 'import' ? importedOf(operation) : ''
  const states = {
    running: changes.running,
    failed: error ?? changes.failed,
    stopped: '',
    done: '',
  }
  // An undo has the number of those that it restored itself.
  const isPart = kind !== 'undo' && undone !== undefined && undone < changed
  const part = `${words.bulk.undo.partly}: ${words.bulk.part(formatNumber(undone ?? 0), formatNumber(changed))}`
  return {
    what,
    lead: undefined,
    leads:
      changed > 0 && operationTable[kind].change !== 'deleted'
        ? leadsHref({ operation: id })
        : undefined,
    about: list ?? (imported || fields || owners),
    values: [],
    state: undone_by ? (isPart ? part : changes.undone) : states[state],
    undo: undoable_until === null ? undefined : { id, label, isUndo, undo: () => undoOutside(id) },
  }
}

/** The fields and attributes that a bulk change sets. */
function fieldsOf(data: Record<string, unknown>, records: Records): string {
  const { attributes, ...fields } = data
  const names = Object.keys((attributes ?? {}) as object).map(
    (id) => records.attributes.find((entry) => entry.id === id)?.name ?? words.filter.deleted,
  )
  return [...new Set([...Object.keys(fields).map(labelOf), ...names])].join(', ')
}

/** Who got the leads, and from whom. */
function ownersOf({ from, owners }: Record<string, unknown>, records: Records): string {
  const names = words.bulk.listed((owners as string[]).map((id) => personOf(id, records)))
  return from ? words.bulk.fromTo(personOf(from as string, records), names) : words.bulk.to(names)
}

function describeEvents(request: Request, known: Known): Described {
  const { records, leads } = known
  const [{ event, leads: named }] = request
  const count = event?.ids.length ?? 0
  const areMany = count > 1
  const lead = areMany ? undefined : named[0]
  const [record = ''] = event?.type.split('.') ?? []
  const events = request.flatMap((change) => change.event ?? [])
  const isCompleted = record === 'reminder' && after(event, 'is_done') === true
  const kind = record === 'note' ? after(event, 'kind') : undefined
  const name = changes.record(typeof kind === 'string' ? kind : record)
  const subject = areMany ? changes.many(count, name) : name
  const what = isCompleted ? changes.completed : `${subject} ${whatWasDone(event?.type ?? '')}`
  const isUndone = request.some(({ undone_by }) => undone_by !== null)
  const current = lead && leads.get(lead.id)
  const canUndo = {
    'lead.updated': Boolean(current && isInForce(events, current)),
    'lead.deleted': lead?.is_deleted === true,
    'lead.restored': lead?.is_deleted === false,
  }[event?.type as string]
  const values = event?.type === 'lead.updated' ? requestChanges(events.toReversed(), records) : []
  const label = values.map((value) => value.label).join(', ') || what
  return {
    what,
    lead,
    leads: undefined,
    about: record === 'lead' || areMany ? '' : nameOf(event, known),
    values,
    state: isUndone ? changes.undone : '',
    undo:
      canUndo && !isUndone && event && lead && event.ids.length === 1
        ? {
            id: event.cause.request_id ?? String(event.seq),
            label: words.undo.change(label, lead.name),
            undo: () => undoChange(lead.id, event.seq),
          }
        : undefined,
  }
}

const after = (event: Change['event'], name: string) =>
  (event?.changed[name] as [unknown, unknown] | undefined)?.[1]

/** The name of a list, a tag and so on: from the event, or as it is now. */
function nameOf(event: Change['event'], { records, views, rates }: Known): string {
  const told = toldIn(event, 'name')
  if (told) return told
  const [currency, base] = [toldIn(event, 'currency'), toldIn(event, 'base')]
  if (currency && base) return changes.rate(currency, base)
  const [id] = event?.ids ?? []
  const rate = rates.find((entry) => entry.id === id)
  if (rate) return changes.rate(rate.currency, rate.base)
  const { lists, status, tags, attributes, members, campaigns } = records
  const all = [...lists, ...status, ...tags, ...attributes, ...members, ...campaigns, ...views]
  return all.find((entry) => entry.id === id)?.name ?? ''
}

/** A text after the change, or the last one. */
function toldIn(event: Change['event'], name: string): string | undefined {
  const pair = event?.changed[name] as [unknown, unknown] | undefined
  const told = pair?.[1] ?? pair?.[0]
  return typeof told === 'string' ? told : undefined
}
