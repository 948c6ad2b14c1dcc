// How many groups there are. Counting reads every key of the workspace, so a large one gets a recent count.
import { type KeyKind, keyKinds } from '@rapport/contract/duplicates.values'
import type { Db, Pool } from '../../../db/driver.ts'
import type { BackgroundWork } from '../../../http/handler.ts'
import { countGroups } from './groups.sql.ts'

interface Counted {
  counts: Record<KeyKind, number>
  large: number
  total: number
  counted_at: string
}

interface Known extends Counted {
  tookMs: number
  /** Of performance.now(). */
  at: number
  isBeingRenewed: boolean
}

/** What takes no longer is counted each time. */
const quickMs = 50
/** Counting takes at most one part in this many of the time. */
const rest = 20

const known = new WeakMap<Pool, Map<string, Known>>()

export async function duplicateCounts(
  db: Pool,
  {
    space,
    clock,
    inBackground,
  }: { space: string; clock(): Date; inBackground(work: BackgroundWork): void },
): Promise<Counted> {
  let spaces = known.get(db)
  if (!spaces) {
    spaces = new Map()
    known.set(db, spaces)
  }
  const kept = spaces
  const renew = async (db: Db): Promise<Known> => {
    const start = performance.now()
    const counted = await count(db, space, clock())
    const at = performance.now()
    const fresh = { ...counted, at, tookMs: at - start, isBeingRenewed: false }
    kept.set(space, fresh)
    return fresh
  }
  const before = kept.get(space)
  if (!before || before.tookMs <= quickMs) return told(await renew(db))
  if (!before.isBeingRenewed && performance.now() - before.at > rest * before.tookMs) {
    before.isBeingRenewed = true
    inBackground(async (db) => {
      await renew(db).finally(() => {
        before.isBeingRenewed = false
      })
    })
  }
  return told(before)
}

const told = ({ counts, large, total, counted_at }: Known): Counted => ({
  ...{ counts, large, total, counted_at },
})

async function count(db: Db, space: string, now: Date): Promise<Counted> {
  const rows = await countGroups(db, space)
  const sum = (of: 'large' | 'own') => rows.reduce((sum, row) => sum + row[of], 0)
  const counts = Object.fromEntries(
    keyKinds.map((kind, at) => [kind, rows.find((row) => row.kind === at + 1)?.groups ?? 0]),
  ) as Record<KeyKind, number>
  return { counts, large: sum('large'), total: sum('own'), counted_at: now.toISOString() }
}
