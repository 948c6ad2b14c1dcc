// The second factor: passkeys, codes of an authenticator app, recovery codes. Routes below /session.
import { type Static, Type } from 'typebox'
import { route } from './session-route.ts'
import { AnyObject, DateTime, Id, Message, Name, Nullable, OneOf, Shape } from './shapes.ts'
import { nextSteps } from './sign-in.ts'

/** Six digits, or a recovery code, with or without spaces and dashes. */
export const Code = Type.String({ maxLength: 40 })

/** What the browser's WebAuthn functions take and return, as JSON. The service validates it. */
export const BrowserOptions = AnyObject({ title: 'PasskeyOptions' })
export const Credential = AnyObject({ title: 'PasskeyCredential' })

export const Passkey = Shape('Passkey', {
  id: Id,
  name: Type.String(),
  created_at: DateTime,
  last_used_at: Nullable(DateTime),
  /** Synced by a password manager or an account to more than one device. */
  backed_up: Type.Boolean(),
  /** The host that it works on. */
  host: Type.String(),
})

const Factors = Shape('SecondFactors', {
  passkeys: Type.Array(Passkey),
  app: Nullable(
    Shape('AuthenticatorApp', { created_at: DateTime, last_used_at: Nullable(DateTime) }),
  ),
  /** How many are left. */
  recovery_codes: Type.Integer(),
  /** The workspace requires a second factor from this member. */
  is_required: Type.Boolean(),
  /** Why none can be added here. Null: you can. */
  no_passkeys: Nullable(Type.String()),
  no_app: Nullable(Type.String()),
})
export type Factors = Static<typeof Factors>

/** New recovery codes, which are shown only once. Null: the existing ones stay valid. */
const Added = Shape('AddedFactor', { recovery_codes: Nullable(Type.Array(Type.String())) })
export type Added = Static<typeof Added>

const AppSetup = Shape('AppSetup', {
  /** To type into the app. */
  secret: Type.String(),
  /** The same as an address, for a QR code. */
  address: Type.String(),
  /** Send it back with a code of the app. */
  ticket: Type.String(),
})

export type AppSetup = Static<typeof AppSetup>

const NewPasskey = Type.Object({ credential: Credential, name: Type.Optional(Name) })
const NewApp = Type.Object({ ticket: Type.String({ maxLength: 1000 }), code: Code })

export const SignInStep = Shape('SignInStep', {
  /** verify: provide a second factor. enrol: add one first, because the workspace requires it. */
  step: OneOf(nextSteps),
  email: Type.String(),
  workspace: Type.String(),
  passkey: Type.Boolean(),
  app: Type.Boolean(),
  no_passkeys: Nullable(Type.String()),
  no_app: Nullable(Type.String()),
})

export type SignInStep = Static<typeof SignInStep>

export const factorRoutes = {
  factors: route('GET /factors', { needs: 'session', reply: Factors }),
  beginPasskey: route('POST /factors/passkeys/options', {
    needs: 'person',
    reply: BrowserOptions,
  }),
  addPasskey: route('POST /factors/passkeys', {
    needs: 'person',
    body: NewPasskey,
    reply: Added,
  }),
  renamePasskey: route('PATCH /factors/passkeys/{id}', {
    needs: 'session',
    body: Type.Object({ name: Name }),
    reply: Message,
  }),
  removePasskey: route('DELETE /factors/passkeys/{id}', {
    needs: 'person',
    reply: Message,
  }),
  beginApp: route('POST /factors/app/setup', { needs: 'person', reply: AppSetup }),
  addApp: route('POST /factors/app', {
    needs: 'person',
    body: NewApp,
    reply: Added,
  }),
  removeApp: route('DELETE /factors/app', { needs: 'person', reply: Message }),
  renewRecoveryCodes: route('POST /factors/recovery-codes', {
    needs: 'person',
    reply: Added,
  }),
  /** What a passkey signs to confirm that the person of the session is there. */
  beginConfirm: route('POST /confirm/passkey/options', {
    needs: 'session',
    reply: BrowserOptions,
  }),
}

/** For a browser that has taken the first step of signing in, which it proves with a cookie. */
export const stepRoutes = {
  step: route('GET /step', { needs: 'step', reply: SignInStep }),
  leaveStep: route('DELETE /step', { needs: 'step', reply: Message }),
  stepWithCode: route('POST /step/code', {
    needs: 'step',
    body: Type.Object({ code: Code }),
    reply: Message,
  }),
  beginStepPasskey: route('POST /step/passkey/options', {
    needs: 'step',
    reply: BrowserOptions,
  }),
  stepWithPasskey: route('POST /step/passkey', {
    needs: 'step',
    body: Type.Object({ credential: Credential }),
    reply: Message,
  }),
  beginEnrolPasskey: route('POST /step/passkeys/options', {
    needs: 'step',
    reply: BrowserOptions,
  }),
  enrolPasskey: route('POST /step/passkeys', {
    needs: 'step',
    body: NewPasskey,
    reply: Added,
  }),
  beginEnrolApp: route('POST /step/app/setup', {
    needs: 'step',
    reply: AppSetup,
  }),
  enrolApp: route('POST /step/app', {
    needs: 'step',
    body: NewApp,
    reply: Added,
  }),
}
