// Places of leads within a status: bytes that sort in the order of the board. A place is a prefix and the
// id of the lead. Because of the id two places are never equal, and there is always room between them.
// See docs/decisions/0006-places-on-a-board.md.

/** The prefix of a lead that was never placed is this number minus its time of creation: newest first. */
const origin = 2n ** 62n
const prefixBytes = 8

/** The place of a lead that nobody has placed. `defaultPlaceSql` is the same in SQL. */
export function defaultPlace(id: string, created: number): Buffer {
  return placeOf(wholeNumber(origin - BigInt(created)), id)
}

export const defaultPlaceSql = (id: string, created: string) =>
  `int8send(${origin} - (extract(epoch from ${created}) * 1000)::bigint) || uuid_send(${id})`

/** The place of the n-th lead of a `leads_order`: before all leads that nobody has placed. */
export const arrangedPlaceSql = (id: string, position: string) =>
  `int8send(${origin / 2n} + ${position}) || uuid_send(${id})`

/**
 * A place longer than this is not used: the neighbors get new places first. Each lead that is put into the
 * same gap makes the next place up to one bit longer, and an index entry has a limit.
 */
const maxLength = 48

/** Places up to this length stay as they are when their neighbors get new ones. */
export const shortLength = 32

export interface Card {
  id: string
  place: Buffer
}

/** The place of a lead between two others, or undefined if there is no short one. */
export function placeBetween(
  low: Buffer | undefined,
  high: Buffer | undefined,
  id: string,
): Buffer | undefined {
  const prefix = prefixBetween(low, high)
  const place = prefix && placeOf(prefix, id)
  return place && place.length <= maxLength ? place : undefined
}

/** New places for leads, in this order and evenly spaced between two places. */
export function spread(
  low: Buffer | undefined,
  high: Buffer | undefined,
  ids: readonly string[],
): Card[] {
  const middle = ids.length >> 1
  const id = ids[middle]
  if (id === undefined) return []
  const place = placeBetween(low, high, id)
  if (!place) throw new Error('No room between two leads of a status')
  return [
    ...spread(low, place, ids.slice(0, middle)),
    { id, place },
    ...spread(place, high, ids.slice(middle + 1)),
  ]
}

function placeOf(prefix: Buffer, id: string): Buffer {
  return Buffer.concat([prefix, Buffer.from(id.replaceAll('-', ''), 'hex')])
}

function wholeNumber(value: bigint): Buffer {
  const bytes = Buffer.alloc(prefixBytes)
  bytes.writeBigUInt64BE(value)
  return bytes
}

/**
 * A prefix with which every id sorts between the two: greater than `low`, less than `high`, and not the
 * beginning of `high`. At both ends of the column it is the next whole number, so it does not grow there.
 */
function prefixBetween(low: Buffer | undefined, high: Buffer | undefined): Buffer | undefined {
  if (!low && !high) return wholeNumber(origin)
  if (!high) return wholeNumber((low as Buffer).readBigUInt64BE() + 1n)
  if (!low) return wholeNumber(high.readBigUInt64BE() - 1n)
  const bytes: number[] = []
  let isBelowHigh = false
  for (let at = 0; at < high.length + low.length; at++) {
    const from = low[at] ?? 0
    const to: number | undefined = isBelowHigh ? 256 : high[at]
    // `high` is `low` and zeros: nothing is between them.
    if (to === undefined) return undefined
    if (to - from > 1) return Buffer.from([...bytes, (from + to) >> 1])
    bytes.push(from)
    isBelowHigh ||= to > from
  }
  return undefined
}
