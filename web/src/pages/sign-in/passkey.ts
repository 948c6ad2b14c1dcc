// Passkeys in the browser: what the service sends as JSON, the browser wants as bytes, and back.
import { factors } from '../../words/factors.ts'

type Json = Record<string, unknown>

export const isPasskeyBrowser = () => typeof PublicKeyCredential === 'function'

/** Makes a passkey. Rejects with a sentence for people. */
export function createPasskey(options: Json): Promise<Json> {
  return asked(() => navigator.credentials.create({ publicKey: creationOptions(options) }))
}

/** Lets a passkey sign. Rejects with a sentence for people. */
export function getPasskey(options: Json): Promise<Json> {
  return asked(() => navigator.credentials.get({ publicKey: requestOptions(options) }))
}

async function asked(ask: () => Promise<Credential | null>): Promise<Json> {
  try {
    return toJson((await ask()) as PublicKeyCredential)
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
    throw new Error(isKnown ? factors.passkeyKnown : factors.passkeyFailed)
  }
}

// Browsers from before 2025 cannot read and write the JSON themselves.
type Known = { id: string; type: 'public-key'; transports?: AuthenticatorTransport[] }[]

function creationOptions(options: Json): PublicKeyCredentialCreationOptions {
  if (PublicKeyCredential.parseCreationOptionsFromJSON)
    return PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  const user = options.user as Json
  return {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: known(options.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions
}

function requestOptions(options: Json): PublicKeyCredentialRequestOptions {
  if (PublicKeyCredential.parseRequestOptionsFromJSON)
    return PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  return {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: known(options.allowCredentials),
  }
}

function toJson(credential: PublicKeyCredential): Json {
  if (credential.toJSON as unknown) return credential.toJSON() as unknown as Json
  const response = credential.response as AuthenticatorAttestationResponse &
    AuthenticatorAssertionResponse
  const parts = [
    'clientDataJSON',
    'attestationObject',
    'authenticatorData',
    'signature',
    'userHandle',
  ] as const
  const given = parts.filter((name) => response[name])
  return {
    id: credential.id,
    rawId: credential.id,
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      ...Object.fromEntries(given.map((name) => [name, text(response[name] as ArrayBuffer)])),
      ...(response.getTransports && { transports: response.getTransports() }),
    },
  }
}

const known = (list: unknown) =>
  ((list ?? []) as Known).map((one) => ({ ...one, id: bytes(one.id) }))

function bytes(given: unknown): Uint8Array<ArrayBuffer> {
  const plain = atob(String(given).replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

function text(given: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(given))
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
