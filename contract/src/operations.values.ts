// The table of operations: one line for each kind. Plain values, for readers that must not load the schemas.
import type { ChangeKind } from './changes.values.ts'

interface OperationSpec {
  /** A caller can preview it, with this as its `data`: a shape of leads/bulk.ts. The others have none. */
  data?:
    | 'change'
    | 'tracking'
    | 'list'
    | 'lists'
    | 'turns'
    | 'handover'
    | 'nothing'
    | 'deleted'
    | 'merge'
  /** What happened to the leads, for people. */
  did: string
  /** Its kind among the recent changes. */
  change: ChangeKind
  /** It cannot be undone, and has a separate route. */
  isFinal?: true
}

export const operationTable = {
  update: { data: 'change', did: 'changed', change: 'edited' },
  track: { data: 'tracking', did: 'tracked', change: 'edited' },
  'add-list': { data: 'list', did: 'added to a list', change: 'edited' },
  'move-leads': { data: 'lists', did: 'moved to another list', change: 'edited' },
  'remove-leads': { data: 'list', did: 'removed from a list', change: 'edited' },
  distribute: { data: 'turns', did: 'distributed', change: 'edited' },
  'hand-over': { data: 'handover', did: 'handed over', change: 'edited' },
  merge: { data: 'merge', did: 'merged', change: 'edited' },
  delete: { data: 'nothing', did: 'deleted', change: 'deleted' },
  restore: { data: 'nothing', did: 'restored', change: 'deleted' },
  erase: { data: 'deleted', did: 'permanently erased', change: 'deleted', isFinal: true },
  import: { did: 'imported', change: 'created' },
  undo: { did: 'undone', change: 'undone' },
} as const satisfies Record<string, OperationSpec>

type Table = typeof operationTable
export type OperationKind = keyof Table

type KindsWith<Said> = {
  [Kind in OperationKind]: Table[Kind] extends Said ? Kind : never
}[OperationKind]

/** What a caller can preview. */
export type PreviewKind = KindsWith<{ data: string }>
/** What a caller can do to all leads that a filter selects, and undo. */
export type BulkKind = Exclude<PreviewKind, KindsWith<{ isFinal: true }>>

export const operationKinds = Object.keys(operationTable) as OperationKind[]

export const operationSpec = (kind: OperationKind): OperationSpec => operationTable[kind]

/** What it did to the leads, for people: "changed", "no longer tracked". */
export const whatItDid = (kind: OperationKind, data: Record<string, unknown> | null): string =>
  kind === 'track' && data?.remove_tracking ? 'no longer tracked' : operationTable[kind].did

export const previewKinds = operationKinds.filter(
  (kind): kind is PreviewKind => operationSpec(kind).data !== undefined,
)

export const bulkKinds = previewKinds.filter(
  (kind): kind is BulkKind => !operationSpec(kind).isFinal,
)

/** The kinds whose data is a list or nothing: whoever knows the list can do them. */
export type SimpleBulkKind = BulkKind & KindsWith<{ data: 'list' | 'nothing' }>

export const bulkKindsWith = <Data extends 'list' | 'nothing'>(data: Data) =>
  bulkKinds.filter(
    (kind): kind is BulkKind & KindsWith<{ data: Data }> => operationSpec(kind).data === data,
  )
