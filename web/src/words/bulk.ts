import type { SimpleBulkKind } from '@rapport/contract/operations.values'
import { countLeads, n, were } from './counted.ts'

/** What happens to many leads. The name is that of a tag, a list, a member. */
type Sentence = (number: number, name: string) => string

type ChangeWords = { label: string } & Record<'will' | 'doing' | 'did', Sentence>

/** Changes that are more than their kind: updates of one relation, both ways of tracking, imports. */
type OtherChange = 'tag' | 'untag' | 'status' | 'owner' | 'track' | 'untrack' | 'import'

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
    owner: {
      label: 'Owner',
      will: (number, name) => `${name} will be added as an owner of ${countLeads(number)}`,
      doing: (number, name) => `Adding ${name} as an owner of ${countLeads(number)}`,
      did: (number, name) => `${name} was added as an owner of ${countLeads(number)}`,
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
      did: (number) => `${countLeads(number)} ${number === 1 ? 'is' : 'are'} now tracked`,
    },
    untrack: {
      label: 'Stop tracking',
      will: (number) => `${countLeads(number)} will no longer be tracked`,
      doing: (number) => `Stopping tracking of ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${number === 1 ? 'is' : 'are'} no longer tracked`,
    },
    delete: {
      label: 'Delete',
      will: (number) => `${countLeads(number)} will be deleted`,
      doing: (number) => `Deleting ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${were(number)} deleted`,
    },
    import: {
      label: 'Import',
      will: (number, name) => `${countLeads(number)} will be imported from ${name}`,
      doing: (_number, name) => `Importing ${name}`,
      did: (number, name) => `${countLeads(number)} ${were(number)} imported from ${name}`,
    },
  } satisfies Record<SimpleBulkKind | OtherChange, ChangeWords>,
  counting: 'Counting …',
  unchanged: (number: number) =>
    `${countLeads(number)} ${number === 1 ? 'is' : 'are'} already up to date.`,
  nothing: 'Nothing would change.',
  sample: 'Sample of the changes',
  run: (number: string) => `Change ${number}`,
  runDelete: (number: string) => `Delete ${number}`,
  typeNumber: (number: string) => `Type ${number} to delete these leads`,
  moved: 'The number of leads has changed. Review the new preview.',
  undoNote: 'You can undo this.',
  tray: 'Bulk changes',
  running: 'Working …',
  stopped: 'Stopped early',
  done: 'Done',
  failed: 'Failed. No leads were changed.',
  undone: 'Undone',
  undoing: 'Undoing …',
  kept: (number: string) => `${number} kept, changed since`,
  undoFailed: 'Couldn’t undo this',
  exportFailed: 'Export failed',
} as const
