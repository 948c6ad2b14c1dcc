import {
  countInSpace,
  deleteKeys,
  deleteSpace,
  insertMember,
  insertSpace,
  lockSpace,
  type Space,
  type SpaceContent,
  selectSpace,
  selectSpaces,
  updateSpace,
} from '../access/access.sql.ts'
import type { Config } from '../config.ts'
import { type Db, transaction } from '../db/driver.ts'
import { selectTimeZones } from '../db/time-zones.sql.ts'
import { authorOf } from '../feed/author.ts'
import { recordCreated, recordUpdated } from '../feed/record.sql.ts'
import { newId } from '../ids.ts'
import { plainName } from '../nearest.ts'
import { makeReadyPipeline } from '../resources/lists/ready.ts'
import { counted, listed } from '../words.ts'
import { checkedEmail, checkedName } from './checks.ts'
import { chooseSpace } from './choose-space.ts'
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

const columns = ['id_space', 'name', 'time_zone', 'created_at']

export const spaces = command({
  summary: 'Create, list, change and remove workspaces',
  help: `Usage: npm run rapport -- spaces create --name <name> --owner <email> [options]
       npm run rapport -- spaces list [--json]
       npm run rapport -- spaces change --space <name|id> [--name <name>] [--time-zone <zone>]
       npm run rapport -- spaces remove --space <name|id> [--yes]

A workspace contains the data of one team. A key can reach only its own workspace. Commands
that need a workspace use the newest one unless --space names another. A new workspace has a list
with a default pipeline.`,
  options: {
    name: '<name> the name or new name of the workspace',
    owner: '<email> the email address of its owner and first member',
    'owner-name': "<name> the owner's name (default: the address)",
    'time-zone':
      '<zone> the time zone of its reminders, for example Europe/Paris (default: that of the first admin who signs in, UTC until then)',
    empty: 'create it without the pipeline; for programs that make their own',
    space: '<name|id> the workspace to change or to remove',
    yes: 'remove without asking; for scripts',
    json,
  },
  more: `"remove" permanently deletes the workspace and everything in it: leads, lists, notes, members,
keys and the rest. It first shows what will be deleted and asks.`,

  async run({ values, positionals }, config) {
    const [word, ...more] = positionals
    const action = actionOf(word, ['create', 'list', 'change', 'remove'])
    requireNoMore(more)
    const name = optional(values.name, (text) => checkedName(text, '--name'))
    const time_zone = values['time-zone']
    switch (action) {
      case 'create': {
        const email = checkedEmail(required(values.owner, '--owner'), '--owner')
        const owner = optional(values['owner-name'], (text) => checkedName(text, '--owner-name'))
        const { empty: isEmpty } = values
        const named = { name: required(name, '--name'), owner: owner ?? email, email }
        const order = { ...named, time_zone, isEmpty }
        return create(config, order, values.json)
      }
      case 'list':
        return print(await withDatabase(config, selectSpaces), values.json, columns)
      case 'change': {
        const change = { ...(name && { name }), ...(time_zone !== undefined && { time_zone }) }
        if (Object.keys(change).length === 0) {
          throw new UsageError('Say what to change: --name or --time-zone.')
        }
        const row = await withDatabase(config, (pool) =>
          pool.begin(async (tx) => {
            const { id_space } = await chooseSpace(tx, values.space)
            if (name !== undefined) await requireFreeName(tx, name, id_space)
            if (time_zone !== undefined) await requireTimeZone(tx, time_zone)
            return changeSpace(tx, id_space, change)
          }),
        )
        return print(row ?? [], values.json, columns)
      }
      case 'remove':
        return remove(config, required(values.space, '--space'), values)
    }
  },
})

async function changeSpace(tx: Db, id_space: string, change: Partial<Space>) {
  await lockSpace(tx, id_space)
  const before = await selectSpace(tx, id_space)
  const after = await updateSpace(tx, id_space, change)
  if (before && after) {
    const by = authorOf('command', id_space, new Date())
    await recordUpdated(tx, by, 'workspace', before, { id: id_space, ...after })
  }
  return after
}

interface Order {
  name: string
  time_zone: string | undefined
  email: string
  /** The owner's name. */
  owner: string
  isEmpty: boolean
}

async function create(config: Config, order: Order, json: boolean | undefined): Promise<void> {
  const { name, time_zone = 'UTC', email, isEmpty } = order
  const now = new Date()
  const created_at = now.toISOString()
  const space = { id_space: newId(), name, time_zone, created_at }
  const id_member = newId()
  await withDatabase(config, (pool) =>
    pool.begin(async (tx) => {
      await requireFreeName(tx, name)
      await requireTimeZone(tx, time_zone)
      await insertSpace(tx, { ...space, is_new: order.time_zone === undefined })
      const owner = { name: order.owner, email, role: 'owner' as const, created_at }
      const member = { id_space: space.id_space, id: id_member, ...owner }
      await insertMember(tx, member)
      const by = authorOf('command', space.id_space, now)
      await recordCreated(tx, by, 'member', member)
      if (!isEmpty) await makeReadyPipeline(tx, by)
    }),
  )
  const row = { ...space, id_member, owner: email }
  print(row, json, ['id_space', 'name', 'time_zone', 'owner', 'id_member'])
  if (!json) {
    console.log(`\nCreate a key for it: ${nextCommand('keys', 'create', '--space', name)}`)
  }
}

/** Names are how people choose a workspace, so two cannot have the same. */
async function requireFreeName(tx: Db, name: string, own?: string): Promise<void> {
  const other = (await selectSpaces(tx)).find(
    (space) => space.id_space !== own && plainName(space.name) === plainName(name),
  )
  if (!other) return
  throw new CommandError(
    `A workspace "${other.name}" already exists (${other.id_space}). Choose another --name. To see all: ${nextCommand('spaces', 'list')}`,
  )
}

async function remove(
  config: Config,
  given: string,
  options: { yes?: boolean | undefined; json?: boolean | undefined },
): Promise<void> {
  const { space, content } = await withDatabase(config, async (pool) => {
    const space = await chooseSpace(pool, given)
    const content = await countInSpace(pool, space.id_space)
    const loss = `Workspace "${space.name}" (${space.id_space}) has ${inWords(content)}. All of it will be permanently deleted.`
    const command = nextCommand('spaces', 'remove', '--space', space.ref)
    await confirm(loss, `Remove "${space.name}"?`, command, options)
    // The keys go first: as long as clients write to the workspace, it cannot be locked. A server uses
    // what it knows of a key for some seconds, so a deadlock is possible, and tried again.
    await deleteKeys(pool, space.id_space)
    await transaction(pool, (tx) => deleteSpace(tx, space.id_space))
    return { space, content }
  })
  const { id_space, name } = space
  if (options.json) console.log(JSON.stringify({ id_space, name, removed: content }))
  else console.log(`Removed workspace "${name}".`)
}

/** "12 leads, 1 list and 2 members" */
function inWords(content: SpaceContent): string {
  const plurals: Record<keyof SpaceContent, string> = {
    leads: 'lead',
    lists: 'list',
    statuses: 'status',
    tags: 'tag',
    attributes: 'attribute',
    notes: 'note',
    reminders: 'reminder',
    campaigns: 'campaign',
    members: 'member',
    keys: 'API key',
  }
  const parts = Object.entries(plurals)
    .map(([kind, one]) => [content[kind as keyof SpaceContent], one, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, one, kind]) => counted(count, one, kind === 'keys' ? 'API keys' : kind))
  return listed(parts) || 'no data'
}

async function requireTimeZone(tx: Db, name: string): Promise<void> {
  if ((await selectTimeZones(tx, [name])).has(name)) return
  throw new UsageError(`Unknown time zone "${name}". Use one like Europe/Paris or UTC.`)
}
