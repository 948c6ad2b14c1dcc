import {
  allows,
  effectiveSeconds,
  type Role,
  rightsOf,
  roles,
  type Scope,
  scopeRoles,
  scopes,
} from '@rapport/contract/roles'
import { type ApiKey, type ListedKey, revokeKey, selectKeys } from '../access/access.sql.ts'
import { aboutKey, issueKey, type NewApiKey } from '../access/issue-key.ts'
import { hintOf } from '../access/keys.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import { readNetwork } from '../networks.ts'
import { counted } from '../words.ts'
import { checkedName } from './checks.ts'
import { chooseMember } from './choose-member.ts'
import { chooseSpace, named } from './choose-space.ts'
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
import { nextCommand } from './next-command.ts'

const columns = [
  ...['id', 'hint', 'name', 'kind', 'role', 'scopes', 'allowed_from', 'member', 'workspace'],
  ...['created_at', 'last_used_at', 'last_used_from', 'expires_at', 'revoked_at'],
]

export const keys = command({
  summary: 'Create, list, replace and revoke API keys',
  help: `Usage: npm run rapport -- keys create [--member <email|id>] [options]
       npm run rapport -- keys list [--space <name|id>] [--json]
       npm run rapport -- keys replace <key> [--expires <days>] [--quiet]
       npm run rapport -- keys revoke <key> [--json]

A key acts as one member of one workspace. It is shown once, when it is created; Rapport
stores only its hash. If you lose a key, replace it: "replace" creates a key with the same
member, role, scopes and name, and revokes the old one. A revoked key stops working within ${effectiveSeconds} seconds.`,
  options: {
    '<key>': 'the name, hint or id of a key (see: keys list), or the key itself',
    space:
      '<name|id> the name or id of the workspace (default for "create": the newest one; for the others: all workspaces)',
    member: '<email|id> the member it acts as (default: the owner)',
    role: `<role> ${roles.join(', ')} (default: write); at most the member's role`,
    scopes: `<scopes> what the key is restricted to: ${scopes.join(', ')} (default: everything that its role allows)`,
    from: '<networks> where it can be used from, such as 10.0.0.0/8,192.168.1.7 (default: anywhere)',
    agent: 'it is for an agent: the change feed and the audit log say so',
    name: '<name> a name for the key, for example what it is used for',
    expires:
      '<days> days until the key expires (default: never; for "replace": when the old one would)',
    quiet: 'print only the key: KEY=$(npm run -s rapport -- keys create --quiet)',
    json,
  },

  async run({ values, positionals }, config) {
    if (values.quiet && values.json) throw new UsageError('Use either --quiet or --json.')
    const role = optional(values.role, knownRole) ?? 'write'
    const name = optional(values.name, (text) => checkedName(text, '--name')) ?? ''
    const expires_at = optional(values.expires, daysAhead)
    const [word, given, ...more] = positionals
    const action = actionOf(word, ['create', 'list', 'replace', 'revoke'])
    requireNoMore(action === 'create' || action === 'list' ? positionals.slice(1) : more)
    const wanted = () => required(given, 'the key: its name, hint or id (see: keys list)')
    switch (action) {
      case 'create': {
        const order: Order = {
          ...{ role, name, expires_at: expires_at ?? null, kind: values.agent ? 'agent' : 'key' },
          scopes: optional(values.scopes, (text) => knownScopes(text, role)) ?? null,
          allowed_from: optional(values.from, knownNetworks) ?? null,
        }
        return show(await createKey(config, values, order), values)
      }
      case 'list': {
        const rows = await withDatabase(config, async (pool) => {
          const space = values.space && (await chooseSpace(pool, values.space))
          return selectKeys(pool, space ? space.id_space : undefined)
        })
        return print(rows, values.json, columns)
      }
      case 'replace':
        return show(await replaceKey(config, values.space, wanted(), expires_at), values)
      case 'revoke': {
        const row = await withDatabase(config, async (pool) => {
          const key = await findKey(pool, values.space, wanted())
          return pool.begin((tx) => revoke(tx, key, new Date()))
        })
        return print(row ?? [], values.json, ['id', 'hint', 'name', 'revoked_at'])
      }
    }
  },
})

type Order = Omit<NewApiKey, 'id_space' | 'id_member' | 'created_at'>
type IssuedKey = ApiKey & { key: string }

function show(
  row: IssuedKey,
  { quiet, json }: { quiet?: boolean | undefined; json?: boolean | undefined },
): void {
  if (quiet) console.log(row.key)
  else print(row, json, ['key', 'id', 'role', 'scopes', 'name', 'expires_at'])
  if (!quiet && !json) console.log('\nThis is the only time the key is shown.')
}

function createKey(
  config: Config,
  given: { space?: string | undefined; member?: string | undefined },
  order: Order,
): Promise<IssuedKey> {
  return withDatabase(config, async (pool) => {
    const space = await chooseSpace(pool, given.space)
    const member = await chooseMember(pool, space, given.member)
    const most = rightsOf(member.role)
    if (!allows(most, order.role)) {
      const words = ['--space', space.ref, '--member', member.email]
      throw new CommandError(
        [
          `${member.email} has the role ${member.role}, and a key cannot have a higher role. Give the key a lower role or the member a higher one:`,
          `  ${nextCommand('keys', 'create', ...words, '--role', most)}`,
          `  ${nextCommand('members', 'change', ...words, '--role', order.role)}`,
        ].join('\n'),
      )
    }
    const { id_space, id: id_member } = member
    return pool.begin((tx) => issue(tx, { id_space, id_member, ...order }, new Date()))
  })
}

async function issue(tx: Db, fields: Omit<NewApiKey, 'created_at'>, now: Date): Promise<IssuedKey> {
  const key = await issueKey(tx, { ...fields, created_at: now.toISOString() })
  await audit(tx, authorOf('command', key.id_space, now), 'key.created', aboutKey(key))
  return key
}

async function revoke(tx: Db, old: ListedKey, now: Date): Promise<ApiKey | undefined> {
  const key = await revokeKey(tx, old, now)
  if (old.revoked_at === null) {
    await audit(tx, authorOf('command', old.id_space, now), 'key.revoked', aboutKey(old))
  }
  return key
}

/** Issues a key like the old one, and revokes the old one. */
function replaceKey(
  config: Config,
  space: string | undefined,
  given: string,
  expires_at: string | undefined,
): Promise<IssuedKey> {
  return withDatabase(config, (pool) =>
    pool.begin(async (tx) => {
      const now = new Date()
      const old = await findKey(tx, space, given)
      requireUsable(old, now, expires_at)
      await revoke(tx, old, now)
      const { id_space, id_member, role, name, kind, scopes, allowed_from } = old
      const like = { id_space, id_member, role, name, kind, scopes, allowed_from }
      return issue(tx, { ...like, expires_at: expires_at ?? old.expires_at }, now)
    }),
  )
}

/** The new key gets the end of the old one, so that must be in the future. */
function requireUsable(old: ListedKey, now: Date, expires_at: string | undefined): void {
  if (old.revoked_at !== null) {
    const words = ['--space', old.id_space, '--member', old.id_member, '--role', old.role]
    throw new CommandError(
      `The key ${old.hint} was revoked on ${old.revoked_at.slice(0, 10)}. Create another one: ${nextCommand('keys', 'create', ...words)}`,
    )
  }
  const ends = expires_at ?? old.expires_at
  if (ends !== null && Date.parse(ends) <= now.getTime()) {
    throw new CommandError(
      `The key ${old.hint} expired on ${ends.slice(0, 10)}. Choose how long the new one is valid: ${nextCommand('keys', 'replace', old.id, '--expires', '90')}`,
    )
  }
}

/** Finds a key by its id, its hint, its name or itself. Among several, those that still work count. */
async function findKey(db: Db, givenSpace: string | undefined, given: string): Promise<ListedKey> {
  const space = givenSpace === undefined ? undefined : await chooseSpace(db, givenSpace)
  const all = await selectKeys(db, space?.id_space)
  // People type the … of a hint as three dots, or give the key itself, which is not printed then.
  const text = given.replace('...', '…')
  const hint = /^rk_[\w-]{20,}$/.test(text) ? hintOf(text) : text
  const byHint = all.filter((key) => key.hint === hint)
  const found = byHint.length > 0 ? byHint : named(all, hint, ({ id }) => id)
  const live = found.filter(({ revoked_at }) => revoked_at === null)
  const [key, ...others] = live.length > 0 ? live : found.slice(-1)
  if (!key) {
    throw new CommandError(`No key "${hint}". See: ${nextCommand('keys', 'list')}`)
  }
  if (others.length === 0) return key
  throw new CommandError(
    [
      `${counted(others.length + 1, 'key')} match "${hint}". Choose one by id:`,
      ...[key, ...others].map(
        ({ id, hint, member, workspace }) => `  ${id}  ${hint}  of ${member} in "${workspace}"`,
      ),
    ].join('\n'),
  )
}

function knownRole(text: string): Role {
  const role = roles.find((name) => name === text)
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}.`)
  return role
}

function knownScopes(text: string, role: Role): Scope[] {
  return text.split(',').map((part) => {
    const scope = scopes.find((name) => name === part.trim())
    if (!scope) throw new UsageError(`--scopes must be some of ${scopes.join(', ')}.`)
    if (allows(role, scopeRoles[scope])) return scope
    throw new UsageError(`The scope ${scope} requires --role ${scopeRoles[scope]}.`)
  })
}

function knownNetworks(text: string): string[] {
  return text.split(',').map((part) => {
    if (readNetwork(part.trim())) return part.trim()
    throw new UsageError('--from must be addresses or networks, such as 10.0.0.7,192.168.0.0/16.')
  })
}

function daysAhead(text: string): string {
  const days = Number(text)
  if (!/^\d+$/.test(text) || days < 1 || days > 36_500) {
    throw new UsageError('--expires must be a whole number of days, from 1 to 36500.')
  }
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
