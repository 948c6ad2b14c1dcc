// Bulk changes that give leads to members in turn: distribute and hand over.
import { badRequest, type Issue } from '@rapport/contract/errors'
import type { BulkData } from '@rapport/contract/leads/bulk'
import type { Db } from '../../../db/driver.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { requireReferences } from '../../../references/references.ts'
import { unique } from '../change/change.ts'
import {
  giveInTurn,
  hasOtherOwners,
  isOwnedBy,
  memberAt,
  numbered,
  selectLoads,
  selectOwned,
  selectShares,
} from '../change/owners.sql.ts'
import { moveReminders, openReminders } from '../change/reminders.sql.ts'

interface Leads {
  ids: string
  /** The numbers that decide whose turn it is, if these are not all selected leads. */
  turns?: Sql
}

/** Each lead gets one of these members as its only owner. */
export async function planDistribution(
  db: Db,
  space: string,
  owners: string[],
  path: Issue['path'],
) {
  await requireMembers(db, space, owners, [...path, 'owners'])
  const members = await fewestFirst(db, space, unique(owners))
  return {
    wouldChange: hasOtherOwners(space, memberAt(members, sql`lead.number`)),
    shares: (turns: Sql) => selectShares(db, space, members, turns, 'leave'),
    apply: (by: Author, { ids, turns = numbered(ids) }: Leads) =>
      giveInTurn(db, by, members, turns, sql`lead_owner.id_member <> turn.id_member`),
  }
}

/** The leads of a member get one of these members in their place. */
export async function planHandover(
  db: Db,
  space: string,
  data: BulkData['hand-over'],
  path: Issue['path'],
) {
  const from = data.from.toLowerCase()
  await requireReferences(db, space, [{ kind: 'member', path: [...path, 'from'], ids: from }])
  await requireMembers(db, space, data.owners, [...path, 'owners'], from)
  const members = await fewestFirst(db, space, unique(data.owners))
  return {
    condition: isOwnedBy(space, from, await selectOwned(db, space, from)),
    wouldChange: sql`true`,
    shares: (turns: Sql) => selectShares(db, space, members, turns, 'stay'),
    apply: (by: Author, { ids, turns = numbered(ids) }: Leads) =>
      giveInTurn(db, by, members, turns, sql`lead_owner.id_member = ${from}`),
    ...(data.reminders && {
      beside: (by: Author, { ids }: Leads) =>
        moveReminders(db, by, openReminders(space, from, members, numbered(ids))),
    }),
  }
}

/** Members of the workspace, each once, and not the one who hands over. */
export async function requireMembers(
  db: Db,
  space: string,
  ids: string[],
  path: Issue['path'],
  from?: string,
): Promise<void> {
  const wanted = ids.map((id) => id.toLowerCase())
  const issues = wanted.flatMap((id, index) => {
    const fault = (message: string) => [{ path: [...path, index], code: 'duplicate', message }]
    if (id === from) return fault('This member hands over the leads')
    return wanted.indexOf(id) < index ? fault('This member is already in the list') : []
  })
  if (issues.length > 0) throw badRequest(issues)
  await requireReferences(db, space, [{ kind: 'member', path, ids }])
}

/** Who has the fewest leads gets the first one, so that the remainder is theirs. */
async function fewestFirst(db: Db, space: string, members: string[]): Promise<string[]> {
  const loads = await selectLoads(db, space, members)
  const load = (id: string) => loads.get(id) ?? 0
  return members.toSorted((a, b) => load(a) - load(b))
}
