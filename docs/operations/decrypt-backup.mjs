// Decrypts a backup without Rapport: node decrypt-backup.mjs KEY_FILE < x.backup | gunzip | less
import { createDecipheriv, hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'

const secret = readFileSync(process.argv[2], 'utf8').trim()
const file = readFileSync(0)
const start = 'rapport encrypted backup 1\n'.length
const [salt, check] = [file.subarray(start, start + 32), file.subarray(start + 32, start + 48)]
const keys = Buffer.from(hkdfSync('sha256', secret, salt, 'rapport backup', 48))
if (!keys.subarray(32).equals(check)) throw new Error('This is not its key.')
const part = 65_536 + 16
for (let at = start + 48, index = 0n; at < file.length; at += part, index++) {
  const sealed = file.subarray(at, at + part)
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(index, 3)
  nonce[11] = at + part >= file.length ? 1 : 0
  const decipher = createDecipheriv('aes-256-gcm', keys.subarray(0, 32), nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  process.stdout.write(Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]))
}
