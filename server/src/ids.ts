// Ids are UUIDs of version 7: 48 bits of time, a counter, and random bits. They sort by age. Ids of one
// process sort in the order of their creation, even within a millisecond.
import { randomFillSync } from 'node:crypto'

const maxCounter = 0xfff
let lastMs = 0
let counter = 0

export function newId(now: number = Date.now()): string {
  const bytes = randomPiece()
  if (now > lastMs) {
    lastMs = now
    // Start in the lower half, so that the counter can grow within the millisecond.
    counter = bytes.readUInt16BE() & 0x7ff
  } else if (++counter > maxCounter) {
    // The counter is full: use the next millisecond, so that the order stays.
    lastMs++
    counter = 0
  }
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Random bytes are drawn for many ids at once: one draw for each costs more than all the rest. */
const pool = Buffer.alloc(16 * 256)
let used = pool.length

function randomPiece(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 16
  return pool.subarray(used - 16, used)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isId(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value)
}
