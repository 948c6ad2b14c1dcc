import { chmod, lchown, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { type Account, accountForRoot, closedFolder } from './account.ts'
import { codeOf, EngineError, messageOf } from './engine-error.ts'

export interface DataFolder {
  /** the real path */
  path: string
  /** PostgreSQL's own folder in it */
  pgdata: string
  /** PostgreSQL's account, when it is not our own */
  account: Account | undefined
  /** a folder of the path that the account may not enter */
  closedBy: string | undefined
  /** where the binaries are staged */
  engine: string
}

/** The names that this program uses in the data folder, and the one that a new disk has. */
const ourNames =
  /^(postgres(\..*)?|postgres\.log.*|socket|password.*|engine|backups|first-sign-in.*|lost\+found)$/

/** Prepares the data folder for the account that PostgreSQL will run as. */
export async function openDataFolder(
  dataDir: string,
  log: (line: string) => void,
): Promise<DataFolder> {
  const asRoot = process.getuid?.() === 0
  const wanted = path.resolve(dataDir)
  let made = false
  try {
    // What is sensitive inside has its own rights. As root the folder is open to enter: it can be
    // /var/lib/rapport, which also holds the binaries for other accounts.
    const mode = asRoot ? 0o711 : 0o700
    made = (await makeFolder(wanted, mode)) !== undefined
    if (made) await chmod(wanted, mode)
  } catch (error) {
    const reason = codeOf(error) === 'EEXIST' ? 'it is a file' : messageOf(error)
    throw new EngineError(
      `Cannot create the data folder ${wanted} (${reason}). Set DATA_DIR to a folder that this account can write to`,
    )
  }
  const folder = await realpath(wanted)
  const pgdata = path.join(folder, 'postgres')
  const owner = await ownerOf(pgdata)

  if (!asRoot) {
    const self = process.getuid?.()
    if (self !== undefined && owner && owner.uid !== self) {
      throw new EngineError(
        `The data in ${pgdata} belongs to the account with id ${owner.uid}. Start Rapport from that account or as root`,
      )
    }
    const engine = path.join(folder, 'engine')
    return { path: folder, pgdata, account: undefined, closedBy: undefined, engine }
  }

  const account = await accountForRoot(owner, log)
  await handOver(folder, account)
  if (owner?.uid === 0) {
    log(`The data in ${pgdata} belongs to root. Giving it to the account PostgreSQL runs as`)
    await handOverAll(pgdata, account)
  }
  const closedBy = await closedFolder(account, folder)
  return { path: folder, pgdata, account, closedBy, engine: '/var/lib/rapport/engine' }
}

async function ownerOf(file: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(file)
    return { uid, gid }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Gives root's data folder to the account, unless it also contains other files. */
async function handOver(folder: string, account: Account): Promise<void> {
  if ((await stat(folder)).uid !== 0) return
  const names = await readdir(folder)
  if (names.every((name) => ourNames.test(name))) await lchown(folder, account.uid, account.gid)
}

/** For data that root has copied back: PostgreSQL refuses data that its account does not own. */
async function handOverAll(folder: string, account: Account): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) await handOverAll(file, account)
    else await lchown(file, account.uid, account.gid)
  }
  // The folder comes last, so that the next start repeats it when this one is interrupted.
  await lchown(folder, account.uid, account.gid)
}
