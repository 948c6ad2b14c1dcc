// What others changed in a lead while it was edited here. The page says so and never overwrites it silently.
import { isCut } from '@rapport/contract/cut.values'
import { leadRelations } from '@rapport/contract/leads/relations'
import { words } from '../words/index.ts'
import { call } from './call.ts'
import { client } from './client.ts'
import { idsIn } from './ids-in.ts'
import type { Lead } from './lead.ts'
import { recordQueries } from './records.ts'

/** Values as they compare: lists in any order, relations by their ids, and nothing is nothing. */
function plain(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return 'null'
  if (!Array.isArray(value)) return JSON.stringify(value === '' ? null : (value ?? null))
  return JSON.stringify(value.map(plainEntry).sort())
}

/** Whether what an event says is the value. */
function isNow(said: unknown, value: unknown): boolean {
  return isCut(said) ? String(value).startsWith(said.cut) : plain(said) === plain(value)
}

/** A record, a contact or an option. */
function plainEntry(entry: unknown): unknown {
  const { id, value, label } = (entry ?? {}) as Record<string, unknown>
  return id ?? (value === undefined ? entry : [value, label])
}

/** The names of what differs between the lead as it was edited and as it is now, among what is changed. */
export function changedMeanwhile(before: Lead, now: Lead, shown: Partial<Lead>): string[] {
  const { attributes = {}, ...fields } = shown
  const names = Object.keys(fields) as (keyof Lead)[]
  return [
    ...names.filter((name) => plain(before[name]) !== plain(now[name])),
    ...Object.keys(attributes).filter(
      (id) => plain(before.attributes[id]) !== plain(now.attributes[id]),
    ),
  ]
}

/** Who changed it last, what it is now, and what was entered here. */
export async function describeMeanwhile(
  now: Lead,
  names: readonly string[],
  shown: Partial<Lead>,
): Promise<string> {
  const { faults } = words
  const entered = { ...shown, ...shown.attributes } as Record<string, unknown>
  const current = { ...now, ...now.attributes } as Record<string, unknown>
  const text = (values: Record<string, unknown>) =>
    names
      .map((name) => values[name])
      .filter((value) => typeof value === 'string' || typeof value === 'number')
      .join(' ')
  return [
    faults.changedBy((await authorOf(now, names)) ?? faults.somebody, text(current)),
    text(entered) && faults.entered(text(entered)),
  ]
    .filter(Boolean)
    .join(' ')
}

/** The service has an event in the history a moment after the change. */
export const historyLagMs = 400
const tries = 4

/** The name of the member whose change led to what these fields are now. */
export async function authorOf(now: Lead, names: readonly string[]): Promise<string | undefined> {
  const members = await client.ensureQueryData(recordQueries.members)
  for (let left = tries; left > 0; left--) {
    const { events } = await call('GET /lead/{id}/events', { id: now.id, query: { limit: '20' } })
    const event = events.find(({ changed }) => names.some((name) => isLast(changed, name, now)))
    if (event) return members.find(({ id }) => id === event.actor.member)?.name
    await new Promise((resolve) => setTimeout(resolve, historyLagMs))
  }
  return undefined
}

/** Whether this change led to what the lead has now. */
export function isLast(changed: Record<string, unknown>, name: string, now: Lead): boolean {
  // The feed has the exact amount under the name of the interface.
  const isAmount = name === 'contract_amount' || name === 'contract_value'
  const told = isAmount ? 'contract_value' : name
  const change = (changed[told] ?? changed[`attributes.${name}`]) as [unknown, unknown] | undefined
  if (!change) return false
  const current = isAmount ? now.contract_amount : (now[name as keyof Lead] ?? now.attributes[name])
  if (!(name in leadRelations)) return isNow(change[1], current)
  const ids: unknown[] = (current as { id: string }[]).map(({ id }) => id)
  const [removed, added] = [idsIn(change[0]), idsIn(change[1])]
  return added.every((id) => ids.includes(id)) && !removed.some((id) => ids.includes(id))
}
