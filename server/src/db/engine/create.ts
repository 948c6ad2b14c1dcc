import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chown,
  link,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Binaries, copyBinaries, type findPackage } from './binaries.ts'
import type { DataFolder } from './data-folder.ts'
import { draftOf, removeDeadDrafts } from './drafts.ts'
import { codeOf, EngineError } from './engine-error.ts'
import { runOn } from './spawn-options.ts'

/** PostgreSQL's superuser here; the database has the same name. */
export const USER = 'rapport'

/**
 * The type of letters comes from the system, and pg_trgm and text search ask it: under plain "C"
 * they skip every letter outside ASCII. C.UTF-8 is missing on some systems.
 */
const LETTERS = ['C.UTF-8', 'en_US.UTF-8', 'C']

/** Whether there is data of the right major version. Throws for any other, and touches nothing. */
export async function hasData(folder: DataFolder, major: string): Promise<boolean> {
  let found: string
  try {
    found = (await readFile(path.join(folder.pgdata, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
  if (found === major) return true
  throw new EngineError(
    `The data in ${folder.pgdata} was made by PostgreSQL ${found} and this Rapport brings PostgreSQL ${major}: start the Rapport release that made it and move the data over, or set DATABASE_URL to a PostgreSQL ${found} server with that data`,
  )
}

/** Makes empty data. Its name appears when it is complete. False: another process was quicker. */
export async function createData(
  folder: DataFolder,
  source: Awaited<ReturnType<typeof findPackage>>,
  binaries: Binaries,
): Promise<boolean> {
  if (await hasData(folder, binaries.major)) return false
  await makePassword(folder)
  await removeDeadDrafts(folder.pgdata)
  const draft = draftOf(folder.pgdata)
  await mkdir(draft, { mode: 0o700 })
  if (folder.account) await chown(draft, folder.account.uid, folder.account.gid)
  try {
    await withShellSafe(binaries.root, source.root, (root) => initialise(root, draft, folder))
    await rename(draft, folder.pgdata)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (await hasData(folder, binaries.major)) return false
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') {
      throw new EngineError(
        `${folder.pgdata} is not empty and not PostgreSQL's data: move it away, or set DATA_DIR to another folder`,
      )
    }
    throw error
  }
  await syncFolder(folder.path)
  return true
}

/** initdb puts the path of its programs into shell commands in plain double quotes. */
async function withShellSafe(
  staged: string,
  packageRoot: string,
  use: (root: string) => Promise<void>,
): Promise<void> {
  if (process.platform === 'win32' || !/["$`\\]/.test(staged)) return use(staged)
  const copy = await mkdtemp(path.join(os.tmpdir(), 'rapport-initdb-'))
  try {
    await copyBinaries(packageRoot, copy)
    await use(copy)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function initialise(root: string, draft: string, folder: DataFolder): Promise<void> {
  let problem = ''
  for (const letters of LETTERS) {
    problem = await runInitdb(root, draft, folder, letters)
    if (problem === '') return
    if (!/invalid locale/i.test(problem)) break
  }
  throw new EngineError(
    `Cannot create the database: ${problem.replace(/\s*\n\s*/g, ' ')}. Put that right and start again, or set DATABASE_URL to a PostgreSQL server of yours`,
  )
}

async function runInitdb(
  root: string,
  draft: string,
  folder: DataFolder,
  letters: string,
): Promise<string> {
  const { data, options } = runOn(draft, folder)
  // An open file, as the account may not be able to reach it by its path.
  const password = await open(passwordFile(folder))
  const windows = process.platform === 'win32'
  const args = [
    ...['-D', data, '-U', USER, `--pwfile=${windows ? passwordFile(folder) : '/dev/fd/0'}`],
    // Only the owner of the socket folder can open a socket in it.
    ...['--auth-local=trust', '--auth-host=scram-sha-256'],
    ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--locale=C', `--lc-ctype=${letters}`, '--no-instructions'],
  ]
  try {
    return await new Promise<string>((resolve) => {
      const child = spawn(path.join(root, 'bin', 'initdb'), args, {
        ...options,
        stdio: [password.fd, 'ignore', 'pipe'],
      })
      let said = ''
      child.stderr?.on('data', (chunk) => {
        said += chunk
      })
      child.once('error', (error) => resolve(cannotRun(error)))
      child.once('close', (code) => resolve(code === 0 ? '' : said.trim() || `initdb: ${code}`))
    })
  } finally {
    await password.close()
  }
}

/** A program that is there and yet "not found" lacks its loader: glibc, on Alpine. */
export function cannotRun(error: Error): string {
  return codeOf(error) === 'ENOENT' && process.platform === 'linux'
    ? 'the PostgreSQL that comes with Rapport needs a system with glibc (Alpine has musl)'
    : error.message
}

function passwordFile(folder: DataFolder): string {
  return path.join(folder.path, 'password')
}

/** For the loopback transport. */
export async function readPassword(folder: DataFolder): Promise<string> {
  try {
    return (await readFile(passwordFile(folder), 'utf8')).trim()
  } catch {
    throw new EngineError(
      `Cannot read PostgreSQL's password from ${passwordFile(folder)}: put the file back, or use the socket`,
    )
  }
}

/** Made once: processes that start together must all use the same. */
async function makePassword(folder: DataFolder): Promise<void> {
  const draft = draftOf(passwordFile(folder))
  await removeDeadDrafts(passwordFile(folder))
  await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  if (folder.account) await chown(draft, folder.account.uid, folder.account.gid)
  await link(draft, passwordFile(folder)).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await rm(draft)
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}
