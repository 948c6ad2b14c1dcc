import { countLeads, n, were } from './counted.ts'

/** What happens to many leads. The name is that of a tag, a list, a member. */
type Sentence = (number: number, name: string) => string

export const bulk = {
  selected: (number: number) => `${n.format(number)} selected`,
  allThatMatch: 'all that match',
  leftOut: (number: number) => `${n.format(number)} left out`,
  selectAll: (number: number) => `Select all ${n.format(number)}`,
  clear: 'Clear selection',
  actions: 'Actions on the selected leads',
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
      doing: (number, name) => `Giving ${countLeads(number)} the tag ${name}`,
      did: (number, name) => `${countLeads(number)} got the tag ${name}`,
    },
    untag: {
      will: (number, name) => `${countLeads(number)} will lose the tag ${name}`,
      doing: (number, name) => `Taking the tag ${name} from ${countLeads(number)}`,
      did: (number, name) => `${countLeads(number)} lost the tag ${name}`,
    },
    status: {
      will: (number, name) => `${countLeads(number)} will get the status ${name}`,
      doing: (number, name) => `Giving ${countLeads(number)} the status ${name}`,
      did: (number, name) => `${countLeads(number)} got the status ${name}`,
    },
    owner: {
      will: (number, name) => `${countLeads(number)} will get ${name} as an owner`,
      doing: (number, name) => `Giving ${countLeads(number)} to ${name}`,
      did: (number, name) => `${countLeads(number)} got ${name} as an owner`,
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
      doing: (number) => `Starting to track ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${number === 1 ? 'is' : 'are'} tracked now`,
    },
    untrack: {
      will: (number) => `${countLeads(number)} will not be tracked any more`,
      doing: (number) => `Stopping to track ${countLeads(number)}`,
      did: (number) => `${countLeads(number)} ${number === 1 ? 'is' : 'are'} not tracked any more`,
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
    `${countLeads(number)} of them ${number === 1 ? 'stays as it is' : 'stay as they are'}.`,
  nothing: 'Nothing would change.',
  sample: 'A sample of what changes',
  run: (number: string) => `Change ${number}`,
  runDelete: (number: string) => `Delete ${number}`,
  typeNumber: (number: string) => `Type ${number} to delete these leads`,
  moved: 'The number of leads has changed in the meantime. Please look again.',
  undoNote: 'You can undo this.',
  tray: 'Changes of many leads',
  running: 'Working …',
  stopped: 'Stopped before its end',
  done: 'Done',
  failed: 'Failed. Nothing was changed.',
  undone: 'Undone',
  undoing: 'Undoing …',
  kept: (number: string) => `${number} kept a later change`,
  changed: (number: number) => `${n.format(number)} changed`,
  undoFailed: 'This could not be undone',
  exportFailed: 'The export did not work',
} as const
