// A recursive mkdir that always returns.
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and the missing folders above it. Returns the topmost folder that it created, or
 * undefined when all exist.
 *
 * Node's own recursive mkdir never returns if the system reports ENOENT although the parent folder
 * exists. This happens below /proc and below a broken symbolic link.
 */
export async function makeFolder(folder: string, mode: number): Promise<string | undefined> {
  const problem = await tryToMake(folder, mode)
  if (problem === undefined) return folder
  if (problem.code === 'EEXIST' && (await isFolder(folder))) return undefined
  if (problem.code !== 'ENOENT' || dirname(folder) === folder) throw problem
  const first = await makeFolder(dirname(folder), mode)
  const again = await tryToMake(folder, mode)
  if (again && !(again.code === 'EEXIST' && (await isFolder(folder)))) throw again
  return first ?? folder
}

async function tryToMake(folder: string, mode: number): Promise<NodeJS.ErrnoException | undefined> {
  return mkdir(folder, { mode }).then(
    () => undefined,
    (error) => error,
  )
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
