import { memberRoles } from '@rapport/contract/members'
import { insertMember, selectMembers, selectSpace } from '../access/access.sql.ts'
import { type Pool, sqlState } from '../db/driver.ts'
import { isId, newId } from '../ids.ts'
import {
  type Command,
  CommandError,
  parse,
  print,
  required,
  UsageError,
  withDatabase,
} from './command.ts'

const columns = ['id', 'name', 'email', 'role', 'created_at']
const uniqueViolation = '23505'

export const members: Command = {
  summary: 'Add and list the members of a workspace',
  help: `Usage: npm run rapport -- members add --space <id> --email <email> [options]
       npm run rapport -- members list --space <id> [--json]

A member is a person in a workspace. A key acts as a member, and members own leads.

  --space <id>      the workspace (see: spaces list)
  --email <email>   the member's address, unique in the workspace
  --name <name>     the member's name (default: the address)
  --role <role>     owner, admin, write or read (default: write)
  --json            print JSON on one line, for scripts`,

  async run(args, config) {
    const { values, positionals } = parse(args, {
      space: { type: 'string' },
      email: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string', default: 'write' },
      json: { type: 'boolean' },
    })
    const space = () => required(values.space, '--space')
    switch (positionals.join(' ')) {
      case 'add': {
        const role = memberRoles.find((name) => name === values.role)
        if (!role) throw new UsageError(`--role must be one of ${memberRoles.join(', ')}.`)
        const email = required(values.email, '--email')
        const member = {
          id_space: space(),
          id: newId(),
          name: values.name ?? email,
          email,
          role,
          created_at: new Date().toISOString(),
        }
        await withDatabase(config, async (pool) => {
          await requireSpace(pool, member.id_space)
          await insertMember(pool, member).catch((error) => {
            if (sqlState(error) !== uniqueViolation) throw error
            throw new CommandError(`${email} is a member of this workspace already.`)
          })
        })
        return print(member, values.json, columns)
      }
      case 'list': {
        const rows = await withDatabase(config, async (pool) => {
          await requireSpace(pool, space())
          return selectMembers(pool, space())
        })
        return print(rows, values.json, columns)
      }
      default:
        throw new UsageError('Say what to do: add or list.')
    }
  },
}

export async function requireSpace(pool: Pool, id: string): Promise<void> {
  if (!isId(id) || !(await selectSpace(pool, id))) {
    throw new CommandError(`There is no workspace ${id}. See: npm run rapport -- spaces list`)
  }
}
