// Which workspace a command works on.
import { type Space, selectSpaces } from '../access/access.sql.ts'
import type { Db } from '../db/driver.ts'
import { isId } from '../ids.ts'
import { nearest, plainName } from '../nearest.ts'
import { counted } from '../words.ts'
import { CommandError } from './command.ts'
import { nextCommand } from './next-command.ts'

/** `ref` is what to type after --space: the name, or the id if others have the same name. */
export type ChosenSpace = Space & { ref: string }

/** The option --space of commands that need a workspace. */
export const anySpace = '<name|id> the name or id of the workspace (default: the newest one)'

/**
 * Returns the workspace with this name or id. Without one it returns the newest workspace, which is
 * that of the last `demo` or `spaces create`, and says which.
 */
export async function chooseSpace(db: Db, given: string | undefined): Promise<ChosenSpace> {
  const spaces = await selectSpaces(db)
  const newest = spaces.at(-1)
  if (!newest) {
    const words = ['spaces', 'create', '--name', 'My team', '--owner', 'me@example.com']
    throw new CommandError(`No workspace yet. Create one: ${nextCommand(...words)}`)
  }
  if (given !== undefined) return withRef(find(spaces, given), spaces)
  const which = spaces.length === 1 ? 'the only one' : `the newest of ${spaces.length}`
  console.error(`Workspace: ${newest.name} (${which})`)
  return withRef(newest, spaces)
}

function withRef(space: Space, spaces: Space[]): ChosenSpace {
  const isUnique = named(spaces, space.name, ({ id_space }) => id_space).length === 1
  return { ...space, ref: isUnique ? space.name : space.id_space }
}

function find(spaces: Space[], given: string): Space {
  const [space, ...others] = named(spaces, given, ({ id_space }) => id_space)
  if (!space) throw unknownSpace(spaces, given)
  if (others.length === 0) return space
  throw new CommandError(
    [
      `${counted(others.length + 1, 'workspace')} are named "${given}". Choose one by id with --space:`,
      ...[space, ...others].map(describe),
    ].join('\n'),
  )
}

/**
 * The records that a user means: the one with this id, or those with exactly this name, or those with
 * this name in other case.
 */
export function named<T extends { name: string }>(
  records: T[],
  given: string,
  idOf: (record: T) => string,
): T[] {
  const byId = isId(given) && records.find((record) => idOf(record) === given.toLowerCase())
  if (byId) return [byId]
  const wanted = given.trim()
  const exact = records.filter(({ name }) => name === wanted)
  return exact.length > 0
    ? exact
    : records.filter(({ name }) => plainName(name) === plainName(wanted))
}

function unknownSpace(spaces: Space[], given: string): CommandError {
  const meant = nearest(
    given,
    spaces.map(({ name }) => name),
  )
  return new CommandError(
    `No workspace "${given}".${meant === undefined ? '' : ` Did you mean "${meant}"?`} See: ${nextCommand('spaces', 'list')}`,
  )
}

const describe = ({ id_space, name, created_at }: Space) =>
  `  ${id_space}  ${name}, created ${created_at.slice(0, 10)}`
