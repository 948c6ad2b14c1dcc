// The version of Rapport and its commit. A package has both in its package.json, a clone has the commit in its history.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { root } from './root.ts'

/** `gitHead` is npm's name for the commit of a package. */
const about: { version: string; gitHead?: string } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
)

export const version = about.version

let commit: Promise<string | null> | undefined

/** Looked up once, because the history may advance while an older commit runs. Null: there is no history. */
export function findCommit(): Promise<string | null> {
  commit ??= about.gitHead === undefined ? readHistory() : Promise.resolve(about.gitHead)
  return commit
}

async function readHistory(): Promise<string | null> {
  // Named, so that Git neither looks in folders above nor minds that another account owns it.
  const history = fileURLToPath(new URL('.git', root))
  const args = ['--git-dir', history, 'rev-parse', 'HEAD']
  return promisify(execFile)('git', args).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}
