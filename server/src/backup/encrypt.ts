// Encrypts a backup with the operator's key, and decrypts it. docs/BACKUP.md describes the format.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'

const mark = Buffer.from('rapport encrypted backup 1\n')
const saltBytes = 32
const checkBytes = 16
const openingBytes = mark.length + saltBytes + checkBytes
const chunkBytes = 64 * 1024
const tagBytes = 16
const algorithm = 'aes-256-gcm'

/** Each file has its own key, so that counted nonces never repeat. `check` tells a wrong key from damage. */
function keysOf(secret: string, salt: Buffer): { key: Buffer; check: Buffer } {
  const both = Buffer.from(hkdfSync('sha256', secret, salt, 'rapport backup', 32 + checkBytes))
  return { key: both.subarray(0, 32), check: both.subarray(32) }
}

/** The number of the chunk, and whether it is the last: none can be moved, repeated or cut off. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

export function encryption(secret: string): Transform {
  const salt = randomBytes(saltBytes)
  const { key, check } = keysOf(secret, salt)
  let rest = Buffer.alloc(0)
  let index = 0
  const seal = (chunk: Buffer, isLast: boolean) => {
    const cipher = createCipheriv(algorithm, key, nonceOf(index++, isLast))
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
  const stream = new Transform({
    transform(piece, _encoding, done) {
      rest = Buffer.concat([rest, piece])
      // The last chunk waits for the end.
      let at = 0
      for (; rest.length - at > chunkBytes; at += chunkBytes) {
        this.push(seal(rest.subarray(at, at + chunkBytes), false))
      }
      rest = rest.subarray(at)
      done()
    },
    flush(done) {
      done(null, seal(rest, true))
    },
  })
  stream.push(Buffer.concat([mark, salt, check]))
  return stream
}

export interface Faults {
  noKey(): Error
  wrongKey(): Error
  damaged(why: string): Error
}

/** The content of a file that may be encrypted. One that is not passes unchanged. */
export async function* decrypted(
  source: AsyncIterable<Buffer>,
  secret: string | undefined,
  faults: Faults,
): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let key: Buffer | undefined
  let isPlain = false
  let index = 0
  const open = (sealed: Buffer, isLast: boolean) => {
    if (sealed.length < tagBytes) throw faults.damaged('unexpected end of file')
    const decipher = createDecipheriv(algorithm, key as Buffer, nonceOf(index, isLast))
    decipher.setAuthTag(sealed.subarray(-tagBytes))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
    } catch {
      throw faults.damaged(`part ${index + 1} was changed or cut off`)
    } finally {
      index++
    }
  }
  for await (const piece of source) {
    if (isPlain) {
      yield piece
      continue
    }
    rest = Buffer.concat([rest, piece])
    if (!key) {
      const start = rest.subarray(0, mark.length)
      isPlain = !mark.subarray(0, start.length).equals(start)
      if (isPlain) {
        yield rest
        continue
      }
      if (rest.length < openingBytes) continue
      key = openWith(rest.subarray(mark.length, openingBytes), secret, faults)
      rest = rest.subarray(openingBytes)
    }
    const whole = chunkBytes + tagBytes
    let at = 0
    for (; rest.length - at > whole; at += whole) yield open(rest.subarray(at, at + whole), false)
    rest = rest.subarray(at)
  }
  if (isPlain) return
  if (!key) yield rest
  else yield open(rest, true)
}

function openWith(opening: Buffer, secret: string | undefined, faults: Faults): Buffer {
  if (secret === undefined) throw faults.noKey()
  const { key, check } = keysOf(secret, opening.subarray(0, saltBytes))
  if (!check.equals(opening.subarray(saltBytes))) throw faults.wrongKey()
  return key
}
