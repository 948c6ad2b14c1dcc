// How people sign in: routes outside /rest, for the page. Clients with an API key have no use for them, so
// they are not in the OpenAPI document.
import { type Static, Type } from 'typebox'
import { BrowserOptions, Code, Credential, factorRoutes, stepRoutes } from './second-factor.ts'
import { route } from './session-route.ts'
import { AllOptional, DateTime, Id, Message, Name, Nullable, OneOf, Shape } from './shapes.ts'
import { type LinkPurpose, linkPurposes, longestPassword, nextSteps } from './sign-in.ts'

const Password = Type.String({ maxLength: longestPassword })
const Token = Type.String({ maxLength: 100 })

const SignInWays = Shape('SignInWays', {
  /** False until a member has a password. */
  password: Type.Boolean(),
  openid: Nullable(
    Shape('OpenidProvider', {
      name: Type.String(),
      /** The only way to sign in. */
      only: Type.Boolean(),
    }),
  ),
  /** False until a member has a passkey for this address. */
  passkey: Type.Boolean(),
  /** Links can be sent by mail. */
  mail: Type.Boolean(),
})

const SignedIn = Shape('SignedIn', {
  id_space: Id,
  /** The member. */
  id: Id,
  /** Every workspace that the same email and password open. Send id_space to choose another. */
  workspaces: Type.Array(Type.Object({ id_space: Id, name: Type.String() })),
  /** Null: signed in. Otherwise, there is no session until this step is done. */
  next: Nullable(OneOf(nextSteps)),
})
export type SignedIn = Static<typeof SignedIn>

const WorkspaceChoice = Shape('WorkspaceChoice', {
  id_space: Id,
  name: Type.String(),
  /** So far, only the workspace itself claims that the person belongs to it. */
  is_invitation: Type.Boolean(),
})

const OwnWorkspace = Shape('OwnWorkspace', {
  id_space: Id,
  name: Type.String(),
  is_current: Type.Boolean(),
  /** It requires a sign-in with the provider: /session/openid?space={id_space} */
  needs_sign_in: Type.Boolean(),
})

const Chosen = Type.Object({ id_space: Id })

const LinkContent = Shape('LinkContent', {
  purpose: OneOf(Object.keys(linkPurposes) as LinkPurpose[]),
  name: Type.String(),
  email: Type.String(),
  workspace: Type.String(),
  expires_at: DateTime,
})

const session = {
  id: Id,
  /** Such as "Firefox on Linux". */
  device: Type.String(),
  created_at: DateTime,
  expires_at: DateTime,
}

const Refused = Shape('Refused', {
  count: Type.Integer(),
  last_at: DateTime,
  address: Type.String({ description: 'The address of the last failed attempt' }),
})

/** The session of the caller. */
export const OwnSession = Shape('OwnSession', {
  ...session,
  /** Wrong passwords between the sign-in of this session and the previous one. */
  refused: Nullable(Refused),
})

export const MemberSession = Shape('MemberSession', {
  ...session,
  last_used_at: Nullable(DateTime),
})

export const Session = Shape('Session', {
  ...MemberSession.properties,
  is_current: Type.Boolean(),
})

const ProfileChange = AllOptional(
  Shape('ProfileChange', {
    name: Name,
    /** Null: that of the browser. */
    time_zone: Nullable(Type.String()),
    /** A JPEG as a data: URL. Null: none. */
    picture: Nullable(Type.String()),
  }),
)

export const sessionRoutes = {
  /** Which ways to sign in this service has. */
  ways: route('GET /ways', { needs: 'nothing', reply: SignInWays }),
  signInWithPassword: route('POST /password', {
    needs: 'nothing',
    body: Type.Object({
      email: Type.String({ maxLength: 254 }),
      password: Password,
      id_space: Type.Optional(Type.String()),
    }),
    reply: SignedIn,
  }),
  /** What a link is for. The link stays valid. */
  lookAtLink: route('POST /link/look', {
    needs: 'nothing',
    body: Type.Object({ token: Token }),
    reply: LinkContent,
  }),
  /** Uses a link up. An invitation takes a name and a password, a reset takes a password. */
  signInWithLink: route('POST /link', {
    needs: 'nothing',
    body: Type.Object({
      token: Token,
      name: Type.Optional(Name),
      password: Type.Optional(Password),
    }),
    reply: SignedIn,
  }),
  /** Sends a link by mail, if a member has the address. The response does not say whether one has. */
  requestLink: route('POST /link/mail', {
    needs: 'nothing',
    body: Type.Object({
      email: Type.String({ maxLength: 254 }),
      purpose: OneOf(['sign_in', 'reset']),
    }),
    reply: Message,
  }),
  /** Confirms the identity of the user, for what requires a person. */
  confirm: route('POST /confirm', {
    needs: 'session',
    /** Users with a second factor confirm with it. */
    body: Type.Object({
      password: Type.Optional(Password),
      code: Type.Optional(Code),
      credential: Type.Optional(Credential),
    }),
    reply: Message,
  }),
  /** Where someone who has come back from the provider can continue. */
  choices: route('GET /choice', {
    needs: 'nothing',
    reply: Type.Array(WorkspaceChoice, { title: 'WorkspaceChoices' }),
  }),
  choose: route('POST /choice', {
    needs: 'nothing',
    body: Chosen,
    reply: SignedIn,
  }),
  /** The workspaces of the user, as far as the sign-in has proven them. */
  workspaces: route('GET /workspaces', {
    needs: 'session',
    reply: Type.Array(OwnWorkspace, { title: 'OwnWorkspaces' }),
  }),
  /** Switches to another workspace. The previous session ends. */
  switch: route('POST /switch', {
    needs: 'session',
    body: Chosen,
    reply: SignedIn,
  }),
  beginPasskeySignIn: route('POST /passkey/options', {
    needs: 'nothing',
    reply: BrowserOptions,
  }),
  /** A passkey alone: it is something you have, and it has verified a PIN or a fingerprint. */
  signInWithPasskey: route('POST /passkey', {
    needs: 'nothing',
    body: Type.Object({ credential: Credential }),
    reply: SignedIn,
  }),
  ...stepRoutes,
  ...factorRoutes,
  signOut: route('POST /end', { needs: 'session', reply: Message }),
  list: route('GET /list', {
    needs: 'session',
    reply: Type.Array(Session, { title: 'Sessions' }),
  }),
  end: route('DELETE /{id}', { needs: 'session', reply: Message }),
  /** `current` is needed if the member has a password. Ends the member's other sessions. */
  changePassword: route('PATCH /password', {
    needs: 'person',
    body: Type.Object({ current: Type.Optional(Password), password: Password }),
    reply: Message,
  }),
  /** What members change about themselves. */
  changeProfile: route('PATCH /profile', {
    needs: 'session',
    body: ProfileChange,
    reply: Message,
  }),
  /** They sign in with it from then on. */
  changeEmail: route('PATCH /email', {
    needs: 'person',
    body: Type.Object({ email: Name }),
    reply: Message,
  }),
  /** A picture of a member of the workspace. It never changes: a new picture has a new id. */
  picture: route('GET /picture/{id}', {
    needs: 'session',
    reply: Type.Unsafe<Uint8Array>({}),
  }),
}
