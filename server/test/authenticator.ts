// A passkey in software: signs what a browser would let a real one sign, and what none would.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

interface Ask {
  challenge: string
  rpId?: string
  rp?: { id: string }
  user?: { id: string }
}

/** What differs from what an honest browser and device do. */
export interface Odd {
  origin?: string
  rpId?: string
  /** Whether it has asked for a PIN or a finger. */
  verified?: boolean
  counter?: number
  challenge?: string
  userHandle?: string
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (data: string | Buffer) => Buffer.from(data).toString('base64url')

export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id = randomBytes(16)
  readonly #origin: string
  counter = 0
  userHandle = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The response of navigator.credentials.create(). */
  create(ask: Ask, odd: Odd = {}) {
    this.userHandle = ask.user?.id ?? ''
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      this.#publicKey(),
    ])
    const data = Buffer.concat([this.#head(ask, odd, 0x40), attested])
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ])
    const client = this.#client('webauthn.create', ask, odd)
    return this.#credential({
      clientDataJSON: text(client),
      attestationObject: text(attestationObject),
      transports: ['internal'],
    })
  }

  /** The response of navigator.credentials.get(). */
  get(ask: Ask, odd: Odd = {}) {
    this.counter++
    const data = this.#head(ask, odd, 0)
    const client = this.#client('webauthn.get', ask, odd)
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(client)]))
      .sign(this.#keys.privateKey)
    return this.#credential({
      clientDataJSON: text(client),
      authenticatorData: text(data),
      signature: text(signature),
      userHandle: odd.userHandle ?? this.userHandle,
    })
  }

  #credential(response: object) {
    const id = text(this.id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #client(type: string, { challenge }: Ask, odd: Odd): Buffer {
    const { origin = this.#origin } = odd
    return Buffer.from(JSON.stringify({ type, challenge: odd.challenge ?? challenge, origin }))
  }

  #head(ask: Ask, { rpId, verified = true, counter = this.counter }: Odd, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const host = rpId ?? ask.rpId ?? ask.rp?.id ?? ''
    return Buffer.concat([sha256(host), Buffer.from([flags | 1 | (verified ? 4 : 0)]), count])
  }

  /** As COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y} */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y, 'base64url'),
    ])
  }
}
