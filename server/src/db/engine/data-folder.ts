import { chmod, lchown, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Account, accountForRoot, closedFolder } from './account.ts'
import { codeOf, EngineError, messageOf } from './engine-error.ts'

export interface DataFolder {
  /** the real path */
  path: string
  /** PostgreSQL's own folder in it */
  pgdata: string
  /** who PostgreSQL runs as, when not as ourselves */
  account: Account | undefined
  /** a folder on the way to it that the account may not pass through */
  closedBy: string | undefined
  /** where the binaries are staged */
  engine: string
}

/** The names this program gives in the data folder, and the one a fresh disk has. */
const OUR_NAMES = /^(postgres(\..*)?|postgres\.log.*|socket|password.*|engine|backups|lost\+found)$/

/** Makes the data folder ready for the account PostgreSQL will run under. Nothing in it is changed. */
export async function openDataFolder(
  dataDir: string,
  log: (line: string) => void,
): Promise<DataFolder> {
  const asRoot = process.getuid?.() === 0
  const wanted = path.resolve(dataDir)
  let made = false
  try {
    // The sensitive things inside are closed themselves. As root the folder lets others pass: it
    // can be /var/lib/rapport, which holds the binaries for other accounts too.
    const mode = asRoot ? 0o711 : 0o700
    made = (await mkdir(wanted, { recursive: true, mode })) !== undefined
    if (made) await chmod(wanted, mode)
  } catch (error) {
    throw new EngineError(
      `Cannot make the data folder ${wanted} (${messageOf(error)}): set DATA_DIR to a folder you may write to`,
    )
  }
  const folder = await realpath(wanted)
  const pgdata = path.join(folder, 'postgres')
  const owner = await ownerOf(pgdata)

  if (!asRoot) {
    const self = process.getuid?.()
    if (self !== undefined && owner && owner.uid !== self) {
      throw new EngineError(
        `The data in ${pgdata} belongs to the account with id ${owner.uid}: start Rapport from that account or as root`,
      )
    }
    const engine = path.join(folder, 'engine')
    return { path: folder, pgdata, account: undefined, closedBy: undefined, engine }
  }

  const account = await accountForRoot(owner, log)
  await handOver(folder, account)
  if (owner?.uid === 0) {
    log(`The data in ${pgdata} belongs to root: handing it to the account PostgreSQL runs under`)
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

/** Gives root's data folder to the account, unless somebody else's files are in it too. */
async function handOver(folder: string, account: Account): Promise<void> {
  if ((await stat(folder)).uid !== 0) return
  const names = await readdir(folder)
  if (names.every((name) => OUR_NAMES.test(name))) await lchown(folder, account.uid, account.gid)
}

/** Data restored from a backup as root: PostgreSQL insists on owning it. */
async function handOverAll(folder: string, account: Account): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) await handOverAll(file, account)
    else await lchown(file, account.uid, account.gid)
  }
  // The folder comes last, so that a start cut short does it again.
  await lchown(folder, account.uid, account.gid)
}
