import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and the folders above it. Returns the first one that was missing, or undefined.
 *
 * Node's own recursive mkdir never returns where the system reports ENOENT although the folder above
 * exists: below /proc, or below a symbolic link that leads nowhere.
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
