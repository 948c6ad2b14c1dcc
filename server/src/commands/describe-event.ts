// An event of the change feed as a line for people: time, who, what, the values before and after.
import type { Event, EventType } from '@rapport/contract'
import { whatWasDone } from '@rapport/contract/changes.values'
import { counted, printable } from '../words.ts'

/** More fields are only counted. */
const maxFields = 5
/** A longer value is truncated. */
const maxLength = 40

/** "2026-03-02 09:00:00  Ada  changed 12 leads  city: Paris → Berlin" */
export function describeEvent({ at, type, ids, changed }: Event, who: string): string {
  const time = at.slice(0, 19).replace('T', ' ')
  const parts = [time, printable(who), whatOf(type, ids.length), changesOf(type, changed)]
  return parts.filter((part) => part !== '').join('  ')
}

function whatOf(type: EventType, count: number): string {
  const [record = ''] = type.split('.')
  const what = counted(count, record)
  if (type === 'workspace.updated') return 'changed the workspace'
  if (type === 'reminder.due') return `${what} came due`
  return `${whatWasDone(type)} ${what}`
}

function changesOf(type: EventType, changed: Event['changed']): string {
  const fields = Object.entries(changed).filter(([, pair]) => Array.isArray(pair))
  const said = fields.slice(0, maxFields).map(([name, pair]) => {
    const [before, after] = pair as [unknown, unknown]
    const now = shortOf(after)
    return type.endsWith('.created') ? `${name}: ${now}` : `${name}: ${shortOf(before)} → ${now}`
  })
  if (fields.length > maxFields) said.push(`${fields.length - maxFields} more`)
  return said.join(', ')
}

function shortOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value))
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
