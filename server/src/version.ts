import { readFileSync } from 'node:fs'

// Reached from server/src and from server/dist alike.
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version
