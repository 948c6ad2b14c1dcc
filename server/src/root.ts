// The root folder of the project: the nearest folder above with the lock file. So it is the same for the
// sources and for every build.
import { existsSync } from 'node:fs'

export const root: URL = find(new URL('./', import.meta.url))

function find(folder: URL): URL {
  return existsSync(new URL('package-lock.json', folder)) ? folder : find(new URL('../', folder))
}
