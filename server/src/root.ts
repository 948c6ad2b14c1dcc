// The folder of the project, whichever build of it this is.
import { existsSync } from 'node:fs'

export const root: URL = find(new URL('./', import.meta.url))

function find(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : find(new URL('../', folder))
}
