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

const leadChanges: Record<string, ChangeKind> = {
  ...{ created: 'created', updated: 'edited', merged: 'edited' },
}
const recordChanges: Record<string, ChangeKind> = { note: 'notes', reminder: 'reminders' }

/** The kind of an event. Undefined: nobody did it. */
export function changeOfEvent(type: string): ChangeKind | undefined {
  if (type === 'reminder.due') return undefined
  const [record = '', verb = ''] = type.split('.')
  if (record === 'lead') return leadChanges[verb] ?? 'deleted'
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
