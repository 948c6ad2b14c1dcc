import { type Role, roles } from '@rapport/contract/route'
import { revokeKey, selectKeys, selectMember } from '../access/access.sql.ts'
import { issueKey } from '../access/issue-key.ts'
import { allows, rightsOf } from '../access/keyring.ts'
import type { Pool } from '../db/driver.ts'
import { isId } from '../ids.ts'
import {
  type Command,
  CommandError,
  parse,
  print,
  required,
  UsageError,
  withDatabase,
} from './command.ts'
import { requireSpace } from './members.ts'

const columns = [
  'id',
  'hint',
  'name',
  'role',
  'id_member',
  'id_space',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
]

export const keys: Command = {
  summary: 'Create, list and revoke API keys',
  help: `Usage: npm run rapport -- keys create --space <id> --member <id> [options]
       npm run rapport -- keys list [--space <id>] [--json]
       npm run rapport -- keys revoke <key id> [--json]

A key acts as one member of one workspace. It is shown once, when it is created; Rapport
stores only its hash. A revoked key stops working within 5 seconds.

  --space <id>      the workspace (see: spaces list)
  --member <id>     the member it acts as (see: members list)
  --role <role>     read, write or admin (default: write); at most the member's role
  --name <name>     a name for the key, such as what it is used for
  --expires <days>  number of days until the key expires (default: never)
  --json            print JSON on one line, for scripts

Scripts: npm run -s rapport -- keys create --space … --member … --role read --json`,

  async run(args, config) {
    const { values, positionals } = parse(args, {
      space: { type: 'string' },
      member: { type: 'string' },
      role: { type: 'string', default: 'write' },
      name: { type: 'string', default: '' },
      expires: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [action, id, ...more] = positionals
    if (more.length > 0) throw new UsageError(`Too many arguments: ${more.join(' ')}.`)
    switch (action) {
      case 'create': {
        const role = roles.find((name) => name === values.role)
        if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}.`)
        const row = await withDatabase(config, (pool) =>
          createKey(pool, {
            space: required(values.space, '--space'),
            member: required(values.member, '--member'),
            role,
            name: values.name,
            expires: daysAhead(values.expires),
          }),
        )
        print(row, values.json, ['key', 'id', 'role', 'name', 'expires_at'])
        if (!values.json) console.log('\nThis is the only time the key is shown.')
        return
      }
      case 'list': {
        const rows = await withDatabase(config, async (pool) => {
          if (values.space) await requireSpace(pool, values.space)
          return selectKeys(pool, values.space)
        })
        return print(rows, values.json, columns)
      }
      case 'revoke': {
        const keyId = required(id, 'the id of the key (see: keys list)')
        const row = await withDatabase(config, async (pool) =>
          isId(keyId) ? revokeKey(pool, keyId, new Date()) : undefined,
        )
        if (!row) throw new CommandError(`There is no key with the id ${keyId}.`)
        return print(row, values.json, ['id', 'hint', 'name', 'revoked_at'])
      }
      default:
        throw new UsageError('Say what to do: create, list or revoke.')
    }
  },
}

interface KeyOrder {
  space: string
  member: string
  role: Role
  name: string
  expires: string | null
}

async function createKey(pool: Pool, order: KeyOrder) {
  await requireSpace(pool, order.space)
  const member = isId(order.member) && (await selectMember(pool, order.space, order.member))
  if (!member) {
    throw new CommandError(
      `There is no member ${order.member} in this workspace. See: npm run rapport -- members list --space ${order.space}`,
    )
  }
  if (!allows(rightsOf(member.role), order.role)) {
    throw new CommandError(
      `${member.name} has the role ${member.role}: a key cannot have a higher role.`,
    )
  }
  return issueKey(pool, {
    id_space: order.space,
    id_member: member.id,
    role: order.role,
    name: order.name,
    created_at: new Date().toISOString(),
    expires_at: order.expires,
  })
}

function daysAhead(text: string | undefined): string | null {
  if (text === undefined) return null
  const days = Number(text)
  if (!Number.isInteger(days) || days < 1 || days > 36_500) {
    throw new UsageError('--expires must be a whole number of days, from 1 on.')
  }
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
