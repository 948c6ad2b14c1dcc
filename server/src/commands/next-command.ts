// Commands that are printed for the user to type next. They must work when they are pasted, so they
// name the same database, and the folder of Rapport if the user is elsewhere.
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../root.ts'

interface Settings {
  DATABASE_URL?: string | undefined
  DATABASE_URL_FILE?: string | undefined
  DATA_DIR?: string | undefined
}

/** `npm run rapport -- spaces list`, with everything in front of it that it needs here. */
export function nextCommand(...words: string[]): string {
  return commandOn(process.env, ...words)
}

/** The same with other settings. */
export function commandOn(env: Settings, ...words: string[]): string {
  return [...settings(env), asTyped(`${npm()} run rapport --`), ...words.map(quoted)].join(' ')
}

/** The same for `npm start`. */
export function startCommand(): string {
  return [...settings(process.env), asTyped(`${npm()} start`)].join(' ')
}

/** A checkout has the scripts of npm; the installed package is a program. */
export const isCheckout = existsSync(new URL('scripts/rapport.mjs', root))

/** A text with commands as people type them here. The texts have those of a checkout. */
export function asTyped(text: string): string {
  if (isCheckout) return text
  const program = process.env.npm_lifecycle_event === 'npx' ? 'npx rapport' : 'rapport'
  return text
    .replaceAll(/npm run (-s )?rapport --/g, program)
    .replaceAll('npm start -- ', `${program} serve `)
    .replaceAll('npm start', `${program} serve`)
}

function npm(): string {
  const folder = fileURLToPath(root)
  const isInside = !/^\.\.|^[/\\]|^\w:/.test(relative(folder, process.cwd()))
  return isInside || !isCheckout ? 'npm' : `npm --prefix ${quoted(folder.replace(/[/\\]$/, ''))}`
}

/**
 * The settings that say where the data is. They may be part of the user's command or exported: both
 * work then. A password is not printed; the shell stops if the variable is not exported.
 */
function settings({
  DATABASE_URL: url,
  DATABASE_URL_FILE: file,
  DATA_DIR: folder,
}: Settings): string[] {
  if (file) return [`DATABASE_URL_FILE=${quoted(file)}`]
  if (url) {
    return [
      hasPassword(url)
        ? // biome-ignore lint/suspicious/noTemplateCurlyInString: it is for the shell
          'DATABASE_URL="${DATABASE_URL:?}"'
        : `DATABASE_URL=${quoted(url)}`,
    ]
  }
  return folder ? [`DATA_DIR=${quoted(folder)}`] : []
}

/** Not by `URL`, which does not read several hosts. */
const hasPassword = (url: string) => /^\w+:\/\/[^@/?]*:[^@/?]+@|[?&]password=/.test(url)

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
