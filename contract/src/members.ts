import { Type } from 'typebox'
import { ways } from './actor.ts'
import { exampleIds } from './examples.ts'
import { memberRoles } from './members.values.ts'
import { roles, route } from './route.ts'
import { MemberSession, OwnSession } from './session.ts'
import { AllOptional, DateTime, Id, Message, Name, Nullable, OneOf, Shape } from './shapes.ts'
import { factorRules } from './sign-in.ts'

export { type MemberRole, memberRoles } from './members.values.ts'

const MemberRole = OneOf(memberRoles, { title: 'MemberRole' })

export const memberFields = {
  id: Id,
  name: Type.String(),
  email: Type.String(),
  role: MemberRole,
}

const member = {
  ...memberFields,
  invited_until: Nullable(
    Type.String({
      format: 'date-time',
      description: 'The end of an invitation that was not used yet; in the past if it has expired',
    }),
  ),
}

const listed = {
  ...member,
  provider: Nullable(
    Type.String({
      description:
        'The host of the OpenID Connect provider, once the member has signed in there: only the same account gets in',
    }),
  ),
}

const ListedMember = Shape('ListedMember', {
  ...listed,
  password_locked_until: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'After too many wrong passwords, none is taken until then. Links and OpenID Connect still work. Only admins see it.',
    }),
  ),
})

const Member = Shape('Member', listed)

const link = {
  link: Type.String({ description: 'The address to hand over. It is shown this once.' }),
  expires_at: DateTime,
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
})

const WorkspaceChange = AllOptional(
  Shape('WorkspaceChange', {
    name: Name,
    time_zone: Type.String({ description: 'Such as Europe/Paris' }),
  }),
)

const FactorRule = OneOf(factorRules, {
  title: 'FactorRule',
  description:
    'Who needs a second factor to sign in. optional: nobody. admins: owners and admins. everybody: all members.',
})

const SecondFactorRule = Shape('SecondFactorRule', {
  required: FactorRule,
  members: Type.Array(Id, { description: 'The members that have a second factor' }),
})

const Me = Shape('Me', {
  ...memberFields,
  id_space: Id,
  workspace: Workspace,
  key: Type.Object({ role: OneOf(roles) }),
  way: OneOf(ways, { description: 'api: by a key. web: signed in to the page.' }),
  has_password: Type.Boolean(),
  session: Nullable(OwnSession),
})

export const members = {
  name: 'Members',
  description: 'The workspace, the people in it, and the one that the key acts as.',
  routes: {
    me: route({
      operationId: 'getMe',
      method: 'GET',
      path: '/me',
      role: 'read',
      summary: 'Get the member that the key acts as',
      description: 'The member, the workspace, what the key may do, and how one is signed in.',
      extension: true,
      reply: Me,
      example: {},
    }),
    list: route({
      operationId: 'listMembers',
      method: 'GET',
      path: '/members',
      role: 'read',
      summary: 'List members',
      description: 'All members of the workspace. They can own leads and be reminded.',
      extension: true,
      reply: Type.Array(ListedMember, { title: 'Members' }),
      example: {},
    }),
    invite: route({
      operationId: 'createInvitation',
      method: 'POST',
      path: '/members',
      role: 'admin',
      summary: 'Invite a member',
      description:
        'Adds the member, with the role `write` unless another is given. Hand over the link: with it they choose a name and a password, once, within 7 days. If the member was invited before and has not used the link, the new link replaces it. Only an owner can invite an owner. Where people sign in with the provider only (`OIDC_ONLY`), the link is the address of the page.',
      extension: true,
      secret: true,
      person: 'always',
      body: InvitationInput,
      reply: Invitation,
      example: { body: { email: 'tom@example.com', name: 'Tom', role: 'write' } },
    }),
    update: route({
      operationId: 'updateMember',
      method: 'PATCH',
      path: '/members/{id}',
      role: 'admin',
      summary: 'Change a member',
      description:
        'A lower role takes effect within 5 seconds, also for the keys of the member. Only an owner can change an owner or make one. The last owner stays an owner.',
      extension: true,
      person: 'owners',
      body: MemberChange,
      reply: Member,
      example: { id: exampleIds.member, body: { name: 'Tom Reed', role: 'read' } },
    }),
    remove: route({
      operationId: 'deleteMember',
      method: 'DELETE',
      path: '/members/{id}',
      role: 'admin',
      bulk: true,
      summary: 'Remove a member',
      description:
        'The keys and sessions of the member end within 5 seconds. Their leads and reminders stay. Only an owner can remove an owner. The last owner stays.',
      extension: true,
      person: 'owners',
      reply: Message,
      example: { id: exampleIds.member },
    }),
    createLink: route({
      operationId: 'createMemberLink',
      method: 'POST',
      path: '/members/{id}/link',
      role: 'admin',
      summary: 'Make a link for a member',
      description:
        'With the link the member chooses a new password, once, within a day, which ends their sessions. For a member who has not used the invitation, it is a new invitation. Only an owner can make a link for an owner.',
      extension: true,
      secret: true,
      person: 'always',
      reply: MemberLink,
      example: { id: exampleIds.member },
    }),
    unbind: route({
      operationId: 'deleteMemberIdentity',
      method: 'DELETE',
      path: '/members/{id}/identity',
      role: 'admin',
      summary: 'Forget the account of a member',
      description:
        "The member can sign in with another account at the OpenID Connect provider, which has the member's address. Their sessions end. Only an owner can do this for an owner.",
      extension: true,
      person: 'always',
      reply: Message,
      example: { id: exampleIds.member },
    }),
    sessions: route({
      operationId: 'listMemberSessions',
      method: 'GET',
      path: '/members/{id}/sessions',
      role: 'admin',
      summary: 'List the sessions of a member',
      description:
        'Where the member is signed in to the page, the session used last first. Only an owner sees those of an owner.',
      extension: true,
      person: 'always',
      reply: Type.Array(MemberSession, { title: 'MemberSessions' }),
      example: { id: exampleIds.member },
    }),
    endSession: route({
      operationId: 'deleteSession',
      method: 'DELETE',
      path: '/sessions/{id}',
      role: 'admin',
      summary: 'End a session of a member',
      description: 'Signs the member out there. Only an owner can end a session of an owner.',
      extension: true,
      person: 'always',
      reply: Message,
      example: { id: exampleIds.session },
    }),
    resetFactors: route({
      operationId: 'deleteMemberSecondFactor',
      method: 'DELETE',
      path: '/members/{id}/second-factor',
      role: 'admin',
      summary: "Reset a member's second factor",
      description:
        'For a member who has lost it: their passkeys, authenticator app and recovery codes are removed. If the workspace requires a second factor, their sessions end, and they set up a new one when they sign in. Only an owner can reset that of an owner.',
      extension: true,
      person: 'always',
      reply: Message,
      example: { id: exampleIds.member },
    }),
    getFactorRule: route({
      operationId: 'getSecondFactorRule',
      method: 'GET',
      path: '/workspace/second-factor',
      role: 'admin',
      summary: 'Get who needs a second factor',
      description: 'The rule of the workspace, and the members that have a second factor.',
      extension: true,
      reply: SecondFactorRule,
      example: {},
    }),
    updateFactorRule: route({
      operationId: 'updateSecondFactorRule',
      method: 'PATCH',
      path: '/workspace/second-factor',
      role: 'admin',
      summary: 'Change who needs a second factor',
      description:
        'Sessions of members who need one and have none end, and they set one up when they sign in. The caller needs a second factor first. API keys are not affected.',
      extension: true,
      person: 'always',
      body: Shape('SecondFactorRuleChange', { required: FactorRule }),
      reply: SecondFactorRule,
      example: { body: { required: 'optional' } },
    }),
    updateWorkspace: route({
      operationId: 'updateWorkspace',
      method: 'PATCH',
      path: '/workspace',
      role: 'admin',
      summary: 'Change the workspace',
      description: 'Recurring reminders follow the time zone of the workspace.',
      extension: true,
      body: WorkspaceChange,
      reply: Workspace,
      example: { body: { name: 'North team', time_zone: 'Europe/Paris' } },
    }),
  },
}
