import { Type } from 'typebox'
import { ways } from './actor.ts'
import { currencies } from './money.values.ts'
import { effectiveSeconds, memberRoles, roles, scopes } from './roles.ts'
import { route } from './route.ts'
import { MemberSession, OwnSession } from './session.ts'
import { AllOptional, DateTime, Id, Message, Name, Nullable, OneOf, Shape } from './shapes.ts'
import { factorRules, invitationDays } from './sign-in.ts'

const MemberRole = OneOf(memberRoles, { title: 'MemberRole' })

export const memberFields = {
  id: Id,
  name: Type.String(),
  email: Type.String(),
  role: MemberRole,
  time_zone: Nullable(
    Type.String({ description: 'For times in the web app; null: that of the browser' }),
  ),
  picture: Nullable(
    Type.String({ description: 'Changes with the picture, which only the web app shows' }),
  ),
}

const member = {
  ...memberFields,
  invited_until: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When an unused invitation expires; in the past if it has expired',
    }),
  ),
}

const listed = {
  ...member,
  provider: Nullable(
    Type.String({
      description:
        'The host of the OpenID Connect provider once the member has signed in there. After that, only the same account can sign in.',
    }),
  ),
}

const ListedMember = Shape('ListedMember', {
  ...listed,
  password_locked_until: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'After too many wrong passwords, password sign-in is locked until this time. Links and OpenID Connect still work. Visible only to admins.',
    }),
  ),
})

const Member = Shape('Member', listed)

const link = {
  link: Type.String({ description: 'The link to send to the member. It is returned only once.' }),
  expires_at: DateTime,
  sent_to: Nullable(
    Type.String({
      description:
        'The address that the link is mailed to; null: the service sends no mail, so pass the link on yourself',
    }),
  ),
}

const Invitation = Shape('Invitation', { ...listed, ...link })

const InvitationInput = Shape('InvitationInput', {
  email: Name,
  name: Type.Optional(Name),
  role: Type.Optional(MemberRole),
})

const MemberLink = Shape('MemberLink', { purpose: OneOf(['invitation', 'reset']), ...link })

const MemberChange = AllOptional(Shape('MemberChange', { name: Name, role: MemberRole }))

export const Workspace = Shape('Workspace', {
  id_space: Id,
  name: Type.String(),
  time_zone: Type.String(),
  currency: Type.String({
    description: 'For new contract values in the web app, and for sums; "" if none is set',
  }),
  is_new: Type.Boolean({ description: 'Its time zone and currency have not been set yet' }),
})

const WorkspaceChange = AllOptional(
  Shape('WorkspaceChange', {
    name: Name,
    time_zone: Type.String({ description: 'For example Europe/Paris' }),
    currency: OneOf(currencies),
  }),
)

const MemberRemoval = AllOptional(
  Shape('MemberRemoval', {
    hand_over_to: Type.String({
      description:
        'Ids of members, separated by commas. They get the leads and open reminders of the member, in turn.',
    }),
  }),
  // A misspelled name would leave the leads without an owner.
  { additionalProperties: false },
)

const FactorRule = OneOf(factorRules, {
  title: 'FactorRule',
  description:
    'Who needs a second factor to sign in. optional: nobody. admins: owners and admins. everybody: all members.',
})

const SecondFactorRule = Shape('SecondFactorRule', {
  required: FactorRule,
  members: Type.Array(Id, { description: 'Members who have a second factor' }),
})

const Me = Shape('Me', {
  ...memberFields,
  id_space: Id,
  workspace: Workspace,
  key: Type.Object({
    role: OneOf(roles),
    scopes: Nullable(Type.Array(OneOf(scopes, { title: 'Scope' }))),
  }),
  way: OneOf(ways, { description: 'api: with an API key. web: signed in to the web app.' }),
  has_password: Type.Boolean(),
  mail: Type.Boolean({ description: 'The service sends mail (SMTP_URL is set)' }),
  session: Nullable(OwnSession),
})

const examples = {
  member: '01920000-0000-7000-8000-00000000000b',
  session: '01920000-0000-7000-8000-000000000019',
}

export const members = {
  name: 'Members',
  description: 'The workspace, its members, and the member the key acts as.',
  examples,
  routes: {
    me: route('GET /me', {
      operationId: 'getMe',
      role: 'read',
      summary: 'Get the member the key acts as',
      description:
        'Returns the member, the workspace, the role of the key, and how the caller is authenticated.',
      reply: Me,
    }),
    list: route('GET /members', {
      operationId: 'listMembers',
      role: 'read',
      summary: 'List members',
      description: 'Returns all members of the workspace. Members can own leads and get reminders.',
      reply: Type.Array(ListedMember, { title: 'Members' }),
    }),
    invite: route('POST /members', {
      operationId: 'createInvitation',
      role: 'admin',
      summary: 'Invite a member',
      description: `Adds the member, with the role \`write\` unless you send another. They get the link by mail if \`SMTP_URL\` is set; otherwise send it to them. It lets them choose a name and a password, once, within ${invitationDays} days. If an earlier invitation is still unused, the new link replaces it. Only an owner can invite an owner. If members sign in only with the provider (\`OIDC_ONLY\`), the link is the address of the web app.`,
      secret: true,
      person: 'always',
      body: InvitationInput,
      reply: Invitation,
      example: { body: { email: 'tom@example.com', name: 'Tom', role: 'write' } },
    }),
    update: route('PATCH /members/{id}', {
      operationId: 'updateMember',
      role: 'admin',
      summary: 'Change a member',
      description: `A lower role takes effect within ${effectiveSeconds} seconds, including for the member's keys. Only an owner can change an owner or make someone an owner. The last owner must remain an owner.`,
      person: 'owners',
      body: MemberChange,
      reply: Member,
      example: { id: examples.member, body: { name: 'Tom Reed', role: 'read' } },
    }),
    remove: route('DELETE /members/{id}', {
      operationId: 'deleteMember',
      role: 'admin',
      bulk: true,
      summary: 'Remove a member',
      description: `The member's keys and sessions end within ${effectiveSeconds} seconds. Their leads and reminders are kept, and go to the members in \`hand_over_to\`: one operation, which X-Operation-Id names and which cannot be undone. Only an owner can remove an owner. The last owner cannot be removed.`,
      person: 'owners',
      query: MemberRemoval,
      reply: Message,
      example: { id: examples.member },
    }),
    createLink: route('POST /members/{id}/link', {
      operationId: 'createMemberLink',
      role: 'admin',
      summary: 'Create a link for a member',
      description:
        'They get it by mail if `SMTP_URL` is set. The link lets the member choose a new password, once, within a day. That ends their sessions. If the member has not used their invitation yet, it is a new invitation. Only an owner can create a link for an owner.',
      secret: true,
      person: 'always',
      reply: MemberLink,
      example: { id: examples.member },
    }),
    unbind: route('DELETE /members/{id}/identity', {
      operationId: 'deleteMemberIdentity',
      role: 'admin',
      summary: "Unlink a member's account",
      description:
        "The member can then sign in with another OpenID Connect account that has the member's email address. Their sessions end. Only an owner can do this for an owner.",
      person: 'always',
      reply: Message,
      example: { id: examples.member },
    }),
    sessions: route('GET /members/{id}/sessions', {
      operationId: 'listMemberSessions',
      role: 'admin',
      summary: "List a member's sessions",
      description:
        "Returns the member's browser sessions, most recently used first. Only an owner can see the sessions of an owner.",
      person: 'always',
      reply: Type.Array(MemberSession, { title: 'MemberSessions' }),
      example: { id: examples.member },
    }),
    endSession: route('DELETE /sessions/{id}', {
      operationId: 'deleteSession',
      role: 'admin',
      summary: "End a member's session",
      description:
        'Signs the member out of that browser. Only an owner can end the session of an owner.',
      person: 'always',
      reply: Message,
      example: { id: examples.session },
    }),
    resetFactors: route('DELETE /members/{id}/second-factor', {
      operationId: 'deleteMemberSecondFactor',
      role: 'admin',
      summary: "Reset a member's second factor",
      description:
        'For a member who has lost it. Removes their passkeys, authenticator app and recovery codes. If the workspace requires a second factor, their sessions end and they set up a new one when they sign in. Only an owner can do this for an owner.',
      person: 'always',
      reply: Message,
      example: { id: examples.member },
    }),
    getFactorRule: route('GET /workspace/second-factor', {
      operationId: 'getSecondFactorRule',
      role: 'admin',
      summary: 'Get the second-factor rule',
      description: 'Returns the rule and the members who have a second factor.',
      reply: SecondFactorRule,
    }),
    updateFactorRule: route('PATCH /workspace/second-factor', {
      operationId: 'updateSecondFactorRule',
      role: 'admin',
      summary: 'Change the second-factor rule',
      description:
        'Members who need a second factor but have none are signed out and set one up when they sign in. The caller must have one first. API keys are not affected.',
      person: 'always',
      body: Shape('SecondFactorRuleChange', { required: FactorRule }),
      reply: SecondFactorRule,
      example: { body: { required: 'optional' } },
    }),
    updateWorkspace: route('PATCH /workspace', {
      operationId: 'updateWorkspace',
      role: 'admin',
      summary: 'Change the workspace',
      description: 'Recurring reminders use the time zone of the workspace.',
      body: WorkspaceChange,
      reply: Workspace,
      example: { body: { name: 'North team', time_zone: 'Europe/Paris' } },
    }),
  },
}
