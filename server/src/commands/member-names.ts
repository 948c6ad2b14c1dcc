// Who did something, by the name that people know.
import type { Actor } from '@rapport/contract/actor'
import { selectMember } from '../access/access.sql.ts'
import type { Db } from '../db/driver.ts'

export type NameOf = (actor: Actor) => Promise<string>

const waysInWords: Record<Actor['way'], string> = {
  api: 'an API key',
  agent: 'an agent',
  web: 'the page',
  command: 'the command line',
  import: 'an import',
  schedule: 'Rapport',
}

/** Looks each member up once. */
export function openNames(db: Db, space: string): NameOf {
  const known = new Map<string, Promise<string>>()
  return async ({ member, way }) => {
    if (member === null) return waysInWords[way]
    const name = known.get(member) ?? nameOf(member)
    known.set(member, name)
    return way === 'api' || way === 'web' ? name : `${await name} (${waysInWords[way]})`
  }

  async function nameOf(member: string): Promise<string> {
    return (await selectMember(db, space, member))?.name ?? 'a former member'
  }
}
