// POST /leads/search: the lead that meets the most criteria. Searches that arrive while others are under way are one
// statement.
import type { MatchField } from '@rapport/contract/leads/fields'
import type { Pool } from '../../../db/driver.ts'
import { createGroups, type Piece } from '../../../groups.ts'
import { findLeads, type Way } from './find.sql.ts'
import { type Criterion, furtherOf } from './match.ts'

/**
 * Returns the lead that meets the most criteria as JSON. Of several, the oldest. By a single criterion, a lead that has
 * it among its further values is found only if no other has it as its first one: to look for both at once would cost
 * every search by email a third more.
 */
export async function findLead(
  db: Pool,
  space: string,
  criteria: Criterion[],
  inTurn: Piece['inTurn'],
): Promise<Buffer | undefined> {
  const fields = criteria.map(({ field }) => field)
  const keys = criteria.map(({ key }) => key)
  const find = (way: Way) => findTogether({ db, space, fields, way, keys }, inTurn)
  if (fields.length > 1) return find('any')
  const [field] = fields
  const found = await find('first')
  return found || !field || !furtherOf(field) ? found : find('further')
}

interface Search {
  db: Pool
  space: string
  fields: MatchField[]
  way: Way
  keys: string[]
}

interface SearchPiece extends Piece {
  search: Search
}

/** About how large an answer is. At most 32 are in one group. */
const answerSize = 32 * 1024

/** A group that takes longer does not hold up the next one. */
const patienceMs = 50

type Groups = ReturnType<typeof createGroups<SearchPiece, Buffer | undefined>>

/** By the options of the pool, because each request has a pool of its own around it. */
const groupsOf = new WeakMap<Pool['options'], Groups>()

/** With 16 clients, a search takes PostgreSQL and Node a third less time than by a statement of its own. */
function findTogether(search: Search, inTurn: Piece['inTurn']): Promise<Buffer | undefined> {
  const { db, space, way, fields } = search
  let groups = groupsOf.get(db.options)
  if (!groups) {
    groups = createGroups((_, pieces) => findGroup(pieces), { patienceMs })
    groupsOf.set(db.options, groups)
  }
  return groups([space, way, ...fields].join(), { search, size: answerSize, claims: [], inTurn })
}

/** If the client of the first search leaves, the statement is canceled. Then each searches separately. */
async function findGroup(
  pieces: SearchPiece[],
): Promise<(Buffer | undefined | Promise<Buffer | undefined>)[]> {
  const searches = pieces.map(({ search }) => search)
  const [{ db, space, ...shape }] = searches as [Search]
  try {
    return await findLeads(db, space, { ...shape, keys: searches.map(({ keys }) => keys) })
  } catch (error) {
    if (searches.length === 1) throw error
    return pieces.map(async ({ search: { db, keys }, inTurn }) => {
      const [found] = await inTurn(() => findLeads(db, space, { ...shape, keys: [keys] }))
      return found
    })
  }
}
