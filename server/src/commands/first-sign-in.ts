// What the first start shows: a link to sign in, and a key. Both are secrets.
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FirstStart } from '../access/first-start.ts'
import { validMs } from '../access/links.ts'
import type { Config } from '../config.ts'
import { draftOf } from '../engine/drafts.ts'
import { makeFolder } from '../make-folder.ts'
import { inTime } from '../words.ts'
import { nextCommand } from './next-command.ts'

const fileName = 'first-sign-in.txt'

/**
 * Returns lines for the output. On a terminal they are the secrets. Elsewhere the output goes to a journal or
 * a log that others may read, so the secrets go to a file that only this account can read.
 * `page` is where the link leads, if the service is up.
 */
export async function introduce(
  { key, link }: FirstStart,
  page: string | undefined,
  { dataDir }: Pick<Config, 'dataDir'>,
): Promise<string[]> {
  const lines: string[] = []
  if (page !== undefined) {
    lines.push('', `  Sign in        ${page}${link.path}`)
    lines.push(`                 Works once, within ${inTime(validMs.sign_in)}.`)
  }
  if (key !== undefined) {
    lines.push('', `  Your API key   ${key}`, '                 Shown only once. Keep it safe.')
  }
  if (process.stdout.isTTY || lines.length === 0) return lines

  const file = join(dataDir, fileName)
  try {
    await writePrivately(dataDir, file, `${lines.slice(1).join('\n')}\n`)
    return ['', `  Sign in        see ${file}`, '                 Read it, then delete it.']
  } catch (error) {
    return [
      '',
      `  Sign in        Cannot write ${file} (${(error as Error).message}).`,
      `                 For a link: ${nextCommand('sign-in')}`,
      `                 For a key: ${nextCommand('keys', 'create')}`,
    ]
  }
}

/** Written under a new name first, so that an existing file or link is replaced and not written to. */
async function writePrivately(folder: string, file: string, text: string): Promise<void> {
  await makeFolder(folder, 0o700)
  const draft = draftOf(file)
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
  await rename(draft, file).catch(async (error) => {
    await rm(draft)
    throw error
  })
}
