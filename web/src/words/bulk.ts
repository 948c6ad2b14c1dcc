import { largeGroup } from '@rapport/contract/duplicates.values'
import type { BulkKind, SimpleBulkKind } from '@rapport/contract/operations.values'
import { are, countLeads, list, n, were } from './counted.ts'

/** What happens to many leads. The name is that of a tag, a list, a member. */
type Sentence = (number: number, name: string) => string

type ChangeWords = { label: string } & Record<'will' | 'doing' | 'did', Sentence>

/** Changes that are more than their kind: updates of one relation, both ways of tracking, imports. */
type OtherChange =
  | ('merge' | 'tag' | 'untag' | 'status' | 'edit' | 'track' | 'untrack' | 'import')
  | ('add-owners' | 'set-owners' | 'remove-owners' | 'hand-over' | 'distribute')

const has = (number: number) => `already ${number === 1 ? 'has' : 'have'} it`

/** Why leads do not change, where "up to date" is not clear enough. */
const alike: Record<string, ((number: number) => string) | undefined> = {
  tag: has,
  status: has,
  untag: (number) => `${number === 1 ? 'doesn’t' : 'don’t'} have it`,
  'add-list': (number) => `${are(number)} already in it`,
  'remove-leads': (number) => `${number === 1 ? 'isn’t' : 'aren’t'} in it`,
} satisfies Partial<Record<SimpleBulkKind | OtherChange, (number: number) => string>>

/** The first ones, and how many more there are. */
const someOf = (names: readonly string[]) =>
  list.format(
    names.length > 5 ? [...names.slice(0, 4), `${n.format(names.length - 4)} more`] : names,
  )

/** What was undone or redone, by the kind of operation. An older undo does not say it. */
const changesOf = {
  update: (leads) => `a change of ${leads}`,
  track: (leads) => `a change of tracking of ${leads}`,
  'add-list': (leads) => `adding ${leads} to a list`,
  'move-leads': (leads) => `moving ${leads} to another list`,
  'remove-leads': (leads) => `removing ${leads} from a list`,
  distribute: (leads) => `a distribution of ${leads}`,
  'hand-over': (leads) => `a handover of ${leads}`,
  merge: (leads) => `a merge of ${leads}`,
  delete: (leads) => `a deletion of ${leads}`,
  restore: (leads) => `a restore of ${leads}`,
  import: (leads) => `an import of ${leads}`,
} satisfies Record<BulkKind | 'import', (leads: string) => string>

export const bulk = {
  selected: (number: number) => `${n.format(number)} selected`,
  allThatMatch: 'all matching',
  leftOut: (number: number) => `${n.format(number)} excluded`,
  selectAll: (number: number) => `Select all ${n.format(number)}`,
  clear: 'Clear selection',
  actions: 'Actions for selected leads',
  export: 'Export',
  exportCsv: 'Export as CSV',
  exportNdjson: 'Export as NDJSON',
  more: 'More',
  /** In menus; before, during and after. A kind of bulk change stands here under its own name. */
  changes: {
    merge: {
      label: 'Merge',
      will: (number, name) => `${countLeads(number)} with the same ${name} will be merged`,
      doing: (number, name) => `Merging ${countLeads(number)} with the same ${name}`,
      did: (number, name) => `${countLeads(number)} with the same ${name} merged`,
    },
    tag: {
      label: 'Tag',
      will: (number, name) => `${countLeads(number)} will get the tag ${name}`,
      doing: (number, name) => `Adding the tag ${name} to ${countLeads(number)}`,
      did: (number, name) => `${countLeads(number)} got the tag ${name}`,
    },
    untag: {
      label: 'Remove tag',
      will: (number, name) => `${countLeads(number)} will lose the tag ${name}`,
      doing: (number, name) => `Removing the tag ${name} from ${countLeads(number)}`,
      did: (number, name) => `${countLeads(number)} lost the tag ${name}`,
    },
    status: {
      label: 'Status',
      will: (number, name) => `${countLeads(number)} will get the status ${name}`,
      doing: (number, name) => `Setting the status of ${countLeads(number)} to ${name}`,
      did: (number, name) => `${countLeads(number)} got the status ${name}`,
    },
    edit: {
      label: 'Edit field',
      will: (number, name) => `${name} of ${countLeads(number)} will change`,
      doing: (number, name) => `Changing ${name} of ${countLeads(number)}`,
      did: (number, name) => `${name} of ${countLeads(number)} changed`,
    },
    'add-owners': {
      label: 'Add owners',
      will: (number, name) => `${countLeads(number)} will get ${name} as an owner`,
      doing: (number, name) => `Adding ${name} as an owner of ${countLeads(number)}`,
      did: (number, name) => `${countLeads(number)} got ${name} as an owner`,
    },
    'set-owners': {
      label: 'Set owners',
      will: (number, name) => `${countLeads(number)} will be owned by ${name} only`,
      doing: (number, name) => `Making ${name} the only owner of ${countLeads(number)}`,
      did: (number, name) => `${countLeads(number)} ${are(number)} now owned by ${name} only`,
    },
    'remove-owners': {
      label: 'Remove owners',
      will: (number, name) => `${countLeads(number)} will lose ${name} as an owner`,
      doing: (number, name) => `Removing ${name} as an owner of ${countLeads(number)}`,
      did: (number, name) => `${countLeads(number)} lost ${name} as an owner`,
    },
    'hand-over': {
      label: 'Replace an owner',
      will: (number, name) => `${countLeads(number)} will go ${name}`,
      doing: (number, name) => `Handing over ${countLeads(number)} ${name}`,
      did: (number, name) => `${countLeads(number)} went ${name}`,
    },
    distribute: {
      label: 'Distribute evenly',
      will: (number, name) => `${countLeads(number)} will be distributed to ${name}`,
      doing: (number, name) => `Distributing ${countLeads(number)} to ${name}`,
      did: (number, name) => `${countLeads(number)} ${were(number)} distributed to ${name}`,
    },
    'add-list': {
      label: 'Add to list',
      will: (number, name) => `${countLeads(number)} will be added to ${name}`,
      doing: (number, name) => `Adding ${countLeads(number)} to ${name}`,
      did: (number, name) => `${countLeads(number)} ${were(number)} added to ${name}`,
    },
    'remove-leads': {
      label: 'Remove from list',
      will: (number, name) => `${countLeads(number)} will be removed from ${name}`,
      doing: (number, name) => `Removing ${countLeads(number)} from ${name}`,
      did: (number, name) => `${countLeads(number)} ${were(number)} removed from ${name}`,
    },
    track: {
      label: 'Track',
      will: (number) => `${countLeads(number)} will be tracked`,
      doing: (number) => `Starting tracking of ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${are(number)} now tracked`,
    },
    untrack: {
      label: 'Stop tracking',
      will: (number) => `${countLeads(number)} will no longer be tracked`,
      doing: (number) => `Stopping tracking of ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${are(number)} no longer tracked`,
    },
    delete: {
      label: 'Delete',
      will: (number) => `${countLeads(number)} will be deleted`,
      doing: (number) => `Deleting ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${were(number)} deleted`,
    },
    restore: {
      label: 'Restore',
      will: (number) => `${countLeads(number)} will be restored`,
      doing: (number) => `Restoring ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${were(number)} restored`,
    },
    import: {
      label: 'Import',
      will: (number, name) => `${countLeads(number)} will be imported from ${name}`,
      doing: (_number, name) => `Importing ${name}`,
      did: (number, name) => `${countLeads(number)} ${were(number)} imported from ${name}`,
    },
  } satisfies Record<SimpleBulkKind | OtherChange, ChangeWords>,
  changeOf: (kind: unknown, leads: string) =>
    (changesOf[kind as keyof typeof changesOf] ?? changesOf.update)(leads),
  counting: 'Counting…',
  editOf: (number: number) => `Edit a field of ${countLeads(number)}`,
  setTo: (name: string, number: number) => `${name} of ${countLeads(number)}`,
  findField: 'Find a field',
  emptyClears: 'Leave it empty to clear the field.',
  noneClears: 'Choose nothing to clear the field.',
  owners: 'Owners',
  ownersOf: (number: number) => `Owners of ${countLeads(number)}`,
  whatToDo: 'What to do',
  ownersHints: {
    'add-owners': 'Current owners stay.',
    'set-owners': 'Current owners are removed.',
    'remove-owners': 'Other owners stay.',
    'hand-over': 'In the leads of one member, others take their place.',
    distribute: 'Each lead gets one of the members as its only owner.',
  },
  replaced: 'Replace',
  pickMember: 'Choose a member',
  findMember: 'Find members',
  fromTo: (from: string, to: string) => `from ${from} to ${to}`,
  to: (names: string) => `to ${names}`,
  listed: (names: string[]) => list.format(names),
  preview: 'Preview',
  shares: 'Who gets how many',
  owns: (number: number) => `then owns ${n.format(number)}`,
  /** How many of the selected leads stay as they are. */
  unchanged: (change: string, number: number) =>
    `${n.format(number)} ${alike[change]?.(number) ?? `${are(number)} already up to date`}.`,
  nothing: 'Nothing would change.',
  sample: 'Sample of the changes',
  run: (number: string) => `Change ${number}`,
  runDelete: (number: string) => `Delete ${number}`,
  runMerge: (number: string) => `Merge ${number}`,
  become: (number: number) => `They become ${countLeads(number)}.`,
  skipped: (number: number) =>
    `${number === 1 ? '1 group is' : `${n.format(number)} groups are`} left out: of more than ${largeGroup} leads, marked as not duplicates, or people with different names.`,
  runRestore: (number: string) => `Restore ${number}`,
  typeNumber: (number: string) => `Type ${number} to delete these leads`,
  moved: 'The number of leads has changed. Review the new preview.',
  undoNote: 'You can undo this.',
  tray: 'Bulk changes',
  running: 'Working…',
  stopped: 'Stopped early',
  done: 'Done',
  failed: 'Failed. No leads were changed.',
  undo: {
    done: 'Undone',
    partly: 'Undone in part',
    nothing: 'Nothing undone',
  },
  redo: {
    done: 'Redone',
    partly: 'Redone in part',
    nothing: 'Nothing redone',
  },
  part: (number: string, all: string) => `${number} of ${all}`,
  undoing: 'Undoing…',
  kept: (number: string, reason: string) => `${number} kept: ${reason}`,
  beside: { list: 'list', attribute: 'attribute', option: 'option', status: 'status', tag: 'tag' },
  removedToo: (names: readonly string[]) => `Also removed: ${someOf(names)}`,
  stays: (names: readonly string[]) => `Still in use, so kept: ${someOf(names)}`,
  undoFailed: 'Couldn’t undo this',
  exportFailed: 'Export failed',
} as const
