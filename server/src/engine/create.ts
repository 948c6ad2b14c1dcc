import { type ChildProcess, spawn } from 'node:child_process'
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
import { roles } from './roles.ts'
import { reasonIn } from './server-output.ts'
import { runOn } from './spawn-options.ts'

/**
 * pg_trgm and text search ask the operating system's locale what a letter is. With plain "C" they
 * skip every letter outside ASCII. Some systems have no C.UTF-8, so there are others to try.
 */
const letterLocales = ['C.UTF-8', 'en_US.UTF-8', 'C']

/** Whether there is data. Throws when another major version made it, and changes nothing. */
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
    `The data in ${folder.pgdata} was created by PostgreSQL ${found}, but this Rapport bundles PostgreSQL ${major}. To move the data, back it up with the Rapport release that created it, or set DATABASE_URL to a PostgreSQL ${found} server with that data`,
  )
}

/** Creates empty data, under its final name when it is complete. False: another process did it. */
export async function createData(
  folder: DataFolder,
  source: Awaited<ReturnType<typeof findPackage>>,
  binaries: Binaries,
  signal: AbortSignal,
): Promise<boolean> {
  if (await hasData(folder, binaries.major)) return false
  await makePassword(folder)
  await removeDeadDrafts(folder.pgdata)
  const draft = draftOf(folder.pgdata)
  await mkdir(draft, { mode: 0o700 })
  if (folder.account) await chown(draft, folder.account.uid, folder.account.gid)
  try {
    await withShellSafe(binaries.root, source.root, (root) =>
      initialise(root, draft, folder, signal),
    )
    await rename(draft, folder.pgdata)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (await hasData(folder, binaries.major)) return false
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') {
      throw new EngineError(
        `${folder.pgdata} is not empty and does not contain PostgreSQL data. Move it away or set DATA_DIR to another folder`,
      )
    }
    throw error
  }
  await syncFolder(folder.path)
  return true
}

/** initdb passes the path of its programs to a shell, in double quotes that do not protect it. */
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

async function initialise(
  root: string,
  draft: string,
  folder: DataFolder,
  signal: AbortSignal,
): Promise<void> {
  let problem = ''
  for (const letters of letterLocales) {
    problem = await runInitdb(root, draft, folder, letters, signal)
    signal.throwIfAborted()
    if (problem === '') return
    if (!/invalid locale/i.test(problem)) break
  }
  throw new EngineError(
    `Cannot create the database in ${folder.path}: ${reasonIn(problem)}. Fix that and start again, or set DATABASE_URL to your own PostgreSQL server`,
  )
}

async function runInitdb(
  root: string,
  draft: string,
  folder: DataFolder,
  letters: string,
  signal: AbortSignal,
): Promise<string> {
  const { data, options } = runOn(draft, folder)
  // Passed as an open file, because the account may not be able to open it by its path.
  const password = await open(passwordFile(folder))
  const windows = process.platform === 'win32'
  const args = [
    ...[
      '-D',
      data,
      '-U',
      roles.superuser,
      `--pwfile=${windows ? passwordFile(folder) : '/dev/fd/0'}`,
    ],
    // No password is needed there: only the owner of the socket folder can open the socket.
    ...['--auth-local=trust', '--auth-host=scram-sha-256'],
    ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--locale=C', `--lc-ctype=${letters}`, '--no-instructions'],
  ]
  try {
    signal.throwIfAborted()
    return await new Promise<string>((resolve) => {
      const child = spawn(path.join(root, 'bin', 'initdb'), args, {
        ...options,
        // A process group of its own: Ctrl-C in the terminal must not reach it before us.
        detached: true,
        stdio: [password.fd, 'ignore', 'pipe'],
      })
      const kill = () => killGroup(child)
      signal.addEventListener('abort', kill, { once: true })
      let output = ''
      child.stderr?.on('data', (chunk) => {
        output += chunk
      })
      child.once('error', (error) => resolve(cannotRun(error)))
      child.once('close', (code) => {
        signal.removeEventListener('abort', kill)
        resolve(code === 0 ? '' : output.trim() || `initdb ended with status ${code}`)
      })
    })
  } finally {
    await password.close()
  }
}

/** Ends initdb and the server processes that it has started. */
function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32') child.kill()
    else if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    // It has just ended.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** ENOENT for a program that exists means that its loader is missing: glibc, on Alpine. */
export function cannotRun(error: Error): string {
  return codeOf(error) === 'ENOENT' && process.platform === 'linux'
    ? 'the bundled PostgreSQL needs glibc (Alpine has musl)'
    : error.message
}

function passwordFile(folder: DataFolder): string {
  return path.join(folder.path, 'password')
}

/** The superuser's password for connections over loopback. Those of the others come from it. */
export async function readPassword(folder: DataFolder): Promise<string> {
  try {
    return (await readFile(passwordFile(folder), 'utf8')).trim()
  } catch {
    throw new EngineError(
      `Cannot read PostgreSQL's password from ${passwordFile(folder)}: restore the file or use the socket`,
    )
  }
}

/** Created once, because processes that start together must all use the same password. */
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
