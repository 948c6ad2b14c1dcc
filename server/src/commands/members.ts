import { isLastOwner, memberRoles } from '@rapport/contract/roles'
import {
  countMemberUses,
  deleteMember,
  insertMember,
  lockSpace,
  type Member,
  type MemberUses,
  selectMembers,
  updateMember,
} from '../access/access.sql.ts'
import { resetFactors } from '../access/factors.ts'
import { unbindMember } from '../access/unbind.ts'
import type { Config } from '../config.ts'
import { type Db, sqlState, transaction } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import { recordCreated, recordDeleted, recordUpdated } from '../feed/record.sql.ts'
import { newId } from '../ids.ts'
import { counted, listed } from '../words.ts'
import { checkedEmail, checkedName } from './checks.ts'
import { findMember } from './choose-member.ts'
import { anySpace, type ChosenSpace, chooseSpace } from './choose-space.ts'
import {
  actionOf,
  CommandError,
  command,
  json,
  optional,
  print,
  required,
  requireNoMore,
  UsageError,
  withDatabase,
} from './command.ts'
import { confirm } from './confirm.ts'
import { nextCommand } from './next-command.ts'

const columns = ['id', 'name', 'email', 'role', 'created_at']
const uniqueViolation = '23505'

export const members = command({
  summary: 'Add, list, change and remove the members of a workspace',
  help: `Usage: npm run rapport -- members add --email <email> [options]
       npm run rapport -- members list [--space <name|id>] [--json]
       npm run rapport -- members change --member <email|id> [--name …] [--email …] [--role …]
       npm run rapport -- members unbind --member <email|id> | --all
       npm run rapport -- members remove --member <email|id> [--yes]
       npm run rapport -- members reset-factor --member <email|id>

A member is a person in a workspace. A key acts as a member, and members own leads.`,
  options: {
    space: anySpace,
    member: '<email|id> the member to change, to remove or to reset',
    email: "<email> the member's address or new address; unique in the workspace",
    name: "<name> the member's name (default: the address)",
    role: `<role> ${memberRoles.join(', ')} (default: write)`,
    all: 'unbind every member of the workspace, after a change of provider',
    yes: 'remove without asking; for scripts',
    json,
  },
  more: `"remove" also removes the member's keys. The member's leads and reminders are kept. A
workspace keeps at least one owner. "reset-factor" removes the member's passkeys,
authenticator app and recovery codes, for someone who has lost them.

A member who has signed in with OpenID Connect is bound to that account. "unbind" removes the
binding and ends the member's sessions: the next account with their address can sign in.`,

  async run({ values, positionals }, config) {
    const [word, ...more] = positionals
    const actions = ['add', 'list', 'change', 'unbind', 'remove', 'reset-factor'] as const
    const action = actionOf(word, actions)
    requireNoMore(more)
    const name = optional(values.name, (text) => checkedName(text, '--name'))
    const email = optional(values.email, (text) => checkedEmail(text, '--email'))
    const role = optional(values.role, knownRole)
    switch (action) {
      case 'add': {
        const address = required(email, '--email')
        const order = { email: address, name: name ?? address, role: role ?? 'write' }
        return print(await add(config, values.space, order), values.json, columns)
      }
      case 'list': {
        const rows = await withDatabase(config, async (pool) => {
          const { id_space } = await chooseSpace(pool, values.space)
          return selectMembers(pool, id_space)
        })
        return print(rows, values.json, columns)
      }
      case 'change': {
        const given = required(values.member, '--member')
        const change = { ...(name && { name }), ...(email && { email }), ...(role && { role }) }
        if (Object.keys(change).length === 0) {
          throw new UsageError('Say what to change: --name, --email or --role.')
        }
        const row = await withDatabase(config, (pool) =>
          pool.begin(async (tx) => {
            const { space, member } = await lockedMember(tx, values.space, given)
            if (role !== undefined && role !== 'owner') await requireOtherOwner(tx, space, member)
            const updating = updateMember(tx, member, change)
            const after = await refusingDoubles(space, email, updating)
            await audit(tx, byCommand(space), 'member.updated', { id: member.id, ...change })
            if (after) await recordUpdated(tx, byCommand(space), 'member', member, after)
            return after
          }),
        )
        return print(row ?? [], values.json, columns)
      }
      case 'unbind':
        return unbind(
          config,
          values.space,
          values.all ? undefined : required(values.member, '--member'),
        )
      case 'remove':
        return remove(config, values.space, required(values.member, '--member'), values)
      case 'reset-factor': {
        const given = required(values.member, '--member')
        const { id, email } = await withDatabase(config, (pool) =>
          pool.begin(async (tx) => {
            const { space, member } = await lockedMember(tx, values.space, given)
            await resetFactors(tx, byCommand(space), member)
            return member
          }),
        )
        if (values.json) console.log(JSON.stringify({ id, email }))
        else console.log(`${email} no longer has a second factor.`)
      }
    }
  },
})

const byCommand = ({ id_space }: ChosenSpace) => authorOf('command', id_space, new Date())
const aboutMember = ({ id, name, email, role }: Member) => ({ id, name, email, role })

function knownRole(text: string): Member['role'] {
  const role = memberRoles.find((name) => name === text)
  if (!role) throw new UsageError(`--role must be one of ${memberRoles.join(', ')}.`)
  return role
}

function add(
  config: Config,
  given: string | undefined,
  order: Pick<Member, 'email' | 'name' | 'role'>,
): Promise<Member> {
  return withDatabase(config, async (pool) => {
    const space = await chooseSpace(pool, given)
    const by = byCommand(space)
    const created_at = by.now.toISOString()
    const added = { id_space: space.id_space, id: newId(), ...order, created_at }
    const member = { ...added, time_zone: null, picture: null }
    const adding = pool.begin(async (tx) => {
      await insertMember(tx, member)
      await audit(tx, by, 'member.created', aboutMember(member))
      await recordCreated(tx, by, 'member', member)
    })
    await refusingDoubles(space, order.email, adding)
    return member
  })
}

async function refusingDoubles<T>(
  { name, ref }: ChosenSpace,
  email: string | undefined,
  written: Promise<T>,
): Promise<T> {
  return written.catch((error) => {
    if (sqlState(error) !== uniqueViolation) throw error
    throw new CommandError(
      `${email} is already a member of the workspace "${name}". See: ${nextCommand('members', 'list', '--space', ref)}`,
    )
  })
}

/** Locks the workspace, so that two commands cannot remove its last two owners at the same time. */
async function lockedMember(tx: Db, givenSpace: string | undefined, given: string) {
  const space = await chooseSpace(tx, givenSpace)
  await lockSpace(tx, space.id_space)
  return { space, member: await findMember(tx, space, given) }
}

async function requireOtherOwner(tx: Db, space: ChosenSpace, member: Member): Promise<void> {
  const all = await selectMembers(tx, space.id_space)
  if (!isLastOwner(member, all)) return
  const other = all.find(({ id }) => id !== member.id)?.email
  const words = ['--space', space.ref, '--role', 'owner']
  const next = other
    ? nextCommand('members', 'change', '--member', other, ...words)
    : nextCommand('members', 'add', '--email', 'new-owner@example.com', ...words)
  throw new CommandError(
    `${member.email} is the only owner of the workspace "${space.name}". Make another member an owner first: ${next}`,
  )
}

/** Without a member given: all of the workspace. */
async function unbind(
  config: Config,
  givenSpace: string | undefined,
  given: string | undefined,
): Promise<void> {
  const unbound = await withDatabase(config, (pool) =>
    pool.begin(async (tx) => {
      const space = await chooseSpace(tx, givenSpace)
      await lockSpace(tx, space.id_space)
      const members = given
        ? [await findMember(tx, space, given)]
        : await selectMembers(tx, space.id_space)
      const done: Member[] = []
      for (const member of members) {
        if (await unbindMember(tx, byCommand(space), member)) done.push(member)
      }
      return done
    }),
  )
  if (unbound.length === 0) throw new CommandError('No account was bound. Nothing was done.')
  console.log(`${listed(unbound.map(({ email }) => email))} can sign in with another account.`)
}

async function remove(
  config: Config,
  givenSpace: string | undefined,
  given: string,
  options: { yes?: boolean | undefined; json?: boolean | undefined },
): Promise<void> {
  const { member, uses } = await withDatabase(config, async (pool) => {
    const space = await chooseSpace(pool, givenSpace)
    const member = await findMember(pool, space, given)
    await requireOtherOwner(pool, space, member)
    const uses = await countMemberUses(pool, member)
    const words = ['--space', space.ref, '--member', member.email]
    const command = nextCommand('members', 'remove', ...words)
    await confirm(lossOf(member, space, uses), `Remove ${member.email}?`, command, options)
    await transaction(pool, async (tx) => {
      await lockSpace(tx, space.id_space)
      await requireOtherOwner(tx, space, member)
      await deleteMember(tx, member)
      await audit(tx, byCommand(space), 'member.deleted', aboutMember(member))
      await recordDeleted(tx, byCommand(space), 'member', member)
    })
    return { member, uses }
  })
  const { id, email } = member
  if (options.json) console.log(JSON.stringify({ id, email, removed: uses }))
  else console.log(`Removed ${email}.`)
}

function lossOf({ name, email, role }: Member, space: ChosenSpace, uses: MemberUses): string {
  const owned = [
    uses.leads > 0 && counted(uses.leads, 'lead'),
    uses.reminders > 0 && counted(uses.reminders, 'reminder'),
  ].filter((text) => text !== false)
  const lines = [`${name} (${email}) is a member of "${space.name}" with the role ${role}.`]
  if (uses.keys > 0) lines.push(`${counted(uses.keys, 'API key')} will be removed too.`)
  if (owned.length > 0) lines.push(`${listed(owned)} will be kept, without this member.`)
  return lines.join('\n')
}
