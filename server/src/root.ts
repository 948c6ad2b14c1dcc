// The root folder of the project: the nearest folder above with its package.json. So it is the same for the
// sources, for every build, and for the installed package.
import { readFileSync } from 'node:fs'

export const root: URL = find(new URL('./', import.meta.url))

function find(folder: URL): URL {
  if (isOurs(new URL('package.json', folder))) return folder
  const above = new URL('../', folder)
  if (above.href === folder.href) throw new Error('The package.json of Rapport is missing.')
  return find(above)
}

function isOurs(file: URL): boolean {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).name === 'rapport'
  } catch {
    return false
  }
}
