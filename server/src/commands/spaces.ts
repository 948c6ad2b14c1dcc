import { insertMember, insertSpace, selectSpaces } from '../access/access.sql.ts'
import { newId } from '../ids.ts'
import {
  type Command,
  CommandError,
  parse,
  print,
  required,
  UsageError,
  withDatabase,
} from './command.ts'

export const spaces: Command = {
  summary: 'Create and list workspaces',
  help: `Usage: npm run rapport -- spaces create --name <name> --owner <email> [options]
       npm run rapport -- spaces list [--json]

A workspace contains the data of one team. A key can reach only its own workspace.

  --name <name>         the name of the workspace
  --owner <email>       the email address of its owner, who is its first member
  --owner-name <name>   the owner's name (default: the address)
  --time-zone <zone>    the time zone of its reminders, such as Europe/Paris (default: UTC)
  --json                print JSON on one line, for scripts`,

  async run(args, config) {
    const { values, positionals } = parse(args, {
      name: { type: 'string' },
      owner: { type: 'string' },
      'owner-name': { type: 'string' },
      'time-zone': { type: 'string', default: 'UTC' },
      json: { type: 'boolean' },
    })
    const created_at = new Date().toISOString()
    switch (positionals.join(' ')) {
      case 'create': {
        const name = required(values.name, '--name')
        const email = required(values.owner, '--owner')
        const time_zone = knownTimeZone(values['time-zone'])
        const space = { id_space: newId(), name, time_zone, created_at }
        const owner = {
          id_space: space.id_space,
          id: newId(),
          name: values['owner-name'] ?? email,
          email,
          role: 'owner' as const,
          created_at,
        }
        await withDatabase(config, (pool) =>
          pool.begin(async (tx) => {
            await insertSpace(tx, space)
            await insertMember(tx, owner)
          }),
        )
        const row = { ...space, id_member: owner.id, owner: email }
        return print(row, values.json, ['id_space', 'name', 'time_zone', 'owner', 'id_member'])
      }
      case 'list':
        return print(await withDatabase(config, selectSpaces), values.json, [
          'id_space',
          'name',
          'time_zone',
          'created_at',
        ])
      default:
        throw new UsageError('Say what to do: create or list.')
    }
  },
}

function knownTimeZone(name: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    throw new CommandError(`There is no time zone "${name}"; use one like Europe/Paris or UTC.`)
  }
}
