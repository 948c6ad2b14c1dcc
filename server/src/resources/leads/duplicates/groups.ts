// Groups of leads that may be the same, page after page. They are read in the order of the keys; leads are never compared
// with each other.
import {
  differentNames,
  type KeyKind,
  keyKinds,
  keyKindTable,
  largeGroup,
} from '@rapport/contract/duplicates.values'
import type { LeadWithRelations } from '@rapport/contract/leads/shapes'
import type { Db } from '../../../db/driver.ts'
import { leadsWithRelations, selectJson } from '../row/json.sql.ts'
import {
  type KeyBatch,
  type KeyGroup,
  selectDismissed,
  selectKeyBatch,
  selectKeysOf,
  selectLargeGroup,
  selectLargeKeys,
} from './groups.sql.ts'
import { type LeadKey, numberOf, personKey } from './keys.ts'

/** Where a page begins: at this key, or after it. */
export interface Place {
  kind: KeyKind
  from: string
}

export interface Wanted {
  kinds: readonly KeyKind[]
  start: Place | undefined
  limit: number
  large: boolean
}

/** How many entries a page reads at most, and how many at a time: few at first, because most pages need no more. */
const maxRead = 200_000
const [firstBatch, largestBatch] = [2_000, 50_000]
/** How many groups are judged at a time: at first as many as are wanted, then more, because they were in vain. */
const mostJudged = 1_000
/** Of a large group. */
const sampleSize = 5
/** A page with this many leads takes no further group, because leads may be large. Pairs fill the largest page before. */
const maxLeads = 200

interface Found extends KeyGroup {
  kind: KeyKind
  /** The kinds of keys that all of its leads have in common. */
  shared: KeyKind[]
}

export async function readGroups(db: Db, space: string, wanted: Wanted) {
  const { kinds, start, limit } = wanted
  const found: Found[] = []
  let next: Place | null = null
  let left = maxRead
  const isFull = () =>
    found.length === limit ||
    found.reduce((sum, group) => sum + shownOf(group).length, 0) >= maxLeads
  for (const kind of kinds.slice(start ? kinds.indexOf(start.kind) : 0)) {
    let from = start?.kind === kind ? start.from : ''
    for (let size = firstBatch; ; size = Math.min(size * 4, largestBatch)) {
      if (isFull() || left <= 0) {
        next ??= { kind, from }
        break
      }
      const batch = await selectKeyBatch(db, space, kind, from, size)
      left -= batch.read
      const isEnd = batch.read < size
      const groups = isEnd ? batch.groups : await wholeGroups(db, space, kind, batch)
      for (let at = 0, some = limit; at < groups.length && !isFull(); ) {
        for (const group of await judge(db, space, kind, groups.slice(at, at + some), wanted)) {
          if (!isFull()) found.push(group)
        }
        at += some
        some = Math.min(some * 2, mostJudged)
      }
      const full = isFull() ? found.at(-1) : undefined
      if (full?.kind === kind) from = behind(full.key)
      else if (isEnd) break
      else
        from = groups.at(-1)?.key === batch.last ? behind(batch.last as string) : (batch.last ?? '')
    }
    if (next) break
  }
  return { groups: await describe(db, space, found), next }
}

/** The least text that is greater. */
const behind = (key: string) => `${key}\u0001`

/** Without the last one, which the next batch has whole; unless it fills the batch. */
async function wholeGroups(
  db: Db,
  space: string,
  kind: KeyKind,
  { groups, read, last }: KeyBatch,
): Promise<KeyGroup[]> {
  const [only] = groups
  if (only?.key === last && only.size >= read) {
    return [await selectLargeGroup(db, space, kind, only.key)]
  }
  return groups.filter(({ key }) => key !== last)
}

/** Those that are to be shown. */
async function judge(
  db: Db,
  space: string,
  kind: KeyKind,
  groups: KeyGroup[],
  { kinds, large }: Wanted,
): Promise<Found[]> {
  const sized = groups.filter(({ size }) => size > largeGroup === large)
  const ids = sized.flatMap((group) => group.ids)
  if (ids.length === 0) return []
  const [keys, pairs] = await Promise.all([
    selectKeysOf(db, space, ids),
    selectDismissed(db, space, ids),
  ])
  const keysOf = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]))
  for (const { id_lead, kind, key } of keys) {
    keysOf.get(id_lead)?.add(`${kind} ${key}`)
    // A loose email may equal the exact one of another lead.
    if (kind === numberOf('email')) keysOf.get(id_lead)?.add(`${numberOf('email_loose')} ${key}`)
  }
  const dismissed = new Set(pairs.map(({ id_lead, id_other }) => `${id_lead} ${id_other}`))
  const judged = sized.flatMap((group) => {
    const isDismissed = group.ids.every((id, at) =>
      group.ids.slice(at + 1).every((other) => dismissed.has(`${id} ${other}`)),
    )
    const [first = '', ...others] = group.ids
    const common = [...(keysOf.get(first) ?? [])]
      .filter((key) => others.every((id) => keysOf.get(id)?.has(key)))
      .map(readKey)
    return isDismissed ? [] : [{ ...group, kind, common }]
  })
  const shown = kinds.length > 1 && !large ? await withoutRepeated(db, space, judged) : judged
  return shown.map(({ common, ...group }) => {
    const shared = keyKinds.filter((each) => common.some(({ kind }) => kind === numberOf(each)))
    return { ...group, shared }
  })
}

function readKey(text: string): LeadKey {
  const gap = text.indexOf(' ')
  return { kind: Number(text.slice(0, gap)), key: text.slice(gap + 1) }
}

/** Without groups whose leads are together in one of a stronger kind, unless that one is large. */
async function withoutRepeated<Group extends { kind: KeyKind; common: LeadKey[] }>(
  db: Db,
  space: string,
  groups: Group[],
): Promise<Group[]> {
  const stronger = ({ kind, common }: Group) => {
    const isExact = (key: string) =>
      common.some((each) => each.kind === numberOf('email') && each.key === key)
    return common.filter(
      (each) =>
        each.kind < numberOf(kind) && !(each.kind === numberOf('email_loose') && isExact(each.key)),
    )
  }
  const asked = groups.flatMap(stronger)
  const large = asked.length > 0 ? await selectLargeKeys(db, space, asked) : []
  const isLarge = (one: LeadKey) =>
    large.some(({ kind, key }) => kind === one.kind && key === one.key)
  return groups.filter((group) => stronger(group).every(isLarge))
}

const shownOf = ({ ids, size }: KeyGroup) => (size > largeGroup ? ids.slice(0, sampleSize) : ids)

async function describe(db: Db, space: string, groups: Found[]) {
  const told = groups.map((group) => ({ ...group, ids: shownOf(group) }))
  const ids = [...new Set(told.flatMap((group) => group.ids))]
  const json = ids.length > 0 ? await selectJson(db, leadsWithRelations, space, ids) : '[]'
  const leads = new Map(
    (JSON.parse(String(json)) as LeadWithRelations[]).map((lead) => [lead.id, lead]),
  )
  return told.flatMap(({ ids, kind, key, shared, size }) => {
    // Some may be gone by now.
    const members = ids.flatMap((id) => leads.get(id) ?? [])
    if (members.length < 2) return []
    return [{ kind, key, ...verdict(kind, shared, members), leads: members, size }]
  })
}

/** Two of them have names, and not the same one. */
export function haveDifferentNames(
  leads: Pick<LeadWithRelations, 'first_name' | 'last_name'>[],
): boolean {
  const names = leads.map(({ first_name, last_name }) =>
    personKey(first_name ?? '', last_name ?? ''),
  )
  return new Set(names.filter((name) => name !== undefined)).size > 1
}

/** How likely the leads are the same, and why. */
function verdict(kind: KeyKind, shared: KeyKind[], leads: LeadWithRelations[]) {
  // An email that is the same is also the same mailbox.
  const told = shared.filter(
    (each) => !(each === 'email_loose' && shared.includes('email')) || each === kind,
  )
  const isApart = haveDifferentNames(leads)
  const doubt = told.reduce((doubt, each) => doubt * (1 - keyKindTable[each].weight), 1)
  return {
    confidence: Math.round((1 - doubt) * (isApart ? 0.5 : 1) * 100) / 100,
    reasons: [...told.map((each) => keyKindTable[each].says), ...(isApart ? [differentNames] : [])],
  }
}
