// What people call the changes of a workspace: a few kinds, over events and operations (operations.values.ts). Plain
// values, for readers that must not load the schemas.

export const changeKinds = [
  'created',
  'edited',
  'deleted',
  'undone',
  'notes',
  'reminders',
  'settings',
] as const
export type ChangeKind = (typeof changeKinds)[number]

/** What can happen to a lead, one line each: what was done to it, for people, and the kind of change. */
const leadVerbs = {
  created: { did: 'created', change: 'created' },
  updated: { did: 'changed', change: 'edited' },
  deleted: { did: 'deleted', change: 'deleted' },
  merged: { did: 'merged', change: 'edited' },
  restored: { did: 'restored', change: 'deleted' },
  erased: { did: 'permanently erased', change: 'deleted' },
} as const satisfies Record<string, { did: string; change: ChangeKind }>

export type LeadVerb = keyof typeof leadVerbs

/** What can happen to every record. */
export const recordVerbs = ['created', 'updated', 'deleted'] as const satisfies LeadVerb[]
type RecordVerb = (typeof recordVerbs)[number]

export const furtherLeadVerbs = (Object.keys(leadVerbs) as LeadVerb[]).filter(
  (verb): verb is Exclude<LeadVerb, RecordVerb> => !recordVerbs.some((one) => one === verb),
)

const isLeadVerb = (verb: string): verb is LeadVerb => Object.hasOwn(leadVerbs, verb)

/** What an event of this type did to a record, for people. */
export function whatWasDone(type: string): string {
  const [, verb = ''] = type.split('.')
  return isLeadVerb(verb) ? leadVerbs[verb].did : verb
}

const recordChanges: Record<string, ChangeKind> = { note: 'notes', reminder: 'reminders' }

/** The kind of an event. Undefined: nobody did it. */
export function changeOfEvent(type: string): ChangeKind | undefined {
  if (type === 'reminder.due') return undefined
  const [record = '', verb = ''] = type.split('.')
  if (record === 'lead' && isLeadVerb(verb)) return leadVerbs[verb].change
  return recordChanges[record] ?? 'settings'
}

/** The time that recent changes are of, in the time zone of the workspace. */
export const changePeriods = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
] as const
export type ChangePeriod = (typeof changePeriods)[number]
