// What others changed in a lead while it was edited here. It is said, never overwritten silently.
import { words } from '../words.ts'
import { call } from './call.ts'
import { client } from './client.ts'
import type { Lead } from './lead.ts'
import { recordQueries } from './records.ts'

/** Values as they compare: relations by their ids in any order, and nothing is nothing. */
function plain(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value === '' ? null : (value ?? null))
  return JSON.stringify(value.map((entry) => (entry as { id?: string })?.id ?? entry).sort())
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
    faults.changedBy((await authorOf(now.id, names)) ?? faults.somebody, text(current)),
    text(entered) && faults.entered(text(entered)),
  ]
    .filter(Boolean)
    .join(' ')
}

async function authorOf(id: string, names: readonly string[]): Promise<string | undefined> {
  const [{ events }, members] = await Promise.all([
    call('GET /lead/{id}/events', { id, query: { limit: '20' } }),
    client.ensureQueryData(recordQueries.members),
  ])
  const isOfThese = (changed: string) =>
    names.some((name) => changed === name || changed === `attributes.${name}`)
  const event = events.find(({ changed }) => Object.keys(changed).some(isOfThese))
  return members.find((member) => member.id === event?.actor.member)?.name
}
