import { countLeads, n, were } from './counted.ts'

/** What happens to many leads. The name is that of a tag, a list, a member. */
type Sentence = (number: number, name: string) => string

export const bulk = {
  selected: (number: number) => `${n.format(number)} selected`,
  allThatMatch: 'all matching',
  leftOut: (number: number) => `${n.format(number)} excluded`,
  selectAll: (number: number) => `Select all ${n.format(number)}`,
  clear: 'Clear selection',
  actions: 'Actions for selected leads',
  tag: 'Tag',
  untag: 'Remove tag',
  status: 'Status',
  owner: 'Owner',
  addList: 'Add to list',
  removeList: 'Remove from list',
  track: 'Track',
  untrack: 'Stop tracking',
  export: 'Export',
  exportCsv: 'Export as CSV',
  exportNdjson: 'Export as NDJSON',
  delete: 'Delete',
  more: 'More',
  /** Before, during and after. */
  changes: {
    tag: {
      will: (number, name) => `${countLeads(number)} will get the tag ${name}`,
      doing: (number, name) => `Adding the tag ${name} to ${countLeads(number)}`,
      did: (number, name) => `${countLeads(number)} got the tag ${name}`,
    },
    untag: {
      will: (number, name) => `${countLeads(number)} will lose the tag ${name}`,
      doing: (number, name) => `Removing the tag ${name} from ${countLeads(number)}`,
      did: (number, name) => `${countLeads(number)} lost the tag ${name}`,
    },
    status: {
      will: (number, name) => `${countLeads(number)} will get the status ${name}`,
      doing: (number, name) => `Setting the status of ${countLeads(number)} to ${name}`,
      did: (number, name) => `${countLeads(number)} got the status ${name}`,
    },
    owner: {
      will: (number, name) => `${name} will be added as an owner of ${countLeads(number)}`,
      doing: (number, name) => `Adding ${name} as an owner of ${countLeads(number)}`,
      did: (number, name) => `${name} was added as an owner of ${countLeads(number)}`,
    },
    addList: {
      will: (number, name) => `${countLeads(number)} will be added to ${name}`,
      doing: (number, name) => `Adding ${countLeads(number)} to ${name}`,
      did: (number, name) => `${countLeads(number)} ${were(number)} added to ${name}`,
    },
    removeList: {
      will: (number, name) => `${countLeads(number)} will be removed from ${name}`,
      doing: (number, name) => `Removing ${countLeads(number)} from ${name}`,
      did: (number, name) => `${countLeads(number)} ${were(number)} removed from ${name}`,
    },
    track: {
      will: (number) => `${countLeads(number)} will be tracked`,
      doing: (number) => `Starting tracking of ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${number === 1 ? 'is' : 'are'} now tracked`,
    },
    untrack: {
      will: (number) => `${countLeads(number)} will no longer be tracked`,
      doing: (number) => `Stopping tracking of ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${number === 1 ? 'is' : 'are'} no longer tracked`,
    },
    delete: {
      will: (number) => `${countLeads(number)} will be deleted`,
      doing: (number) => `Deleting ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${were(number)} deleted`,
    },
    import: {
      will: (number, name) => `${countLeads(number)} will be imported from ${name}`,
      doing: (_number, name) => `Importing ${name}`,
      did: (number, name) => `${countLeads(number)} ${were(number)} imported from ${name}`,
    },
  } satisfies Record<string, Record<'will' | 'doing' | 'did', Sentence>>,
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
