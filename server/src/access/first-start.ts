// The first start: creates a workspace, its owner, a key and a link to sign in, in an empty database.
import type { Db, Pool } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { type Author, authorOf } from '../feed/author.ts'
import { recordCreated } from '../feed/record.sql.ts'
import { newId } from '../ids.ts'
import { insertMember, insertSpace, selectFirstOwner } from './access.sql.ts'
import { aboutKey, issueKey } from './issue-key.ts'
import { type MadeLink, makeLink } from './links.ts'

export interface FirstStart {
  /** Undefined if the owner has a key (RAPPORT_API_KEY). */
  key: string | undefined
  link: MadeLink
}

/** `furnish` makes what the workspace has from the beginning. Undefined if a workspace already exists. */
export async function firstStart(
  pool: Pool,
  now: Date,
  ownerHasKey: boolean,
  furnish: (tx: Db, by: Author) => Promise<void>,
): Promise<FirstStart | undefined> {
  if (await selectFirstOwner(pool)) return undefined
  const created_at = now.toISOString()
  const id_space = newId()
  const id_member = newId()
  return pool.begin(async (tx) => {
    const space = { id_space, name: 'My workspace', time_zone: 'UTC', is_new: true, created_at }
    await insertSpace(tx, space)
    const owner = {
      ...{ id_space, id: id_member, name: 'Owner', email: 'owner@localhost' },
      ...({ role: 'owner', created_at } as const),
    }
    const by = authorOf('command', id_space, now)
    await insertMember(tx, owner)
    await recordCreated(tx, by, 'member', owner)
    await furnish(tx, by)
    const fields = { id_space, id_member, role: 'admin', name: 'First key', created_at } as const
    const key = ownerHasKey ? undefined : await issueKey(tx, fields)
    if (key) await audit(tx, by, 'key.created', aboutKey(key))
    return { key: key?.key, link: await makeLink(tx, { id_space, id: id_member }, 'sign_in', now) }
  })
}
