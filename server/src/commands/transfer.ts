// What import and export share.
import { selectSpaces } from '../access/access.sql.ts'
import type { Pool } from '../db/driver.ts'
import { CommandError, UsageError } from './command.ts'
import { requireSpace } from './members.ts'

/** Returns the given workspace, or the only one that exists. */
export async function chooseSpace(pool: Pool, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    await requireSpace(pool, given)
    return given
  }
  const spaces = await selectSpaces(pool)
  const [only, ...others] = spaces
  if (!only) {
    throw new CommandError('There is no workspace yet. See: npm run rapport -- spaces create')
  }
  if (others.length > 0) {
    const list = spaces.map(({ id_space, name }) => `  ${id_space}  ${name}`).join('\n')
    throw new CommandError(`There are several workspaces. Choose one with --space:\n${list}`)
  }
  return only.id_space
}

export function oneOf<const T extends string>(
  option: string,
  values: readonly T[],
  text: string | undefined,
): T | undefined {
  if (text === undefined) return undefined
  const found = values.find((value) => value === text.toLowerCase())
  if (!found) throw new UsageError(`${option} must be one of ${values.join(', ')}, not "${text}".`)
  return found
}
